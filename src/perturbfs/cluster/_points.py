"""Points in a canonical order, and their nearest centers, computed block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

# 2**17 float64 distances are 1 MB, which stays in a core's cache. A fuzzy iteration over
# 50,000 points and 70 centers took 0.033 s with it, 0.048 s with 2**14 and 0.062 s with 2**22.
_BLOCK_ENTRIES = 2**17


@dataclass(frozen=True, slots=True)
class DistinctPoints:
    """Each point once, in lexicographic order, with its number of occurrences."""

    values: FloatArray  # (n_distinct, n_dims), sorted by first column, then second, ...
    counts: FloatArray  # (n_distinct,), number of given points that are equal to it
    inverse: IntArray  # (n_points,), row of `values` that each given point is equal to


def canonical_order(points: FloatArray) -> IntArray:
    """Return the order that sorts points lexicographically, by the first column first.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        ``n_dims`` must be at least 1.

    Returns
    -------
    order : array of shape (n_points,)
        ``points[order]`` is the same array for every order of the rows of `points`. Equal
        points keep their order.
    """
    return np.lexsort(points.T[::-1])


def is_in_canonical_order(points: FloatArray) -> bool:
    """Return whether points are sorted already; this takes far less than sorting them."""
    before, after = points[:-1], points[1:]
    # The first coordinate in which neighbors differ decides; 0 if they are equal.
    first = (before != after).argmax(axis=1)
    rows = np.arange(len(first))
    return bool((before[rows, first] <= after[rows, first]).all())


def without_rounding_noise(points: FloatArray) -> FloatArray:
    """Return points rounded to about ten digits of the largest value of each coordinate.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        Finite.

    Returns
    -------
    rounded : array of shape (n_points, n_dims)
        Points that differ by no more than rounding errors become equal, except the few that
        lie on both sides of a step. So clusters depend neither on the order of the features
        nor on the number of threads that computed the points.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import without_rounding_noise
    >>> len(np.unique(without_rounding_noise(np.array([[0.1 + 0.2], [0.3], [1.0]])), axis=0))
    2
    """
    largest = np.maximum(points.max(axis=0, initial=0.0), -points.min(axis=0, initial=0.0))
    # A power of two, so that dividing and multiplying by it is exact.
    step = np.exp2(np.floor(np.log2(np.where(largest > 0, largest, 1.0))) - 33)
    rounded: FloatArray = points / step
    np.rint(rounded, out=rounded)
    rounded *= step
    return rounded


def distinct_points(points: FloatArray) -> DistinctPoints:
    """Return each point once, in canonical order.

    `numpy.unique` over an axis gives the same, but sorts rows as records and takes three
    times as long for 7070 points in three dimensions.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)

    Returns
    -------
    distinct : DistinctPoints
    """
    order = canonical_order(points)
    # Sorting is stable: points that are in order already stay where they are, uncopied.
    is_ordered = bool((order[1:] > order[:-1]).all())
    ordered = points if is_ordered else points[order]
    is_new = starts_anew(ordered)
    rank = np.cumsum(is_new) - 1
    inverse = np.empty(len(points), dtype=np.intp)
    inverse[order] = rank
    counts = np.bincount(rank).astype(np.float64)
    values = ordered if is_new.all() else ordered[is_new]
    return DistinctPoints(np.ascontiguousarray(values), counts, inverse)


def starts_anew(ordered: FloatArray) -> BoolArray:
    """Return which points, in canonical order, differ from the point before."""
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    return is_new


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of rows such that a block of `n_columns` columns stays small.

    Parameters
    ----------
    n_rows, n_columns : int
        Shape of a table that is never held as a whole.

    Yields
    ------
    rows : slice
        Consecutive, of at least one row each; together they cover all rows.
    """
    size = max(1, _BLOCK_ENTRIES // n_columns)
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def nearest_centers(points: FloatArray, centers: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the nearest center of each point, and the squared distance to it.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
    centers : array of shape (n_centers, n_dims)

    Returns
    -------
    labels : array of shape (n_points,)
        Row of the nearest center; the lowest on ties.
    apart : array of shape (n_points,)
        Squared distance to it.
    """
    if len(points) * len(centers) <= _BLOCK_ENTRIES:
        return _nearest_of_few(points, centers)
    labels = np.empty(len(points), dtype=np.intp)
    apart = np.empty(len(points))
    for rows in row_blocks(len(points), len(centers)):
        labels[rows], apart[rows] = _nearest_of_few(points[rows], centers)
    return labels, apart


def _nearest_of_few(points: FloatArray, centers: FloatArray) -> tuple[IntArray, FloatArray]:
    # cdist takes differences first: no cancellation when points lie far from the origin, and
    # no BLAS, whose rounding depends on the number of threads.
    squared = cdist(points, centers, "sqeuclidean")
    nearest = squared.argmin(axis=1)
    starts = np.arange(0, squared.size, len(centers))
    return nearest, squared.ravel().take(nearest + starts)


def cluster_means(points: FloatArray, labels: IntArray, n_clusters: int) -> FloatArray:
    """Return the mean of the points of each cluster.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
    labels : array of shape (n_points,)
        Between 0 and ``n_clusters - 1``; points labelled -1 belong to no cluster.
    n_clusters : int

    Returns
    -------
    means : array of shape (n_clusters, n_dims)
        A row of NaN for a cluster without points.
    """
    is_clustered = labels >= 0
    members, labels = points[is_clustered], labels[is_clustered]
    sizes = np.bincount(labels, minlength=n_clusters)
    # Sums are taken about one of the points, so that a large common offset costs no digits.
    origin = points[0]
    sums = [np.bincount(labels, column, n_clusters) for column in (members - origin).T]
    means = np.full((n_clusters, points.shape[1]), np.nan)
    is_used = sizes > 0
    means[is_used] = origin + np.stack(sums, axis=1)[is_used] / sizes[is_used, None]
    return means
