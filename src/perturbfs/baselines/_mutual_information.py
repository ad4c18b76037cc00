"""Selection by mutual information with the outcome, for each feature separately."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.utils import check_random_state

from perturbfs.arrays import Array

from ._preparation import refuse_lone_samples, standardize
from ._ranking import Ranking, RankingSelector, rank_by_score


class MutualInformationSelector(RankingSelector):
    """Select features by their mutual information with the outcome.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a higher score than the highest score for a shuffled
        outcome. The shuffle doubles the time.
    n_neighbors : int, default=3
        Number of neighbors for the estimate with continuous features, or one less than the number
        of samples if that is smaller.
    discrete_features : bool, default=False
        Whether the values of features are levels, such as -2, 0 and 2, and not continuous.
    random_state : int, RandomState instance or None, default=None
        For the tiny noise that separates equal values, and for the shuffle.
    n_jobs : int or None, default=None
        Number of features scored at the same time.

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
        Only if X had names.

    Notes
    -----
    O(n_features n_samples log(n_samples)) time. This is slow for a filter, because it builds a
    search tree per feature.

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

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
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
        is_classes = self.task_ == "classification"
        if is_classes:
            refuse_lone_samples(y, method=type(self).__name__)
        random_state = check_random_state(self.random_state)
        measure = partial(
            mutual_info_classif if is_classes else mutual_info_regression,
            discrete_features=self.discrete_features,
            n_neighbors=min(self.n_neighbors, len(y) - 1),
            random_state=random_state,
            n_jobs=self.n_jobs,
        )
        features = standardize(X)
        varies = features.any(axis=0)
        scores, n_default = np.full(X.shape[1], np.nan), 0
        if varies.any():
            varying = (X if self.discrete_features else features)[:, varies]
            scores[varies] = measure(varying, y)
            if n_wanted is None:
                shuffled = measure(varying, random_state.permutation(y))
                n_default = int(np.sum(scores[varies] > shuffled.max()))
        return rank_by_score(scores, n_default)
