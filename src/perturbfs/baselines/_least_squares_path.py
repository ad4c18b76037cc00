"""Base class of the rivals that regress the outcome and order features by when they enter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import check_coding

from ._preparation import code_targets, standardize
from ._ranking import Ranking, RankingSelector, rank_by_entry

# Takes features and one target. Returns for each feature when it enters the path (infinity if
# never), and whether it is in the last model.
Path = Callable[[Array, Array], tuple[Array, Array]]


class LeastSquaresPathSelector(RankingSelector):
    """Base class: a subclass follows the path of one target with ``_follow``."""

    _follow: Path

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        target_coding: Literal["codes", "indicators"] = "codes",
    ) -> None:
        super().__init__(n_features_to_select)
        self.target_coding = target_coding

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        check_coding(self.task_, self.target_coding)
        targets = code_targets(y, task=self.task_, target_coding=self.target_coding)
        return rank_by_paths(self._follow, standardize(X), targets, n_wanted=n_wanted)


def rank_by_paths(
    follow: Path, features: Array, targets: Array, *, n_wanted: int | None
) -> Ranking:
    """Return features by when they enter the path of any target.

    Parameters
    ----------
    follow : callable
    features : array of shape (n_samples, n_features)
        Standardized.
    targets : array of shape (n_samples, n_targets)
        Centered, of equal norm.
    n_wanted : int or None

    Returns
    -------
    ranking : Ranking
        By default as many features as are in the last model of any path.
    """
    entries, stays = zip(*(follow(features, target) for target in targets.T), strict=True)
    return rank_by_entry(np.min(entries, axis=0), np.any(stays, axis=0), n_wanted)
