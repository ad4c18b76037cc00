"""Lasso: features in the order in which they enter the path of solutions."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from perturbfs._support.compat import StrOptions
from perturbfs.arrays import Array
from perturbfs.checks import check_coding

from ._preparation import code_targets, rank_by_entry, standardize
from ._ranking import Ranking, RankingSelector


class LassoSelector(RankingSelector):
    """Select the features that enter the lasso path first.

    Classes are regressed on as numbers, as in the paper, or each against the rest. Features are
    standardized. The path runs from the empty model to the one with the smallest residual, so
    that it tells of at most about ``min(n_samples - 1, n_features)`` features for each target;
    asking for more is refused.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as have a nonzero coefficient at the end of the path. The paper's
        counts are of this kind: about as many as there are samples.
    target_coding : {"codes", "indicators"}, default="codes"
        What is fitted for classes: their numbers 0, 1, 2, ... in sorted order, or one indicator
        a class, where a feature enters when it does for any class. A quantity needs "codes".

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry. Features that never enter share the last place. Without
        `n_features_to_select`, features that leave the path again come after those that stay.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    The path takes O(s n_samples n_features) for s steps, a little more than
    ``min(n_samples, n_features)`` of them, and memory for s coefficients a feature.

    References
    ----------
    Tibshirani, R. (1996). Regression shrinkage and selection via the lasso. Journal of the Royal
    Statistical Society B 58(1), 267-288.

    Examples
    --------
    >>> from perturbfs.baselines import LassoSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = LassoSelector(5).fit(data.X, data.y)
    >>> bool(data.groups[selector.get_support(indices=True)].max() >= 0)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "target_coding": [StrOptions({"codes", "indicators"})],
    }

    def __init__(
        self, n_features_to_select: int | None = None, *, target_coding: str = "codes"
    ) -> None:
        super().__init__(n_features_to_select)
        self.target_coding = target_coding

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        check_coding(self.task_, self.target_coding)
        targets = code_targets(y, task=self.task_, target_coding=self.target_coding)
        return rank_by_lasso_path(standardize(X), targets, n_wanted=n_wanted)


def rank_by_lasso_path(features: Array, targets: Array, *, n_wanted: int | None) -> Ranking:
    """Features by when they enter the path of any target.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    targets : array of shape (n_samples, n_targets)
        Centered, of equal norm.
    n_wanted : int or None

    Returns
    -------
    ranking : Ranking
        By default as many as are nonzero at the end.
    """
    entry = np.full(features.shape[1], np.inf)
    stays = np.zeros(features.shape[1], dtype=bool)
    for target in targets.T:
        alphas, is_nonzero = _follow_path(features, target)
        enters = np.flatnonzero(is_nonzero.any(axis=1))
        # A feature takes part from the breakpoint before its first nonzero coefficient.
        begins = is_nonzero[enters].argmax(axis=1) - 1
        entry[enters] = np.minimum(entry[enters], -alphas[begins])
        stays |= is_nonzero[:, -1]
    return rank_by_entry(entry, stays, n_wanted)


def _follow_path(features: Array, target: Array) -> tuple[Array, Array]:
    """Weights of the penalty at the breakpoints, and which coefficients are nonzero there."""
    # Rounding ends the path where the residual vanishes, which is where it should end, and
    # repeated features are left out; scikit-learn warns of both.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", ConvergenceWarning)
        alphas, _, coefficients = lars_path(
            features, target, method="lasso", Gram="auto", max_iter=10 * min(features.shape)
        )
    # The path may go on with rounding errors when nothing is left to fit.
    n_points = 1 + int(np.sum(alphas > 1e-10 * alphas[0]))
    return alphas[:n_points], coefficients[:, :n_points] != 0
