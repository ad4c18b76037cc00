"""Mutual information: features that tell of the outcome in whatever way."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.utils import check_random_state

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._anova import refuse_lone_samples
from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, ranking_by_score


class MutualInformationSelector(RankingSelector):
    """Select features by their mutual information with the outcome, each on its own.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as score higher than every feature does with the outcome shuffled
        once, which doubles the time.
    n_neighbors : int, default=3
        For the estimate with continuous features; fewer where there are fewer samples.
    discrete_features : bool, default=False
        Whether features are levels to be counted, such as -2, 0 and 2, instead of continuous.
    random_state : int, RandomState instance or None, default=None
        For the minute noise that separates equal values, and for the shuffle.
    n_jobs : int or None, default=None
        Features scored at the same time.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling mutual information, constant features last.
    scores_ : array of shape (n_features_in_,)
        Mutual information in nats, not negative; NaN for a constant feature.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    O(n_features n_samples log(n_samples)) time, but with a search tree a feature: slow for a
    filter.

    References
    ----------
    Kraskov, A., Stoegbauer, H., Grassberger, P. (2004). Estimating mutual information. Physical
    Review E 69, 066138.

    Ross, B. C. (2014). Mutual information between discrete and continuous data sets. PLoS ONE
    9(2), e87357.

    Examples
    --------
    >>> from perturbfs.baselines import MutualInformationSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=100, n_informative=2, random_state=0)
    >>> selector = MutualInformationSelector(3, random_state=0).fit(data.X, data.y)
    >>> int(selector.support_.sum())
    3
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "discrete_features": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        n_neighbors: int = 3,
        discrete_features: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_neighbors = n_neighbors
        self.discrete_features = discrete_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        if self.task_ == "classification":
            refuse_lone_samples(y, method=type(self).__name__)
        random_state = check_random_state(self.random_state)
        features = standardize(X)
        varies = features.any(axis=0)
        levels = X if self.discrete_features else features
        scores = np.full(X.shape[1], np.nan)
        scores[varies] = self._measure(levels[:, varies], y, random_state)
        n_default = 0
        if n_wanted is None and varies.any():
            shuffled = self._measure(levels[:, varies], random_state.permutation(y), random_state)
            n_default = int(np.sum(scores[varies] > shuffled.max()))
        return ranking_by_score(scores, n_default)

    def _measure(self, features: Array, y: Array, random_state: Any) -> Array:
        if not features.shape[1]:
            return np.zeros(0)
        is_classes = self.task_ == "classification"
        measure = mutual_info_classif if is_classes else mutual_info_regression
        return measure(
            features,
            y,
            discrete_features=self.discrete_features,
            n_neighbors=min(self.n_neighbors, len(y) - 1),
            random_state=random_state,
            n_jobs=self.n_jobs,
        )
