"""L1 logistic regression: features in the order in which they enter its path."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import rank_by_entry, standardize
from ._ranking import Ranking, RankingSelector


class L1LogisticSelector(RankingSelector):
    """Select the features that enter multinomial logistic regression first.

    The weight of an L1 penalty falls from where all coefficients are zero; a feature enters when
    its coefficient for any class leaves zero. Features are standardized, the intercept is not
    penalized. Asking for more features than enter is refused; a smaller `eps` lets more enter.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as have a nonzero coefficient at the end of the path.
    n_penalties : int, default=100
        Points of the path. Features that enter between two points are ordered by the size of
        their coefficients.
    eps : float, default=0.01
        The last weight of the penalty as a fraction of the first.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry. Features that never enter share the last place. Without
        `n_features_to_select`, features that leave the path again come after those that stay.
    task_ : {"classification"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    Our own path: accelerated proximal gradient steps on the features that the sequential strong
    rule keeps, until the conditions of the optimum hold for all. A point of the path costs
    O(n_samples n_features n_classes), and a step as much for the features kept.

    References
    ----------
    Friedman, J., Hastie, T., Tibshirani, R. (2010). Regularization paths for generalized linear
    models via coordinate descent. Journal of Statistical Software 33(1), 1-22.

    Tibshirani, R. et al. (2012). Strong rules for discarding predictors in lasso-type problems.
    Journal of the Royal Statistical Society B 74(2), 245-266.

    Examples
    --------
    >>> from perturbfs.baselines import L1LogisticSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = L1LogisticSelector(5).fit(data.X, data.y)
    >>> int((data.groups[selector.get_support(indices=True)] >= 0).sum()) >= 4
    True
    """

    _tasks: ClassVar[tuple[str, ...]] = ("classification",)
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "n_penalties": [Interval(Integral, 2, None, closed="left")],
        "eps": [Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        n_penalties: int = 100,
        eps: float = 0.01,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_penalties = n_penalties
        self.eps = eps

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        fractions = np.geomspace(1, self.eps, self.n_penalties)
        return rank_by_logistic_path(standardize(X), y, fractions=fractions, n_wanted=n_wanted)


def rank_by_logistic_path(
    features: Array, y: Array, *, fractions: Array, n_wanted: int | None
) -> Ranking:
    """Features by when they enter L1 logistic regression.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    y : array of shape (n_samples,)
        Classes.
    fractions : array
        Falling weights of the penalty; at 1 all coefficients are zero.
    n_wanted : int or None
        The path stops when so many have entered.

    Returns
    -------
    ranking : Ranking
        By default as many as are nonzero at the end.
    """
    n_features = features.shape[1]
    classes, codes = np.unique(y, return_inverse=True)
    indicators = np.eye(len(classes))[codes]
    entry, sizes = np.full(n_features, np.inf), np.zeros(n_features)
    model = _Model(
        np.zeros((n_features, len(classes))), np.log(indicators.mean(axis=0)), features, indicators
    )
    largest = float(np.abs(model.gradient()).max())
    # Below this the features are unrelated to the classes up to rounding.
    if largest > 1e-12:
        for point, (before, penalty) in enumerate(
            zip(largest * np.r_[1, fractions[:-1]], largest * fractions, strict=True)
        ):
            model.solve(penalty, before)
            size = np.abs(model.coefficients).sum(axis=1)
            enters = (size > 0) & np.isinf(entry)
            entry[enters], sizes[enters] = point, size[enters]
            if n_wanted is not None and np.isfinite(entry).sum() >= n_wanted:
                break
    stays = model.coefficients.any(axis=1)
    return rank_by_entry(entry, stays, n_wanted, sizes=sizes)


class _Model:
    """Multinomial logistic regression that starts each penalty from the last solution."""

    def __init__(
        self, coefficients: Array, intercept: Array, features: Array, indicators: Array
    ) -> None:
        self.coefficients = coefficients  # (n_features, n_classes)
        self.intercept = intercept  # (n_classes,)
        self.features = features
        self.indicators = indicators

    def gradient(self) -> Array:
        """Of the mean loss, by the coefficients."""
        used = np.flatnonzero(self.coefficients.any(axis=1))
        linear = self.features[:, used] @ self.coefficients[used] + self.intercept
        error = shares_of(linear) - self.indicators
        return self.features.T @ error / len(error)

    def solve(self, penalty: float, before: float) -> None:
        """Minimize the penalized loss, given the solution at the penalty before."""
        steepest = np.abs(self.gradient()).max(axis=1)
        is_kept = (steepest >= 2 * penalty - before) | self.coefficients.any(axis=1)
        while True:
            kept = np.flatnonzero(is_kept)
            self.coefficients[kept], self.intercept = minimize_on(
                self.features[:, kept],
                self.indicators,
                self.coefficients[kept],
                self.intercept,
                penalty=penalty,
            )
            # The strong rule is seldom wrong; features it wrongly discarded come back.
            violates = (np.abs(self.gradient()).max(axis=1) > 1.002 * penalty) & ~is_kept
            if not violates.any():
                return
            is_kept |= violates


def shares_of(linear: Array) -> Array:
    """Probability of each class in each sample (softmax over the last axis)."""
    # SciPy's softmax spends more time on its own checks than on numbers as few as these.
    shares = np.exp(linear - linear.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def minimize_on(
    features: Array,
    indicators: Array,
    coefficients: Array,
    intercept: Array,
    *,
    penalty: float,
    tol: float = 1e-3,
    max_iter: int = 5000,
) -> tuple[Array, Array]:
    """Coefficients and intercept of L1 logistic regression.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
    indicators : array of shape (n_samples, n_classes)
    coefficients : array of shape (n_features, n_classes)
        To start from.
    intercept : array of shape (n_classes,)
        To start from.
    penalty : float
        On the sum of absolute coefficients, beside the mean loss.
    tol : float, default=1e-3
        Steps stop when the conditions of the optimum hold up to this fraction of the penalty.
    max_iter : int, default=5000

    Returns
    -------
    coefficients : array of shape (n_features, n_classes)
    intercept : array of shape (n_classes,)

    Notes
    -----
    Accelerated proximal gradient with restarts (Beck and Teboulle 2009; O'Donoghue and Candes
    2015).
    """
    n_samples = len(features)
    design = np.column_stack([np.ones(n_samples), features])
    # The Hessian of softmax is at most 1/2.
    step = 2 * n_samples / float(np.linalg.eigvalsh(design @ design.T)[-1])
    thresholds = np.r_[0, np.full(features.shape[1], penalty * step)][:, None]
    solution = ahead = np.vstack([intercept, coefficients])
    momentum = 1.0
    for _ in range(max_iter):
        error = shares_of(design @ ahead) - indicators
        moved = ahead - step / n_samples * (design.T @ error)
        moved = np.sign(moved) * np.maximum(np.abs(moved) - thresholds, 0)
        largest_move = np.abs(ahead - moved).max()
        change = moved - solution
        if np.vdot(ahead - moved, change) > 0:
            momentum = 1.0
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / following * change
        momentum, solution = following, moved
        if largest_move <= tol * penalty * step:
            break
    return solution[1:], solution[0]
