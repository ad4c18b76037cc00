"""Ward's hierarchy, in memory proportional to the number of points."""

from __future__ import annotations

import numpy as np

from ._points import FloatArray, IntArray


class _ActiveClusters:
    """The clusters that are not merged yet, at the front of arrays.

    A cluster has an id, as in a linkage matrix, and a slot, its position in the arrays.
    """

    def __init__(self, points: FloatArray) -> None:
        n_points = len(points)
        self.count = n_points
        self.ids = np.arange(n_points)
        self.slots = np.arange(2 * n_points - 1)
        # One row per dimension, so that a search runs along contiguous memory.
        self.centroids = points.T.copy()
        self.sizes = np.ones(n_points)
        self._apart = np.empty_like(self.centroids)

    def nearest(self, cluster: int, preferred: int | None) -> tuple[int, float]:
        """Return the cluster that is cheapest to merge with, and half the squared height.

        Of equally near clusters the preferred one is taken. Otherwise a chain could go round in
        a circle on ties.
        """
        slot = self.slots[cluster]
        apart = self._apart[:, : self.count]
        np.subtract(self.centroids[:, : self.count], self.centroids[:, slot, None], out=apart)
        costs = np.einsum("ij,ij->j", apart, apart)
        sizes = self.sizes[: self.count]
        costs *= sizes * sizes[slot] / (sizes + sizes[slot])
        costs[slot] = np.inf
        best = int(np.argmin(costs))
        if preferred is not None and costs[self.slots[preferred]] <= costs[best]:
            best = int(self.slots[preferred])
        return int(self.ids[best]), float(costs[best])

    def merge(self, first: int, second: int, merged: int) -> float:
        """Replace two clusters by their union under a new id; return its size."""
        keep, drop = self.slots[first], self.slots[second]
        size = self.sizes[keep] + self.sizes[drop]
        # Added as a step, so that equal centroids stay equal to the last bit.
        step = self.centroids[:, drop] - self.centroids[:, keep]
        self.centroids[:, keep] += step * (self.sizes[drop] / size)
        self.sizes[keep] = size
        self.ids[keep] = merged
        self.slots[merged] = keep

        last = self.count - 1
        self.centroids[:, drop] = self.centroids[:, last]
        self.sizes[drop] = self.sizes[last]
        self.ids[drop] = self.ids[last]
        self.slots[self.ids[last]] = drop
        self.count = last
        return float(size)


def ward_tree(points: FloatArray) -> FloatArray:
    """Return Ward's hierarchy of points as a linkage matrix of SciPy's form.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        Finite, at least one point.

    Returns
    -------
    Z : array of shape (n_points - 1, 4)
        Merged clusters, height and size of each merger, by increasing height, as from
        `scipy.cluster.hierarchy.ward`. All functions of `scipy.cluster.hierarchy` accept it.

    Notes
    -----
    This is the nearest-neighbor chain (Murtagh, 1983) on centroids c and sizes s, where a
    merger has the height ``sqrt(2 s_a s_b / (s_a + s_b)) |c_a - c_b|``. Time is quadratic in the
    number of points, memory is linear; SciPy holds all distances, so its memory is quadratic.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import cut_tree_at, ward_tree
    >>> Z = ward_tree(np.array([[0.0], [1.0], [10.0]]))
    >>> Z.round(2)
    array([[ 0.  ,  1.  ,  1.  ,  2.  ],
           [ 2.  ,  3.  , 10.97,  3.  ]])
    >>> cut_tree_at(Z, 2)
    array([0, 0, 1])
    """
    points = np.asarray(points, dtype=np.float64)
    n_points = len(points)
    active = _ActiveClusters(points)
    mergers = np.empty((n_points - 1, 4))
    heights = np.zeros(2 * n_points - 1)
    chain: list[int] = []
    for merged in range(n_points, 2 * n_points - 1):
        first, second, cost = _follow_chain(active, chain)
        # Rounding can make a merger lower, by the last bit, than the mergers it is made of.
        height = max(np.sqrt(2 * cost), heights[first], heights[second])
        heights[merged] = height
        size = active.merge(first, second, merged)
        mergers[merged - n_points] = first, second, height, size
    return _sorted_by_height(mergers)


def _follow_chain(active: _ActiveClusters, chain: list[int]) -> tuple[int, int, float]:
    """Follow the chain of nearest clusters to a mutually nearest pair; return it and its cost."""
    if not chain:
        chain.append(int(active.ids[0]))
    while True:
        previous = chain[-2] if len(chain) > 1 else None
        nearest, cost = active.nearest(chain[-1], previous)
        if nearest == previous:
            return chain.pop(), chain.pop(), cost
        chain.append(nearest)


def _sorted_by_height(mergers: FloatArray) -> FloatArray:
    """Return the mergers by increasing height, with ids numbered in that order."""
    n_points = len(mergers) + 1
    # Stable: of mergers of equal height, the parts must stay before the whole.
    order = np.argsort(mergers[:, 2], kind="stable")
    new_ids = np.arange(2 * n_points - 1, dtype=np.float64)
    new_ids[n_points + order] = np.arange(n_points, 2 * n_points - 1)
    tree = mergers[order]
    tree[:, :2] = np.sort(new_ids[tree[:, :2].astype(np.intp)], axis=1)
    return tree


def cut_tree_at(Z: FloatArray, n_clusters: int) -> IntArray:
    """Return the labels of the points for a hierarchy cut into a number of clusters.

    Parameters
    ----------
    Z : array of shape (n_points - 1, 4)
        Linkage matrix, sorted by height.
    n_clusters : int
        Between 1 and the number of points.

    Returns
    -------
    labels : array of shape (n_points,)
        Numbered from 0 in order of first appearance.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import cut_tree_at, ward_tree
    >>> Z = ward_tree(np.array([[5.0], [0.0], [5.5], [0.1]]))
    >>> cut_tree_at(Z, 2)
    array([0, 1, 0, 1])
    """
    n_points = len(Z) + 1
    if not 1 <= n_clusters <= n_points:
        raise ValueError(
            f"n_clusters={n_clusters} is not between 1 and the number of points, which is "
            f"{n_points}. Ask for a number in that range."
        )
    n_mergers = n_points - n_clusters
    ancestors = np.arange(n_points + n_mergers)
    ancestors[Z[:n_mergers, :2].astype(np.intp)] = np.arange(n_points, len(ancestors))[:, None]
    # Each pass doubles the number of generations between an entry and its ancestor.
    while not np.array_equal(further := ancestors[ancestors], ancestors):
        ancestors = further
    _, first_seen, labels = np.unique(ancestors[:n_points], return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first_seen))[labels]
