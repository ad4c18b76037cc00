"""A coreset for k-means: a few thousand weighted points that represent a million."""

from __future__ import annotations

import heapq

import numpy as np

from ._points import DistinctPoints, FloatArray, IntArray, distinct_points

# Above this number of distinct points the sweep clusters cells. Below, it takes seconds anyway.
MANY_POINTS = 50_000
FEWEST_CELLS = 16_384
# At least this many per cluster, so that its border is fine enough.
CELLS_PER_CLUSTER = 32


def compress(points: DistinctPoints, max_clusters: int) -> DistinctPoints:
    """Return the points themselves if they are few, else their coreset.

    Parameters
    ----------
    points : DistinctPoints
    max_clusters : int
        Largest number of clusters that will be formed.

    Returns
    -------
    points : DistinctPoints
    """
    n_cells = max(FEWEST_CELLS, CELLS_PER_CLUSTER * max_clusters)
    is_worth_it = len(points.values) > max(MANY_POINTS, 2 * n_cells)
    return coreset(points, n_cells) if is_worth_it else points


def coreset(points: DistinctPoints, n_cells: int) -> DistinctPoints:
    """Return means and weights of the cells of a kd-tree, which represent the points.

    Parameters
    ----------
    points : DistinctPoints
    n_cells : int
        Number of cells; fewer if there are fewer points.

    Returns
    -------
    cells : DistinctPoints
        Mean and weight of each cell, and the cell of each point.

    Notes
    -----
    The cell of largest inertia is cut at its mean, across the axis along which it varies most,
    until there are enough. For clusters made of whole cells, the inertia of the points is the
    inertia of the cells' means plus a constant, the inertia within the cells. So the best
    clusters of the cells are the best clusters of the points, except near borders that run
    through a cell. Nothing is random, and outliers get cells of their own.
    """
    first = _Cell(points.values, points.counts, np.arange(len(points.values)))
    # The position breaks ties; cells themselves cannot be compared.
    heap = [(-first.inertia, 0, first)]
    n_made = 1
    while len(heap) < n_cells and heap[0][0] < 0:
        _, _, worst = heapq.heappop(heap)
        for half in worst.halves():
            heapq.heappush(heap, (-half.inertia, n_made, half))
            n_made += 1

    cells = [cell for _, _, cell in heap]
    of_point = np.empty(len(points.values), dtype=np.intp)
    for position, cell in enumerate(cells):
        of_point[cell.rows] = position
    # In canonical order; rounding may make means equal.
    means = distinct_points(np.array([cell.mean for cell in cells]))
    weights = np.bincount(means.inverse, [cell.weight for cell in cells]).astype(np.float64)
    return DistinctPoints(means.values, weights, means.inverse[of_point][points.inverse])


class _Cell:
    """Some of the points, with the values that are needed to cut them in two."""

    __slots__ = ("_axis", "_counts", "_values", "inertia", "mean", "rows", "weight")

    def __init__(self, values: FloatArray, counts: FloatArray, rows: IntArray) -> None:
        self._values, self._counts, self.rows = values, counts, rows
        self.weight = float(counts.sum())
        apart = values - values[0]
        # Not by a matrix product, whose rounding depends on the number of threads.
        shift = np.einsum("n,ni->i", counts, apart) / self.weight
        self.mean: FloatArray = values[0] + shift
        apart -= shift
        scatter = np.einsum("n,ni,ni->i", counts, apart, apart)
        self._axis = int(scatter.argmax())
        # One point cannot be cut, even if rounding sees a distance.
        self.inertia = float(scatter.sum()) if len(rows) > 1 else 0.0

    def halves(self) -> tuple[_Cell, _Cell]:
        """Return the points below and above the mean on the main axis; neither half is empty."""
        along = self._values[:, self._axis]
        is_upper = along > self.mean[self._axis]
        if not is_upper.any() or is_upper.all():
            # The mean was rounded onto one of the ends.
            is_upper = along == along.max()
            is_upper[0] &= not is_upper.all()
        upper, lower = is_upper.nonzero()[0], (~is_upper).nonzero()[0]
        return self._part(lower), self._part(upper)

    def _part(self, some: IntArray) -> _Cell:
        return _Cell(self._values.take(some, axis=0), self._counts[some], self.rows[some])
