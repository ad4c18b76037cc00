"""HSIC-Lasso: a nonnegative lasso on one kernel matrix a feature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from perturbfs._compat import Interval
from perturbfs.backends import Array

from ._ranking import Ranking, RankingSelector

_KEPT_BYTES = 2**28  # kernels that take more than this are computed anew where they are needed
_CHUNK_BYTES = 2**24
_PATH_END = 1e-9  # the correlation at which pyHSICLasso ends its path
_DEPENDENT = 1e-10  # squared distance of a unit kernel to the span of the chosen ones


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where a nonnegative lasso stands on its path."""

    active: Array  # features with a positive coefficient, in order of entry
    coefficients: Array  # (n_features,)


class HSICLassoSelector(RankingSelector):
    r"""Select features whose kernels together explain the kernel of the outcome.

    Every feature and the outcome become a kernel matrix over the samples, so that dependence
    of any shape counts. A lasso with nonnegative coefficients writes the outcome's kernel as a
    sum of few features' kernels; a feature that repeats a chosen one has nothing to add.
    Features are ranked in the order in which they enter the path of the lasso.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        With None as many as have a positive coefficient at the end of the path, which is the
        method's own answer without a penalty, as nothing in the method chooses one.
    block_size : int or None, default=None
        With a number, kernels are formed within blocks of so many samples and averaged, which
        makes cost linear in the number of samples. Samples that do not fill a block are left
        out. With None one block holds all samples.
    n_permutations : int, default=1
        How many times the samples are shuffled into blocks. Without effect on one block.
    random_state : int, RandomState instance or None, default=0
        For the shuffles; shuffle number `p` has seed ``random_state + p``, which for 0 is what
        pyHSICLasso does.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry; features that are not selected share the last place.
    scores_ : array of shape (n_features_in_,)
        Coefficients where the next feature would enter. pyHSICLasso lists the selected
        features by them.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    Minimizes :math:`\frac12 \|L - \sum_k \alpha_k K_k\|_F^2 + \lambda \|\alpha\|_1` with
    :math:`\alpha \ge 0` for falling :math:`\lambda`. :math:`K_k` are Gaussian kernels of width
    1 on features of standard deviation 1. :math:`L` is :math:`1/n_c` within class c and 0
    elsewhere, or a Gaussian kernel of a quantity. All are double-centered and have Frobenius
    norm 1. Where the path has no point with the number of features asked for, an error says so.

    With m samples, n features and k steps, time is O(n m^2 k), or O(n m B M k) with M
    permutations of blocks of B samples. Kernels are kept, as triangles, up to 256 MB and
    computed anew in every step beyond.

    References
    ----------
    M. Yamada, W. Jitkrittum and others. High-dimensional feature selection by feature-wise
    kernelized lasso. Neural Computation 26(1), 2014.

    H. Climente-Gonzalez, C.-A. Azencott, S. Kaski, M. Yamada. Block HSIC Lasso. Bioinformatics
    35(14), 2019.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import HSICLassoSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 8))
    >>> y = X[:, 2] ** 2 + np.sin(2 * X[:, 5])
    >>> HSICLassoSelector(2).fit(X, y).get_support(indices=True)
    array([2, 5])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "block_size": [None, Interval(Integral, 2, None, closed="left")],
        "n_permutations": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        block_size: int | None = None,
        n_permutations: int = 1,
        random_state: Any = 0,
    ) -> None:
        super().__init__(n_features_to_select)
        self.block_size = block_size
        self.n_permutations = n_permutations
        self.random_state = random_state

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        blocks = draw_blocks(len(y), self.block_size, self.n_permutations, self.random_state)
        if self.task_ == "classification":
            target = class_kernel(y, blocks)
        else:
            target = gaussian_kernels(standardize(y[:, None]).T, blocks)[0]
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            kernels = FeatureKernels(standardize(X).T, blocks)
            point = nonnegative_lars(kernels.inner(target), kernels.gram_column, n_wanted=n_wanted)
        return Ranking(point.active, len(point.active), point.coefficients)


class FeatureKernels:
    """The centered unit kernels of all features, in chunks; kept if they are small enough."""

    def __init__(self, features: Array, blocks: Array) -> None:
        self._features = features
        self._blocks = blocks
        n_blocks, size = blocks.shape
        n_bytes = 8 * n_blocks * size * (size + 1) // 2
        self._step = max(1, _CHUNK_BYTES // (8 * n_blocks * size**2))
        self._kept = None
        if n_bytes * len(features) <= _KEPT_BYTES:
            self._kept = list(self._compute())

    def inner(self, kernel: Array) -> Array:
        """Inner product of a kernel with that of every feature."""
        chunks = self._compute() if self._kept is None else self._kept
        return np.concatenate([chunk @ kernel for chunk in chunks])

    def gram_column(self, feature: int) -> Array:
        """Inner product of one feature's kernel with that of every feature."""
        return self.inner(gaussian_kernels(self._features[[feature]], self._blocks)[0])

    def _compute(self) -> Iterator[Array]:
        for start in range(0, len(self._features), self._step):
            yield gaussian_kernels(self._features[start : start + self._step], self._blocks)


