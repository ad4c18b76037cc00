"""Least angle regression: features in the order in which they join."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.linalg import solve_triangular

from perturbfs._support.compat import StrOptions
from perturbfs.arrays import Array
from perturbfs.checks import check_coding

from ._preparation import code_targets, rank_by_entry, standardize
from ._ranking import Ranking, RankingSelector


class LARSSelector(RankingSelector):
    """Select the features that join least angle regression first.

    As `LassoSelector`, but a feature that has joined never leaves. At most
    ``min(n_samples - 1, n_features)`` features join for each target, because features are
    centered; asking for more is refused.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default all that join: ``n_samples - 1`` on wide data without repeated features, as in
        the paper.
    target_coding : {"codes", "indicators"}, default="codes"
        What is fitted for classes: their numbers 0, 1, 2, ... in sorted order as in the paper, or
        one indicator a class, where a feature joins when it does for any class. A quantity needs
        "codes".

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of joining. Features that never join share the last place.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    O(s n_samples n_features) for the s features that join, and memory for s coefficients a
    feature.

    References
    ----------
    Efron, B., Hastie, T., Johnstone, I., Tibshirani, R. (2004). Least angle regression. Annals of
    Statistics 32(2), 407-499.

    Examples
    --------
    >>> from perturbfs.baselines import LARSSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> int(LARSSelector().fit(data.X, data.y).support_.sum())
    79
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
        features = standardize(X)
        entry = np.full(X.shape[1], np.inf)
        for target in targets.T:
            joined, correlations = join_by_least_angle(features, target)
            entry[joined] = np.minimum(entry[joined], -correlations)
        return rank_by_entry(entry, np.isfinite(entry), n_wanted)


def join_by_least_angle(features: Array, target: Array) -> tuple[Array, Array]:
    """Features in the order in which they join least angle regression.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    target : array of shape (n_samples,)
        Centered.

    Returns
    -------
    joined : array of int
        A feature that depends linearly on those before it does not join.
    correlations : array of float
        Correlation with the residual when the feature joins, up to a common factor; strictly
        falling.

    Notes
    -----
    Section 2 of the article, with a QR decomposition of the features that have joined. Ours,
    because scikit-learn's `lars_path` loses its way where features repeat each other.
    """
    n_most = min(len(target) - 1, features.shape[1])
    basis, triangle = np.zeros((len(target), n_most)), np.zeros((n_most, n_most))
    correlation = features.T @ target
    largest = first = float(np.abs(correlation).max())
    is_open = features.any(axis=0)
    joined: list[int] = []
    levels: list[float] = []
    while len(joined) < n_most and largest > 1e-10 * first and is_open.any():
        candidate = int(np.argmax(np.where(is_open, np.abs(correlation), -1)))
        is_open[candidate] = False
        signed = features[:, candidate] * np.sign(correlation[candidate])
        if not _extend(basis, triangle, len(joined), signed):
            continue
        joined.append(candidate)
        # Equal correlations keep the order of joining.
        levels.append(min(largest, np.nextafter(levels[-1], 0)) if levels else largest)
        n_joined = len(joined)
        inner = solve_triangular(triangle[:n_joined, :n_joined], np.ones(n_joined), trans="T")
        pull = features.T @ (basis[:, :n_joined] @ inner)
        step = _step_to_next(correlation[is_open], pull[is_open], largest)
        correlation -= step * pull
        largest -= step
    return np.array(joined, dtype=int), np.array(levels)


def _extend(basis: Array, triangle: Array, n_joined: int, feature: Array) -> bool:
    """Add a feature to the QR decomposition in place, unless it depends on those in it."""
    known = basis[:, :n_joined]
    inside = known.T @ feature
    outside = feature - known @ inside
    # Once more, because one projection leaves rounding errors along the basis.
    correction = known.T @ outside
    outside -= known @ correction
    length = float(np.linalg.norm(outside))
    if length <= 1e-8 * float(np.linalg.norm(feature)):
        return False
    basis[:, n_joined] = outside / length
    triangle[:n_joined, n_joined] = inside + correction
    triangle[n_joined, n_joined] = length
    return True


def _step_to_next(correlation: Array, pull: Array, largest: float) -> float:
    """How far to go until another feature correlates as much as those that have joined.

    The direction is scaled to pull at the joined features by 1, so that their correlation falls
    by the length of the step.
    """
    ahead = np.concatenate([largest - correlation, largest + correlation])
    speed = np.concatenate([1 - pull, 1 + pull])
    meets = speed > 1e-12
    steps = np.maximum(ahead[meets], 0) / speed[meets]
    return float(min(largest, steps.min(initial=largest)))
