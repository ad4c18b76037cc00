"""Selection by importance in gradient boosted trees."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import COUNT, Ranking, RankingSelector, rank_by_importance


class GBMSelector(RankingSelector):
    """Select features by their importance in gradient boosted trees.

    Only features that some tree splits on are ranked, and asking for more raises an error. More
    trees or a smaller `subsample` rank more features. The trees are those of scikit-learn. The
    paper used the R package gbm and does not report its settings.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with positive importance, as in the paper.
    n_estimators : int, default=100
        Number of boosting rounds. Each fits one tree, or one per class with more than two classes.
    learning_rate : float, default=0.1
    max_depth : int, default=3
    subsample : float, default=0.5
        Share of the samples that each tree is fitted to; 0.5 is the default of gbm.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling importance. Features without importance share the last rank.
    scores_ : array of shape (n_features_in_,)
        Importances, which sum to 1.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    O(n_trees max_depth n_features n_samples log(n_samples)) time, and memory for
    a copy of X.

    References
    ----------
    Friedman, J. H. (2001). Greedy function approximation: a gradient boosting machine. Annals of
    Statistics 29(5), 1189-1232.

    Examples
    --------
    >>> from perturbfs.baselines import GBMSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=200, random_state=0)
    >>> selector = GBMSelector(5, n_estimators=20, random_state=0).fit(data.X, data.y)
    >>> int(selector.support_.sum())
    5
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"max_depth": COUNT}

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_depth: int = 3,
        subsample: float = 0.5,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.subsample = subsample
        self.random_state = random_state

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        is_classes = self.task_ == "classification"
        Boosting = GradientBoostingClassifier if is_classes else GradientBoostingRegressor
        model = Boosting(**self._method_params())
        # Trees use 32-bit numbers; standardized features lose no relevant digits.
        return rank_by_importance(model.fit(standardize(X), y).feature_importances_)