def standardize(X: Array) -> Array:
    """Features with mean 0 and standard deviation 1; constant ones become 0."""
    centered = X - X.mean(axis=0)
    spread = centered.std(axis=0)
    is_constant = spread <= 10 * np.finfo(np.float64).eps * np.abs(X).max(axis=0)
    return np.where(is_constant, 0.0, centered / np.where(is_constant, 1.0, spread))


def draw_blocks(n_samples: int, size: int | None, n_permutations: int, seed: Any) -> Array:
    """Samples shuffled into blocks.

    Returns
    -------
    blocks : array of int of shape (n_blocks, size)
        All samples in one block, in their own order, where `size` is None.
    """
    if size is None or size == n_samples:
        return np.arange(n_samples)[None, :]
    if size > n_samples:
        raise ValueError(
            f"block_size={size}, but X has {n_samples} samples. Ask for at most {n_samples}, "
            "or pass None for one block of all samples."
        )
    if not isinstance(seed, Integral):
        seed = check_random_state(seed).randint(2**31 - n_permutations)
    order = np.arange(n_samples)
    shuffled = []
    for permutation in range(n_permutations):
        order = np.random.RandomState(int(seed) + permutation).permutation(order)
        shuffled.append(order[: n_samples - n_samples % size].reshape(-1, size))
    return np.concatenate(shuffled)


def gaussian_kernels(features: Array, blocks: Array) -> Array:
    """Centered unit kernels of standardized features, as vectors.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
    blocks : array of int of shape (n_blocks, size)

    Returns
    -------
    kernels : array of shape (n_features, n_blocks * size * (size + 1) / 2)
        Their inner products are those of the kernel matrices, averaged over blocks.
    """
    within = features[:, blocks]
    kernels = within[..., :, None] - within[..., None, :]
    np.square(kernels, out=kernels)
    kernels *= -0.5
    np.exp(kernels, out=kernels)
    return _as_unit_vectors(kernels)


def class_kernel(y: Array, blocks: Array) -> Array:
    """Centered unit kernel of classes, as a vector: 1 / n_c within class c."""
    within = np.unique(y, return_inverse=True)[1][blocks]
    is_same = within[:, :, None] == within[:, None, :]
    return _as_unit_vectors((is_same / is_same.sum(axis=2, keepdims=True))[None])[0]


def _as_unit_vectors(kernels: Array) -> Array:
    """Center and scale symmetric matrices and write out their triangles; constant ones are 0."""
    kernels -= kernels.mean(axis=-1, keepdims=True)
    kernels -= kernels.mean(axis=-2, keepdims=True)
    n_blocks, size = kernels.shape[-3:-1]
    rows, columns = np.triu_indices(size)
    triangles = kernels[..., rows, columns]
    triangles *= np.where(rows == columns, 1.0, np.sqrt(2.0))  # the other triangle counts too
    norms = np.linalg.norm(triangles, axis=-1, keepdims=True)
    is_constant = norms <= size * np.finfo(np.float64).eps
    triangles *= np.where(is_constant, 0.0, 1 / np.where(is_constant, 1.0, norms))
    return triangles.reshape(len(kernels), -1) / np.sqrt(n_blocks)


