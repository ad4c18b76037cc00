"""Selection by the F test, for each feature separately."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.stats import false_discovery_control
from sklearn.feature_selection import f_classif, f_regression

from perturbfs.arrays import Array

from ._preparation import refuse_lone_samples, standardize
from ._ranking import Ranking, RankingSelector, rank_by_score


class AnovaSelector(RankingSelector):
    """Select features by the F statistic of each feature.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all significant features, and at least one. The false discovery rate is
        controlled at `alpha` (Benjamini and Hochberg).
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
        Only if X had names.

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

    def __init__(
        self, n_features_to_select: float | Literal["auto"] | None = None, *, alpha: float = 0.05
    ) -> None:
        super().__init__(n_features_to_select)
        self.alpha = alpha

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = standardize(X)
        scores = np.full(X.shape[1], np.nan)
        self.pvalues_ = np.ones(X.shape[1])
        varies = features.any(axis=0)
        test = f_regression
        if self.task_ == "classification":
            refuse_lone_samples(y, method=type(self).__name__)
            test = f_classif
        if varies.any():
            # The statistic is infinite for a feature that separates classes without spread.
            with np.errstate(divide="ignore", invalid="ignore"):
                scores[varies], self.pvalues_[varies] = test(features[:, varies], y)
        # A statistic that rounding makes negative has no p-value.
        adjusted = false_discovery_control(np.nan_to_num(self.pvalues_, nan=1.0))
        return rank_by_score(scores, int(np.sum(adjusted <= self.alpha)))
