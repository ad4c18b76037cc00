"""F test: features whose means differ between classes, or that correlate with a quantity."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_selection import f_classif, f_regression

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, ranking_by_score


class AnovaSelector(RankingSelector):
    """Select features by the F statistic, each feature on its own.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as are significant when the rate of false discoveries is held at
        `alpha` (Benjamini and Hochberg), and at least one.
    alpha : float, default=0.05

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling F, constant features last.
    scores_ : array of shape (n_features_in_,)
        F statistics; NaN for a constant feature.
    pvalues_ : array of shape (n_features_in_,)
        Not corrected; 1 for a constant feature.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    O(n_samples n_features) time.

    References
    ----------
    Fisher, R. A. (1925). Statistical Methods for Research Workers. Oliver and Boyd.

    Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate. Journal of the Royal
    Statistical Society B 57(1), 289-300.

    Examples
    --------
    >>> from perturbfs.baselines import AnovaSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = AnovaSelector().fit(data.X, data.y)
    >>> bool((data.groups[selector.get_support(indices=True)] >= 0).mean() > 0.5)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(self, n_features_to_select: int | None = None, *, alpha: float = 0.05) -> None:
        super().__init__(n_features_to_select)
        self.alpha = alpha

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = standardize(X)
        scores = np.full(X.shape[1], np.nan)
        self.pvalues_ = np.ones(X.shape[1])
        varies = features.any(axis=0)
        if varies.any():
            test = self._test(y)
            # Classes that a feature separates without spread have an infinite statistic.
            with np.errstate(divide="ignore", invalid="ignore"):
                scores[varies], self.pvalues_[varies] = test(features[:, varies], y)
        return ranking_by_score(scores, count_discoveries(self.pvalues_, alpha=self.alpha))

    def _test(self, y: Array) -> Any:
        if self.task_ == "regression":
            return f_regression
        refuse_lone_samples(y, method=type(self).__name__)
        return f_classif


def refuse_lone_samples(y: Array, *, method: str) -> None:
    """Refuse classes of which none has two samples."""
    if len(np.unique(y)) == len(y):
        raise ValueError(
            f"y has {len(y)} classes for {len(y)} samples, but {method} needs a class with two "
            "samples at least. Check whether y holds identifiers instead of classes."
        )


def count_discoveries(pvalues: Array, *, alpha: float) -> int:
    """How many p-values are significant by the procedure of Benjamini and Hochberg."""
    bounds = alpha * np.arange(1, len(pvalues) + 1) / len(pvalues)
    is_below = np.sort(pvalues) <= bounds
    return int(np.flatnonzero(is_below)[-1] + 1) if is_below.any() else 0
