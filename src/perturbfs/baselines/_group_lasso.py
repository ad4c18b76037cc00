"""Group lasso: features that enter for all classes at once."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import rank_by_entry, standardize
from ._ranking import Ranking, RankingSelector


class GroupLassoSelector(RankingSelector):
    """Select the features that enter the group lasso on class indicators first.

    Class indicators are regressed on all features, with a penalty on the norm of each feature's
    coefficients (multi-task lasso), so that a feature enters for all classes or for none. The
    weight of the penalty falls from where all coefficients are zero. Features are standardized,
    indicators are centered. Asking for more features than enter is refused; a smaller `eps` lets
    more enter.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as have nonzero coefficients at the end of the path.
    n_penalties : int, default=100
        Points of the path. Features that enter between two points are ordered by the norm of
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
    scikit-learn's coordinate descent on the features that the sequential strong rule keeps, until
    the conditions of the optimum hold for all. A point of the path costs
    O(n_samples n_features n_classes), and a sweep as much for the features kept.

    References
    ----------
    Yuan, M., Lin, Y. (2006). Model selection and estimation in regression with grouped variables.
    Journal of the Royal Statistical Society B 68(1), 49-67.

    Obozinski, G., Taskar, B., Jordan, M. I. (2010). Joint covariate selection and joint subspace
    selection for multiple classification problems. Statistics and Computing 20, 231-252.

    Examples
    --------
    >>> from perturbfs.baselines import GroupLassoSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_classes=3, random_state=0)
    >>> selector = GroupLassoSelector(5).fit(data.X, data.y)
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
        classes, codes = np.unique(y, return_inverse=True)
        indicators = np.eye(len(classes))[codes]
        fractions = np.geomspace(1, self.eps, self.n_penalties)
        return rank_by_group_path(
            standardize(X),
            indicators - indicators.mean(axis=0),
            fractions=fractions,
            n_wanted=n_wanted,
        )


def rank_by_group_path(
    features: Array, targets: Array, *, fractions: Array, n_wanted: int | None
) -> Ranking:
    """Features by when they enter the group lasso.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    targets : array of shape (n_samples, n_targets)
        Centered.
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
    features = np.asfortranarray(features)
    coefficients = np.zeros((n_features, targets.shape[1]))
    entry, sizes = np.full(n_features, np.inf), np.zeros(n_features)
    steepness = _steepness(features, targets, coefficients)
    largest = before = float(steepness.max())
    # Below this the features are unrelated to the targets up to rounding.
    if largest > 1e-12:
        for point, penalty in enumerate(largest * fractions):
            is_kept = (steepness >= 2 * penalty - before) | coefficients.any(axis=1)
            steepness = _solve(features, targets, coefficients, is_kept, penalty=penalty)
            before = penalty
            size = np.linalg.norm(coefficients, axis=1)
            enters = (size > 0) & np.isinf(entry)
            entry[enters], sizes[enters] = point, size[enters]
            if n_wanted is not None and np.isfinite(entry).sum() >= n_wanted:
                break
    return rank_by_entry(entry, coefficients.any(axis=1), n_wanted, sizes=sizes)


def _solve(
    features: Array, targets: Array, coefficients: Array, is_kept: Array, *, penalty: float
) -> Array:
    """Solve for one penalty in place; the steepness of the loss at the solution comes back."""
    while True:
        kept = np.flatnonzero(is_kept)
        # scikit-learn warns of a precision that the order of entry does not need.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            _, solution, _ = lasso_path(
                features[:, kept],
                targets,
                alphas=[penalty],
                coef_init=np.asfortranarray(coefficients[kept].T),
            )
        coefficients[kept] = solution[:, :, 0].T
        steepness = _steepness(features, targets, coefficients)
        # The strong rule is seldom wrong; features it wrongly discarded come back.
        violates = (steepness > 1.001 * penalty) & ~is_kept
        if not violates.any():
            return steepness
        is_kept = is_kept | violates


def _steepness(features: Array, targets: Array, coefficients: Array) -> Array:
    used = np.flatnonzero(coefficients.any(axis=1))
    residual = targets - features[:, used] @ coefficients[used]
    return np.linalg.norm(features.T @ residual, axis=1) / len(targets)
