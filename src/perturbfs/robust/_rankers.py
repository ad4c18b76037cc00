"""Rank features by the robust path, or by a forest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array, as_blocks
from perturbfs.scoring import forest_importance

from ._open import OpenFeatures
from ._path import follow_path, rotate_targets
from ._prepare import prepare_features, unit_targets


@dataclass(frozen=True, slots=True)
class PathRanker:
    """Rank features in the order of the robust path, within the limits of `OpenFeatures`."""

    task: str
    noise: float
    width: float
    n_wanted: int
    max_correlation: float = 1.0
    n_least: int = 0

    def __call__(self, _: Array, y: Array, weights: Array, prepared: Array) -> Array:
        """Return the features, best first; only the forest needs X besides `prepared`."""
        targets = self.targets(y, weights)
        return follow_path(
            prepared,
            targets,
            self.n_wanted,
            noise=self.noise,
            max_correlation=self.max_correlation,
            n_least=self.n_least,
            xp=np,
        ).features

    def thin_out(self, prepared: Array, order: Array) -> Array:
        """Return the first features of an order that do not repeat earlier ones."""
        left = OpenFeatures(prepared[order], self.max_correlation, self.n_least, xp=np)
        kept: list[int] = []
        while len(kept) < self.n_wanted and left.any():
            first = int(np.argmax(left.mask()))
            kept.append(first)
            left.take(first)
        return order[kept]

    def prepare(self, X: Array, weights: Array) -> Array:
        """Return the prepared features; they do not depend on the noise."""
        return prepare_features(as_blocks(X), weights, width=self.width)

    def targets(self, y: Array, weights: Array) -> Array:
        """Return the columns that least squares fits."""
        return unit_targets(y, weights, task=self.task)


@dataclass(frozen=True, slots=True)
class ForestRanker:
    """Rank features by their importance in a forest, then in the order of the robust path.

    If `n_seen` is a number, the trees see only that many features: those at the smallest angle to
    the outcome.
    """

    linear: PathRanker
    n_seen: int | None = None

    @property
    def noise(self) -> float:
        """The noise of the path."""
        return self.linear.noise

    def __call__(self, X: Array, y: Array, weights: Array, prepared: Array) -> Array:
        """Return the features, best first; none repeats an earlier one."""
        seen = self._seen(prepared, y, weights)
        table = X if len(seen) == X.shape[1] else X[:, seen]
        importance = forest_importance(table, y, weights * len(y), task=self.linear.task)
        used = seen[np.argsort(-importance, kind="stable")[: int(np.sum(importance > 0))]]
        rest = self.linear(X, y, weights, prepared)
        order = np.concatenate([used, rest[~np.isin(rest, used)]])
        return self.linear.thin_out(prepared, order)

    def _seen(self, prepared: Array, y: Array, weights: Array) -> Array:
        if self.n_seen is None or self.n_seen >= len(prepared):
            return np.arange(len(prepared))
        targets = rotate_targets(self.linear.targets(y, weights), xp=np)
        lengths = np.linalg.vector_norm(prepared @ targets, axis=1)
        return np.sort(np.argsort(-lengths, kind="stable")[: self.n_seen])
