"""Rank features by their importance in a forest that grows as far as it can matter."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array, as_blocks
from perturbfs.scoring import GrowingForest, Samples, take_for_trees

from ._open import OpenFeatures
from ._prepare import prepare_features
from ._problem import PathSettings


class ForestRanker:
    """Rank features by the trees grown so far, then in the order of the path.

    Parameters
    ----------
    samples : Samples
    table : array or csc matrix of shape (n_samples, n_features)
        The features, as `table_for_trees` returns them.
    rows : array of int
        Samples to train on.
    settings : PathSettings
    path : array of int
        Features of the path on these samples.
    seen : array of int or None
        Features that the trees may see; None for all.
    """

    def __init__(
        self,
        samples: Samples,
        table: Array,
        rows: Array,
        settings: PathSettings,
        path: Array,
        seen: Array | None = None,
    ) -> None:
        rows = samples.used(rows)
        self._X, self._table, self._weights = samples.X, table, samples.shares(rows)
        self._rows, self._settings, self._path = rows, settings, path
        self._seen = seen
        n_seen = table.shape[1] if seen is None else len(seen)
        self._forest = GrowingForest(
            n_seen, samples.y[rows], self._weights * len(rows), task=settings.task
        )

    def rank(self, n_trees: int, n_wanted: int) -> Array:
        """Return the best features after so many trees; none repeats an earlier one."""
        if self._forest.n_trees < n_trees:
            # Taken again each time, since tables of all splits would take several times the data.
            taken = take_for_trees(self._table, self._rows, self._seen)
            self._forest.grow(taken, n_trees)
        importance = self._forest.importance()
        used = np.argsort(-importance, kind="stable")[: int(np.sum(importance > 0))]
        if self._seen is not None:
            used = self._seen[used]
        order = np.concatenate([used, self._path[~np.isin(self._path, used)]])
        # As a rule few repeat others, so that some of the features are enough.
        kept = self._thin_out(order[: 4 * n_wanted], n_wanted, n_least=0)
        if len(kept) < n_wanted:
            kept = self._thin_out(order, n_wanted, n_least=self._settings.n_least)
        return kept

    def _thin_out(self, order: Array, n_wanted: int, *, n_least: int) -> Array:
        """Return the first features of an order that do not repeat earlier ones."""
        columns = as_blocks(self._X[:, order][self._rows])
        rows = prepare_features(columns, self._weights, width=self._settings.width)
        left = OpenFeatures(rows.any(axis=1), self._settings.max_correlation, n_least)
        kept: list[int] = []
        while len(kept) < n_wanted and left.any():
            first = int(np.argmax(left.mask))
            kept.append(first)
            left.take(first, rows @ rows[first])
        return order[kept]
