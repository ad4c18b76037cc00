"""HSIC-Lasso: a nonnegative lasso on one kernel matrix per feature."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state, gen_batches
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array

from ._nonnegative_lars import nonnegative_lars
from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_KEPT_BYTES = 2**28  # kernels that take more than this are computed again when needed
_CHUNK_BYTES = 2**24


class HSICLassoSelector(RankingSelector):
    r"""Select features whose kernels together explain the kernel of the outcome.

    Each feature and the outcome are converted to a kernel matrix over the samples, so that
    nonlinear dependence counts as well. A lasso with nonnegative coefficients approximates the
    kernel of the outcome by a sum of the kernels of a few features; repeated features add nothing.
    Features are ranked by their order of entry into the path of the lasso.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a positive coefficient at the end of the path, where the
        penalty is zero. The method does not choose a penalty.
    block_size : int or None, default=None
        Number of samples per block. Kernels are computed within blocks and averaged, so that
        time is linear in the number of samples. Samples that do not fill a block are left out.
        By default one block holds all samples.
    n_permutations : int, default=1
        How many times the samples are shuffled into blocks. No effect with one block.
    random_state : int, RandomState instance or None, default=0
        For the shuffles. Shuffle number `p` has the seed ``random_state + p``, which with 0
        agrees with pyHSICLasso.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry; features that are not selected share the last rank.
    scores_ : array of shape (n_features_in_,)
        Coefficients at the point where the next feature would enter. pyHSICLasso lists the
        selected features by these.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    Minimizes :math:`\frac12 \|L - \sum_k \alpha_k K_k\|_F^2 + \lambda \|\alpha\|_1` with
    :math:`\alpha \ge 0` for falling :math:`\lambda`. :math:`K_k` are Gaussian kernels of width
    1 on features of standard deviation 1. :math:`L` is :math:`1/n_c` within class c and 0
    elsewhere, or a Gaussian kernel of a quantity. All are double-centered and have Frobenius
    norm 1. If no point of the path has the requested number of features, an error is raised.

    With m samples, n features and k steps, time is O(n m^2 k), or O(n m B M k) with M
    permutations of blocks of B samples. The triangles of the kernels are kept if they take up to
    256 MB; otherwise they are computed again in every step.

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

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
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
            return nonnegative_lars(kernels.inner(target), kernels.gram_column, n_wanted=n_wanted)


class FeatureKernels:
    """Centered unit kernels of all features, in chunks; kept in memory if they fit."""

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
        """Return the inner product of a kernel with that of every feature."""
        chunks = self._compute() if self._kept is None else self._kept
        return np.concatenate([chunk @ kernel for chunk in chunks])

    def gram_column(self, feature: int) -> Array:
        """Return the inner product of one feature's kernel with that of every feature."""
        return self.inner(gaussian_kernels(self._features[[feature]], self._blocks)[0])

    def _compute(self) -> Iterator[Array]:
        for chunk in gen_batches(len(self._features), self._step):
            yield gaussian_kernels(self._features[chunk], self._blocks)


def draw_blocks(n_samples: int, size: int | None, n_permutations: int, seed: Any) -> Array:
    """Return samples shuffled into blocks.

    Returns
    -------
    blocks : array of int of shape (n_blocks, size)
        All samples in one block, in their original order, if `size` is None.
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
    """Return centered unit kernels of standardized features, as vectors.

    Parameters
    ----------
    features : array of shape (n_features, n_samples)
    blocks : array of int of shape (n_blocks, size)

    Returns
    -------
    kernels : array of shape (n_features, n_blocks * size * (size + 1) / 2)
        Their inner products are those of the kernel matrices, averaged over the blocks.
    """
    within = features[:, blocks]
    kernels = within[..., :, None] - within[..., None, :]
    np.square(kernels, out=kernels)
    kernels *= -0.5
    np.exp(kernels, out=kernels)
    return _as_unit_vectors(kernels)


def class_kernel(y: Array, blocks: Array) -> Array:
    """Return the centered unit kernel of classes, as a vector: 1 / n_c within class c."""
    within = np.unique(y, return_inverse=True)[1][blocks]
    is_same = within[:, :, None] == within[:, None, :]
    return _as_unit_vectors((is_same / is_same.sum(axis=2, keepdims=True))[None])[0]


def _as_unit_vectors(kernels: Array) -> Array:
    """Return the triangles of centered and scaled symmetric matrices; constant ones become 0."""
    kernels -= kernels.mean(axis=-1, keepdims=True)
    kernels -= kernels.mean(axis=-2, keepdims=True)
    n_blocks, size = kernels.shape[-3:-1]
    rows, columns = np.triu_indices(size)
    triangles = kernels[..., rows, columns]
    # Each element off the diagonal counts twice.
    triangles *= np.where(rows == columns, 1.0, np.sqrt(2.0))
    norms = np.linalg.norm(triangles, axis=-1, keepdims=True)
    is_constant = norms <= size * np.finfo(np.float64).eps
    triangles *= np.where(is_constant, 0.0, 1 / np.where(is_constant, 1.0, norms))
    return triangles.reshape(len(kernels), -1) / np.sqrt(n_blocks)
