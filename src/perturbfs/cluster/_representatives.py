"""One point for each cluster of a partition."""

from __future__ import annotations

import numpy as np

from ._kmeans_state import Clusters, split_worst
from ._partition import Partition
from ._points import DistinctPoints, FloatArray, IntArray, distinct_points, row_blocks

# Distances that differ by less than this, relative to the largest coordinate, are the same:
# points are known to about ten digits.
_SAME_DISTANCE = 1e-9


def nearest_to_centers(points: FloatArray, partition: Partition) -> IntArray:
    """Return, for every cluster, the index of the point nearest to its center.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        The points that were clustered.
    partition : Partition
        Clusters of the points. Points labelled -1 are never returned.

    Returns
    -------
    indices : array of shape (n_nonempty,)
        In order of label, without empty clusters. Of points equally near, up to rounding, the
        first in lexicographic order: both points of a pair are equally near to its mean, and
        the result must not depend on their order.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import Partition, nearest_to_centers
    >>> points = np.array([[0.0], [2.0], [3.0], [9.0]])
    >>> labels = np.array([0, 0, 0, 2])
    >>> centers = np.array([[1.7], [5.0], [9.0]])
    >>> nearest_to_centers(points, Partition(3, labels, centers))
    array([1, 3])
    """
    rows = np.flatnonzero(partition.labels >= 0)
    labels = partition.labels[rows]
    apart = np.empty(len(rows))
    for block in row_blocks(len(rows), points.shape[1]):
        differences = points[rows[block]] - partition.centers[labels[block]]
        apart[block] = np.sqrt((differences**2).sum(axis=1))
    nearest = np.full(partition.n_clusters, np.inf)
    np.minimum.at(nearest, labels, apart)
    largest = max(points.max(initial=0.0), -points.min(initial=0.0))
    is_near = apart <= nearest[labels] + _SAME_DISTANCE * largest
    near = rows[is_near]
    first: IntArray = near[_first_by_label(labels[is_near], *points[near].T[::-1])]
    return first


def most_relevant(relevance: FloatArray, points: FloatArray, partition: Partition) -> IntArray:
    """Return, for every cluster, the index of the point of largest relevance.

    Parameters
    ----------
    relevance : array of shape (n_points,)
        The larger, the better. NaN is worse than any number.
    points : array of shape (n_points, n_dims)
        The points that were clustered.
    partition : Partition
        Clusters of the points. Points labelled -1 are never returned.

    Returns
    -------
    indices : array of shape (n_nonempty,)
        In order of label, without empty clusters. Of equally relevant points the first in
        lexicographic order.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import Partition, most_relevant
    >>> partition = Partition(2, np.array([0, 1, 1]), np.array([[0.0], [4.5]]))
    >>> most_relevant(np.array([0.1, 0.2, 0.7]), np.array([[0.0], [4.0], [5.0]]), partition)
    array([0, 2])
    """
    rows = np.flatnonzero(partition.labels >= 0)
    keys = (*points[rows].T[::-1], -relevance[rows])
    return rows[_first_by_label(partition.labels[rows], *keys)]


def _first_by_label(labels: IntArray, *keys: FloatArray) -> IntArray:
    """Return the position of the smallest key of each label; the last key is the primary one."""
    order = np.lexsort((*keys, labels))
    _, first = np.unique(labels[order], return_index=True)
    return order[first]


def split_to_exactly(points: FloatArray, partition: Partition, n_clusters: int) -> Partition:
    """Return a partition with exactly `n_clusters` non-empty clusters.

    Empty clusters are dropped and the others renumbered in the same order. Then the cluster of
    largest inertia is split on its main axis until there are enough. Points labelled -1 keep
    this label.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        The points that were clustered.
    partition : Partition
        With at most `n_clusters` non-empty clusters.
    n_clusters : int
        At most the number of distinct points in clusters.

    Returns
    -------
    partition : Partition
        Clusters that were not split keep their center; the center of the others is their mean.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import Partition, split_to_exactly
    >>> points = np.array([[0.0], [1.0], [7.0], [20.0]])
    >>> partition = Partition(3, np.array([0, 0, 0, 2]), np.array([[2.7], [5.0], [20.0]]))
    >>> split_to_exactly(points, partition, 3).labels
    array([0, 0, 2, 1])
    """
    points = np.asarray(points, dtype=np.float64)
    rows = np.flatnonzero(partition.labels >= 0)
    used, labels = _renumbered(partition.labels[rows])
    if len(used) == n_clusters:
        new_labels = partition.labels.copy()
        new_labels[rows] = labels
        return Partition(n_clusters, new_labels, partition.centers[used])
    _check_can_split(points[rows], len(used), n_clusters)

    # With the label as first coordinate, equal points of two clusters stay apart.
    labelled = distinct_points(np.column_stack([labels, points[rows]]))
    own = labelled.values[:, 0].astype(np.intp)
    distinct = DistinctPoints(labelled.values[:, 1:], labelled.counts, labelled.inverse)
    centers = partition.centers[used]
    apart = ((distinct.values - centers[own]) ** 2).sum(axis=1)
    clusters = Clusters(distinct, own, centers, apart, np.zeros(len(used), dtype=bool))
    for label in range(len(used), n_clusters):
        split_worst(clusters, label)

    new_labels = partition.labels.copy()
    new_labels[rows] = clusters.labels[distinct.inverse]
    return Partition(n_clusters, new_labels, clusters.centers)


def _renumbered(labels: IntArray) -> tuple[IntArray, IntArray]:
    """Return the labels that occur, and the position of each label among these."""
    # Not by `numpy.unique`, which sorts: of a million points, nearly all share few labels.
    occurs = np.bincount(labels) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[labels]


def _check_can_split(points: FloatArray, n_nonempty: int, n_clusters: int) -> None:
    if n_clusters < n_nonempty:
        raise ValueError(
            f"n_clusters={n_clusters} is below the number of non-empty clusters, which is "
            f"{n_nonempty}. Ask for at least that many, or pass a coarser partition."
        )
    n_distinct = len(distinct_points(points).values)
    if n_distinct < n_clusters:
        raise ValueError(
            f"n_clusters={n_clusters} exceeds the number of distinct points, which is "
            f"{n_distinct}. Ask for fewer clusters."
        )