def nonnegative_lars(
    relevance: Array, gram_column: Callable[[int], Array], *, n_wanted: int | None = None
) -> PathPoint:
    """Follow the path of a nonnegative lasso until enough features are on it.

    Parameters
    ----------
    relevance : array of shape (n_features,)
        Inner products of unit regressors and the target.
    gram_column : callable
        Inner products of one regressor with all; asked once for every feature that enters.
    n_wanted : int or None
        Stop where one feature more would enter. None follows the path to its end.

    Returns
    -------
    point : PathPoint
        The last point of the path with `n_wanted` features, or its end where there is none.

    Notes
    -----
    Regressors that depend linearly on the active ones do not enter, so that repeated features
    are harmless; the first of them is taken.
    """
    path = _Path(relevance, gram_column)
    seen = None
    entering: int | None = path.most_correlated()
    # Every step adds or removes a feature; the bound only guards against rounding in a circle.
    for _ in range(10 * len(relevance) + 10):
        if entering is not None and path.level(entering) > _PATH_END:
            if n_wanted is not None and len(path.active) >= n_wanted:
                return path.point()
            path.enter(entering)
        if len(path.active) == n_wanted:
            seen = path.point()
        if not path.active or path.level(path.active[0]) <= _PATH_END:
            break
        entering = path.advance()
    is_short = n_wanted is not None and len(path.active) != n_wanted
    return seen if is_short and seen is not None else path.point()


class _Path:
    """The moving parts of `nonnegative_lars`."""

    def __init__(self, relevance: Array, gram_column: Callable[[int], Array]) -> None:
        self._relevance = relevance
        self._gram_column = gram_column
        self._columns: dict[int, Array] = {}
        self._dependent: list[int] = []
        self._unexplained = relevance.copy()
        self.active: list[int] = []
        self.coefficients = np.zeros(len(relevance))

    def point(self) -> PathPoint:
        return PathPoint(np.array(self.active, dtype=int), self.coefficients.copy())

    def level(self, feature: int) -> float:
        return float(self._unexplained[feature])

    def most_correlated(self) -> int:
        return int(np.argmax(self._unexplained))

    def enter(self, feature: int) -> None:
        if feature not in self._columns:
            self._columns[feature] = self._gram_column(feature)
        column = self._columns[feature]
        share = self._solve(column[self.active]) if self.active else np.zeros(0)
        distance = column[feature] - column[self.active] @ share
        (self.active if distance > _DEPENDENT else self._dependent).append(feature)

    def advance(self) -> int | None:
        """Walk to the next change of the active features; return the one that enters."""
        direction = self._solve(np.ones(len(self.active)))
        falls = direction @ np.array([self._columns[feature] for feature in self.active])
        level = self._unexplained[self.active].mean()
        to_entry = self._steps_to_entry(level, falls)
        entering = int(np.argmin(to_entry))
        shrinks = direction < 0
        to_drop = np.full(len(direction), np.inf)
        to_drop[shrinks] = -self.coefficients[self.active][shrinks] / direction[shrinks]
        length = min(level, to_entry[entering], to_drop.min())
        self.coefficients[self.active] += length * direction
        if to_drop.min() <= length:
            self._drop(int(np.argmin(to_drop)))
        self._update()
        return entering if to_entry[entering] <= length else None

    def _steps_to_entry(self, level: float, falls: Array) -> Array:
        gains = 1 - falls  # the active ones fall by 1
        gains[self.active + self._dependent] = 0
        # What does not gain, such as a copy of an active feature, never catches up.
        catches_up = gains > _DEPENDENT
        behind = np.maximum(level - self._unexplained, 0)
        return np.where(catches_up, behind / np.where(catches_up, gains, 1), np.inf)

    def _drop(self, place: int) -> None:
        self.coefficients[self.active.pop(place)] = 0
        self._dependent.clear()

    def _update(self) -> None:
        explained = np.zeros(len(self._relevance))
        for feature in self.active:
            explained += self.coefficients[feature] * self._columns[feature]
        self._unexplained = self._relevance - explained

    def _solve(self, right: Array) -> Array:
        gram = np.array([self._columns[feature][self.active] for feature in self.active])
        return np.linalg.solve(gram, right)
