"""Selection by importance in a random forest."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, rank_by_importance


class RandomForestSelector(RankingSelector):
    """Select features by their importance in a random forest.

    Only features that some tree splits on are ranked, and asking for more raises an error. More
    trees rank more features.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default the features that are more important than the mean, which is the rule of
        scikit-learn's `SelectFromModel`.
    n_estimators : int, default=500
    random_state : int, RandomState instance or None, default=None
    n_jobs : int or None, default=None
        Number of trees fitted at the same time.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling importance. Features without importance share the last rank.
    scores_ : array of shape (n_features_in_,)
        Mean decrease of impurity, with sum 1. It favors features with many values.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    O(n_estimators sqrt(n_features) n_samples log(n_samples)^2) time for classes. For a quantity,
    one third of the features is tried at each split instead of the square root.

    References
    ----------
    Breiman, L. (2001). Random forests. Machine Learning 45, 5-32.

    Examples
    --------
    >>> from perturbfs.baselines import RandomForestSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=200, random_state=0)
    >>> selector = RandomForestSelector(5, n_estimators=50, random_state=0).fit(data.X, data.y)
    >>> bool((data.groups[selector.get_support(indices=True)] >= 0).all())
    True
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_estimators: int = 500,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_estimators = n_estimators
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        is_classes = self.task_ == "classification"
        Forest = RandomForestClassifier if is_classes else RandomForestRegressor
        forest = Forest(max_features="sqrt" if is_classes else 1 / 3, **self._method_params())
        # Trees use 32-bit numbers; standardized features lose no relevant digits.
        importances = forest.fit(standardize(X), y).feature_importances_
        return rank_by_importance(importances, threshold=float(importances.mean()))
