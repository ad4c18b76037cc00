"""The path of the lasso with coefficients that are not negative, one kernel at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array

_PATH_END = 1e-9  # the correlation at which pyHSICLasso ends its path
_DEPENDENT = 1e-10  # squared distance of a unit kernel to the span of the chosen ones


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where a nonnegative lasso stands on its path."""

    active: Array  # features with a positive coefficient, in order of entry
    coefficients: Array  # (n_features,)


def nonnegative_lars(
    relevance: Array, gram_column: Callable[[int], Array], *, n_wanted: int | None = None
) -> PathPoint:
    """Follow the path of a nonnegative lasso until enough features are on it.

    Parameters
    ----------
    relevance : array of shape (n_features,)
        Inner products of unit regressors and the target.
    gram_column : callable
        Inner products of one regressor with all; asked once for every feature that enters.
    n_wanted : int or None
        Stop where one feature more would enter. None follows the path to its end.

    Returns
    -------
    point : PathPoint
        The last point of the path with `n_wanted` features, or its end where there is none.

    Notes
    -----
    Regressors that depend linearly on the active ones do not enter, so that repeated features
    are harmless; the first of them is taken.
    """
    path = _Path(relevance, gram_column)
    seen = None
    entering: int | None = path.most_correlated()
    # Every step adds or removes a feature; the bound only guards against rounding in a circle.
    for _ in range(10 * len(relevance) + 10):
        if entering is not None and path.level(entering) > _PATH_END:
            if n_wanted is not None and len(path.active) >= n_wanted:
                return path.point()
            path.enter(entering)
        if len(path.active) == n_wanted:
            seen = path.point()
        if not path.active or path.level(path.active[0]) <= _PATH_END:
            break
        entering = path.advance()
    is_short = n_wanted is not None and len(path.active) != n_wanted
    return seen if is_short and seen is not None else path.point()


class _Path:
    """The moving parts of `nonnegative_lars`."""

    def __init__(self, relevance: Array, gram_column: Callable[[int], Array]) -> None:
        self._relevance = relevance
        self._gram_column = gram_column
        self._columns: dict[int, Array] = {}
        self._dependent: list[int] = []
        self._unexplained = relevance.copy()
        self.active: list[int] = []
        self.coefficients = np.zeros(len(relevance))

    def point(self) -> PathPoint:
        return PathPoint(np.array(self.active, dtype=int), self.coefficients.copy())

    def level(self, feature: int) -> float:
        return float(self._unexplained[feature])

    def most_correlated(self) -> int:
        return int(np.argmax(self._unexplained))

    def enter(self, feature: int) -> None:
        if feature not in self._columns:
            self._columns[feature] = self._gram_column(feature)
        column = self._columns[feature]
        share = self._solve(column[self.active]) if self.active else np.zeros(0)
        distance = column[feature] - column[self.active] @ share
        (self.active if distance > _DEPENDENT else self._dependent).append(feature)

    def advance(self) -> int | None:
        """Walk to the next change of the active features; return the one that enters."""
        direction = self._solve(np.ones(len(self.active)))
        falls = direction @ np.array([self._columns[feature] for feature in self.active])
        level = self._unexplained[self.active].mean()
        to_entry = self._steps_to_entry(level, falls)
        entering = int(np.argmin(to_entry))
        shrinks = direction < 0
        to_drop = np.full(len(direction), np.inf)
        to_drop[shrinks] = -self.coefficients[self.active][shrinks] / direction[shrinks]
        length = min(level, to_entry[entering], to_drop.min())
        self.coefficients[self.active] += length * direction
        if to_drop.min() <= length:
            self._drop(int(np.argmin(to_drop)))
        self._update()
        return entering if to_entry[entering] <= length else None

    def _steps_to_entry(self, level: float, falls: Array) -> Array:
        gains = 1 - falls  # the active ones fall by 1
        gains[self.active + self._dependent] = 0
        # What does not gain, such as a copy of an active feature, never catches up.
        catches_up = gains > _DEPENDENT
        behind = np.maximum(level - self._unexplained, 0)
        return np.where(catches_up, behind / np.where(catches_up, gains, 1), np.inf)

    def _drop(self, place: int) -> None:
        self.coefficients[self.active.pop(place)] = 0
        self._dependent.clear()

    def _update(self) -> None:
        explained = np.zeros(len(self._relevance))
        for feature in self.active:
            explained += self.coefficients[feature] * self._columns[feature]
        self._unexplained = self._relevance - explained

    def _solve(self, right: Array) -> Array:
        gram = np.array([self._columns[feature][self.active] for feature in self.active])
        return np.linalg.solve(gram, right)
