"""What all rivals share: they put features in an order and take the first ones."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from perturbfs._support.compat import Interval, fit_context
from perturbfs.arrays import Array, to_dense
from perturbfs.checks import check_fit_input, infer_task


@dataclass(frozen=True, slots=True)
class Ranking:
    """Features in the order a method prefers them."""

    order: Array  # best first; may stop where the method has nothing more to say
    n_default: int  # how many the method itself would take
    scores: Array | None = None  # (n_features,), larger is better, where the method has them


class RankingSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the rivals: a subclass ranks the features, this class selects.

    Subclasses implement ``_rank(X, y, n_wanted)`` and say with `_tasks` what outcomes they
    take. `X` is a dense float64 array, `y` has been checked.
    """

    _tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [None, Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_features_to_select: int | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=False)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any) -> Self:
        """Rank the features and take the first ones.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            Class labels or a quantity.

        Returns
        -------
        self : object
        """
        X, y = check_fit_input(self, X, y)
        self.task_ = infer_task(y)
        name, wanted = type(self).__name__, self.n_features_to_select
        if self.task_ not in self._tasks:
            kind = "a quantity" if self.task_ == "regression" else "classes"
            raise ValueError(f"y is {kind}, but {name} is for {self._tasks[0]} only.")
        if wanted is not None and wanted > X.shape[1]:
            raise ValueError(
                f"n_features_to_select={wanted}, but X has {X.shape[1]} features. "
                f"Ask for at most {X.shape[1]}."
            )
        ranking = self._rank(np.asarray(to_dense(X), dtype=np.float64), y, wanted)
        n_taken = max(1, ranking.n_default) if wanted is None else wanted
        if len(ranking.order) < n_taken:
            raise ValueError(
                f"n_features_to_select={wanted}, but {name} ranks only {len(ranking.order)} "
                "features of these data; the others do not enter its model. Ask for at most "
                f"{len(ranking.order)}."
            )
        self._keep(ranking, n_taken)
        return self

    def _keep(self, ranking: Ranking, n_taken: int) -> None:
        n_features = self.n_features_in_
        self.ranking_ = np.full(n_features, len(ranking.order) + 1)
        self.ranking_[ranking.order] = np.arange(1, len(ranking.order) + 1)
        self.support_ = np.zeros(n_features, dtype=bool)
        self.support_[ranking.order[:n_taken]] = True
        if ranking.scores is not None:
            self.scores_ = ranking.scores

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_


def ranking_by_score(scores: Array, n_default: int) -> Ranking:
    """Features by falling score, the first of equal ones first; NaN counts as the worst."""
    scores = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    return Ranking(order, n_default, scores)


def rank_by_importance(importances: Array, *, threshold: float = 0.0) -> Ranking:
    """Features with positive importance, the most important first.

    Parameters
    ----------
    importances : array of shape (n_features,)
        Not negative.
    threshold : float, default=0.0

    Returns
    -------
    ranking : Ranking
        By default as many as are above the threshold.
    """
    ranking = ranking_by_score(importances, int(np.sum(importances > threshold)))
    n_positive = max(1, int(np.sum(importances > 0)))
    return Ranking(ranking.order[:n_positive], ranking.n_default, ranking.scores)
