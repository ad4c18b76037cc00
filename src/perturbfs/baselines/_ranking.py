"""Base class of the rivals: a subclass ranks the features, the base class selects the first."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from perturbfs._support.compat import Interval, StrOptions, fit_context
from perturbfs.arrays import Array, is_blocks, to_dense
from perturbfs.checks import NUMBER, check_fit_input, infer_task, resolve_number

COUNT = [Interval(Integral, 1, None, closed="left")]
_AT_LEAST_TWO = [Interval(Integral, 2, None, closed="left")]
_POSITIVE = [Interval(Real, 0, None, closed="neither")]
_BETWEEN_0_AND_1 = [Interval(Real, 0, 1, closed="neither")]
_SHARE = [Interval(Real, 0, 1, closed="right")]

# The values that each parameter may take; a name means the same in every rival.
_CONSTRAINTS: dict[str, list[Any]] = {
    "n_features_to_select": NUMBER,
    "C": _POSITIVE,
    "alpha": _BETWEEN_0_AND_1,
    "basis": [StrOptions({"grid", "samples"})],
    "block_size": [None, *_AT_LEAST_TWO],
    "discrete_features": ["boolean"],
    "eps": _BETWEEN_0_AND_1,
    "gamma": _POSITIVE,
    "learning_rate": _POSITIVE,
    "max_depth": [None, *COUNT],
    "max_iter": COUNT,
    "n_basis": _AT_LEAST_TWO,
    "n_bins": [Interval(Integral, 2, 100, closed="both")],
    "n_entering": [None, *COUNT],
    "n_estimators": COUNT,
    "n_jobs": [None, Integral],
    "n_neighbors": COUNT,
    "n_one_by_one": COUNT,
    "n_pairs": COUNT,
    "n_penalties": _AT_LEAST_TWO,
    "n_permutations": COUNT,
    "random_state": ["random_state"],
    "relevance": [StrOptions({"f", "mi"})],
    "scheme": [StrOptions({"quotient", "difference"})],
    "share": _SHARE,
    "subsample": _SHARE,
    "target_coding": [StrOptions({"codes", "indicators"})],
    "threshold": _SHARE,
    "tol": [Interval(Real, 0, None, closed="left")],
}


@dataclass(frozen=True, slots=True)
class Ranking:
    """Features in the order in which a method prefers them."""

    order: Array  # best first; may leave out features that the method cannot rank
    n_default: int  # how many the method itself would select
    scores: Array | None = None  # (n_features,), larger is better; None if there are none


class RankingSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of the rivals: a subclass ranks the features, this class selects the first.

    A subclass implements ``_rank(X, y, n_wanted)``, where `X` is a dense float64 array and `y`
    has been checked. `_tasks` lists the kinds of outcome that it accepts. The constraints of its
    parameters are taken from one table by name; it only declares those that differ.
    """

    _tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Collect the constraints of the parameters of a subclass."""
        super().__init_subclass__(**kwargs)
        own = vars(cls).get("_parameter_constraints", {})
        names = signature(cls).parameters
        common = {name: _CONSTRAINTS[name] for name in names if name in _CONSTRAINTS}
        cls._parameter_constraints = common | own

    def __init__(self, n_features_to_select: float | Literal["auto"] | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None) -> Self:
        """Rank the features and select the first ones.

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
        name = type(self).__name__
        wanted = resolve_number(self.n_features_to_select, X.shape[1])
        if self.task_ not in self._tasks:
            kind = "a quantity" if self.task_ == "regression" else "classes"
            raise ValueError(f"y is {kind}, but {name} is for {self._tasks[0]} only.")
        if wanted is not None:
            self._check_number(wanted)
        ranking = self._rank(_dense(X, name), y, wanted)
        n_selected = max(1, ranking.n_default) if wanted is None else wanted
        if len(ranking.order) < n_selected:
            raise ValueError(
                f"n_features_to_select={wanted}, but {name} ranks only {len(ranking.order)} "
                "features of these data; the others do not enter its model. Ask for at most "
                f"{len(ranking.order)}."
            )
        self._select(ranking.order, n_selected)
        if ranking.scores is not None:
            self.scores_ = ranking.scores
        return self

    def _method_params(self) -> dict[str, Any]:
        """Return all parameters except the number of features."""
        params = self.get_params()
        del params["n_features_to_select"]
        return params  # type: ignore[no-any-return]

    def _check_number(self, wanted: int) -> None:
        if wanted > self.n_features_in_:
            raise ValueError(
                f"n_features_to_select={wanted}, but X has {self.n_features_in_} features. "
                f"Ask for at most {self.n_features_in_}."
            )

    def _select(self, order: Array, n_selected: int) -> None:
        self.ranking_ = np.full(self.n_features_in_, len(order) + 1)
        self.ranking_[order] = np.arange(1, len(order) + 1)
        self.support_ = self.ranking_ <= n_selected
        self.n_features_ = int(self.support_.sum())

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_


def _dense(X: Array, name: str) -> Array:
    """Return all features as a dense float64 array; those of a table on disk if they fit."""
    if not is_blocks(X):
        return np.asarray(to_dense(X), dtype=np.float64)
    n_bytes, memory = 8 * X.shape[0] * X.shape[1], getattr(X, "memory", np.inf)
    if n_bytes > memory:
        raise ValueError(
            f"{name} needs all features in memory, which take {n_bytes / 1e9:.1f} GB, but the "
            f"limit of this table is {memory / 1e9:.1f} GB. Use RobustSelector, which reads them "
            "in blocks, or open the table with more memory."
        )
    return X.take(np.arange(X.shape[1]))


def rank_by_score(scores: Array, n_default: int) -> Ranking:
    """Return features by falling score; ties keep their order, and NaN comes last."""
    scores = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    return Ranking(order, n_default, scores)


def rank_by_importance(importances: Array, *, threshold: float = 0.0) -> Ranking:
    """Return the features with positive importance, the most important first.

    Parameters
    ----------
    importances : array of shape (n_features,)
        Not negative.
    threshold : float, default=0.0

    Returns
    -------
    ranking : Ranking
        By default as many features as are above the threshold.
    """
    ranking = rank_by_score(importances, int(np.sum(importances > threshold)))
    n_positive = max(1, int(np.sum(importances > 0)))
    return Ranking(ranking.order[:n_positive], ranking.n_default, ranking.scores)


def rank_by_entry(
    entry: Array, stays: Array, n_wanted: int | None, *, sizes: Array | None = None
) -> Ranking:
    """Return features by when they enter a path; ties are ordered by falling size.

    Parameters
    ----------
    entry : array of shape (n_features,)
        Smaller is earlier. Infinity means that the feature never enters; it is not ranked.
    stays : array of bool of shape (n_features,)
        Whether the feature is in the last model of the path.
    n_wanted : int or None
        By default the features that stay come first, so that they are the ones selected.
    sizes : array of shape (n_features,), optional

    Returns
    -------
    ranking : Ranking
        By default as many features as stay.
    """
    order = np.lexsort((np.zeros_like(entry) if sizes is None else -sizes, entry))
    order = order[np.isfinite(entry[order])]
    if n_wanted is None:
        order = order[np.argsort(~stays[order], kind="stable")]
    if not len(order):
        # No feature is related to the outcome, for example because all are constant.
        order = np.arange(1)
    return Ranking(order, int(stays.sum()))
