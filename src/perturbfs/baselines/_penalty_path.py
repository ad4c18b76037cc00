"""Base class of the rivals that order features by when they enter a penalized model."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector, rank_by_entry


class PenalizedModel:
    """Base class of linear models that start each fit from their last coefficients.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    indicators : array of shape (n_samples, n_classes)
    """

    slack: float  # by what share the steepness at a solution may exceed the penalty

    def __init__(self, features: Array, indicators: Array) -> None:
        self.features = features
        self.indicators = indicators
        self.coefficients = np.zeros((features.shape[1], indicators.shape[1]))

    def predict(self) -> Array:
        """Return the features times their coefficients, of shape (n_samples, n_classes)."""
        used = np.flatnonzero(self.coefficients.any(axis=1))
        return self.features[:, used] @ self.coefficients[used]

    def steepness(self) -> Array:
        """Return how steep the loss is in each feature; the penalty bounds it at a solution."""
        raise NotImplementedError

    def sizes(self) -> Array:
        """Return the size of the coefficients of each feature."""
        raise NotImplementedError

    def minimize(self, kept: Array, penalty: float) -> None:
        """Fit the coefficients of some features in place."""
        raise NotImplementedError


class PenaltyPathSelector(RankingSelector):
    """Base class: a subclass names the penalized model of the classes."""

    _tasks = ("classification",)
    _model: ClassVar[type[PenalizedModel]]

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_penalties: int = 100,
        eps: float = 0.01,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_penalties = n_penalties
        self.eps = eps

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        model = self._model(standardize(X), outcome_columns(y, task="classification"))
        fractions = np.geomspace(1, self.eps, self.n_penalties)
        return rank_by_penalty_path(model, fractions=fractions, n_wanted=n_wanted)


def rank_by_penalty_path(
    model: PenalizedModel, *, fractions: Array, n_wanted: int | None
) -> Ranking:
    """Return features by when their coefficients leave zero as the penalty falls.

    Parameters
    ----------
    model : PenalizedModel
        With all coefficients zero.
    fractions : array
        Falling weights of the penalty; at 1 all coefficients are zero.
    n_wanted : int or None
        The path stops when so many features have entered.

    Returns
    -------
    ranking : Ranking
        By default as many features as have nonzero coefficients at the end.
    """
    n_features = len(model.coefficients)
    entry, sizes = np.full(n_features, np.inf), np.zeros(n_features)
    steepness = model.steepness()
    largest = before = float(steepness.max())
    # Below this the features are unrelated to the classes up to rounding.
    if largest > 1e-12:
        for point, penalty in enumerate(largest * fractions):
            is_kept = (steepness >= 2 * penalty - before) | model.coefficients.any(axis=1)
            steepness = _minimize_on_all(model, is_kept, penalty)
            before, size = penalty, model.sizes()
            enters = (size > 0) & np.isinf(entry)
            entry[enters], sizes[enters] = point, size[enters]
            if n_wanted is not None and np.isfinite(entry).sum() >= n_wanted:
                break
    return rank_by_entry(entry, model.coefficients.any(axis=1), n_wanted, sizes=sizes)


def _minimize_on_all(model: PenalizedModel, is_kept: Array, penalty: float) -> Array:
    """Fit the model for one penalty in place; return the steepness at the solution."""
    while True:
        model.minimize(np.flatnonzero(is_kept), penalty)
        steepness = model.steepness()
        # The strong rule rarely discards a feature wrongly; such features are added again.
        violates = (steepness > (1 + model.slack) * penalty) & ~is_kept
        if not violates.any():
            return steepness
        is_kept = is_kept | violates
