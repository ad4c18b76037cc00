"""The path of the lasso with coefficients that are not negative, for one kernel per feature."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from perturbfs.arrays import Array

from ._ranking import Ranking

_PATH_END = 1e-9  # the correlation at which pyHSICLasso ends its path
_DEPENDENT = 1e-10  # squared distance of a unit kernel to the span of the chosen ones


def nonnegative_lars(
    relevance: Array, gram_column: Callable[[int], Array], *, n_wanted: int | None = None
) -> Ranking:
    """Return the features that are on the path of a nonnegative lasso when it stops.

    Parameters
    ----------
    relevance : array of shape (n_features,)
        Inner products of unit regressors and the target.
    gram_column : callable
        Inner products of one regressor with all; called once per feature that enters.
    n_wanted : int or None
        Stop where one more feature would enter. None follows the path to its end.

    Returns
    -------
    ranking : Ranking
        The features with a positive coefficient in the order of entry, and all coefficients, at
        the last point of the path with `n_wanted` features, or at its end if there is none.

    Notes
    -----
    Regressors that depend linearly on the active ones do not enter, so that repeated features
    are harmless; the first of them is taken.

    scikit-learn's ``lars_path(positive=True)`` gives the same order, but it needs all regressors
    or all their inner products in memory. Kernels are too many for that, and the low-rank
    factors of `LANDSelector` are never multiplied to kernels.
    """
    path = _Path(relevance, gram_column)
    last_of_size = None
    entering: int | None = int(np.argmax(relevance))
    # Every step adds or removes a feature; the bound guards against cycles caused by rounding.
    for _ in range(10 * len(relevance) + 10):
        if entering is not None and path.unexplained[entering] > _PATH_END:
            if n_wanted is not None and len(path.active) >= n_wanted:
                return path.ranking()
            path.enter(entering)
        if len(path.active) == n_wanted:
            last_of_size = path.ranking()
        if not path.active or path.unexplained[path.active[0]] <= _PATH_END:
            break
        entering = path.advance()
    return path.ranking() if last_of_size is None else last_of_size


class _Path:
    """State of `nonnegative_lars` while it follows the path."""

    def __init__(self, relevance: Array, gram_column: Callable[[int], Array]) -> None:
        self._relevance = relevance
        self._gram_column = cache(gram_column)
        self._dependent: list[int] = []
        self._coefficients = np.zeros(len(relevance))
        self.unexplained = relevance
        self.active: list[int] = []

    def ranking(self) -> Ranking:
        order = np.array(self.active, dtype=int)
        return Ranking(order, len(order), self._coefficients.copy())

    def enter(self, feature: int) -> None:
        column = self._gram_column(feature)
        share = self._solve(column[self.active]) if self.active else np.zeros(0)
        distance = column[feature] - column[self.active] @ share
        (self.active if distance > _DEPENDENT else self._dependent).append(feature)

    def advance(self) -> int | None:
        """Go to the next change of the active features; return the one that enters."""
        direction = self._solve(np.ones(len(self.active)))
        falls = direction @ np.array([self._gram_column(feature) for feature in self.active])
        level = self.unexplained[self.active].mean()
        to_entry = self._steps_to_entry(level, falls)
        entering = int(np.argmin(to_entry))
        shrinks = direction < 0
        to_drop = np.full(len(direction), np.inf)
        to_drop[shrinks] = -self._coefficients[self.active][shrinks] / direction[shrinks]
        length = min(level, to_entry[entering], to_drop.min())
        self._coefficients[self.active] += length * direction
        if to_drop.min() <= length:
            self._coefficients[self.active.pop(int(np.argmin(to_drop)))] = 0
            self._dependent.clear()
        explained = np.zeros(len(self._relevance))
        for feature in self.active:
            explained += self._coefficients[feature] * self._gram_column(feature)
        self.unexplained = self._relevance - explained
        return entering if to_entry[entering] <= length else None

    def _steps_to_entry(self, level: float, falls: Array) -> Array:
        gains = 1 - falls  # the correlation of an active feature falls by 1
        gains[self.active + self._dependent] = 0
        # A feature that does not gain, such as a copy of an active one, never catches up.
        catches_up = gains > _DEPENDENT
        behind = np.maximum(level - self.unexplained, 0)
        return np.where(catches_up, behind / np.where(catches_up, gains, 1), np.inf)

    def _solve(self, right: Array) -> Array:
        gram = np.array([self._gram_column(feature)[self.active] for feature in self.active])
        return np.linalg.solve(gram, right)
