"""K-means clusters that are split and updated in place, for `warm_sweep`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from ._points import BoolArray, DistinctPoints, FloatArray, IntArray, nearest_centers, row_blocks

# A center stays where it is while moving it would lower the total inertia by less than this
# share of a mean cluster's inertia. With 1e-4 most centers do not move (7 of up to 72 move in an
# iteration on leukemia), and the mean inertia over all k on eight matrices of gene data is 0.996
# to 1.006 of the inertia at full convergence.
_NEGLIGIBLE = 1e-4
# Up to this number, distances to all centers are computed. Points whose center did not move need
# only the distances to the moved centers, with the same result. Separating these points takes
# longer than it saves if there are few distances.
_FEW_DISTANCES = 2**17


@dataclass(slots=True)
class Clusters:
    """A k-means clustering in progress; the functions of this module change it in place.

    Between calls each point is labelled with its nearest center, except where a pending
    center is involved.
    """

    points: DistinctPoints
    labels: IntArray  # (n_distinct,)
    centers: FloatArray  # (n_clusters, n_dims)
    apart: FloatArray  # (n_distinct,), squared distance to the own center
    is_pending: BoolArray  # (n_clusters,), whether the center changed since the last labelling


def one_cluster(points: DistinctPoints) -> Clusters:
    """Return all points in one cluster around their mean."""
    center = _weighted_mean(points.values, points.counts)
    return Clusters(
        points=points,
        labels=np.zeros(len(points.values), dtype=np.intp),
        centers=center[None, :],
        apart=_squared_norms(points.values - center),
        is_pending=np.zeros(1, dtype=bool),
    )


def split_worst(clusters: Clusters, label: int) -> None:
    """Split the cluster of largest inertia on its main axis; one half gets a new label.

    Parameters
    ----------
    clusters : Clusters
        At least one cluster must hold two distinct points.
    label : int
        The label of an empty cluster, or the number of clusters to add one.
    """
    points, labels = clusters.points, clusters.labels
    if label == len(clusters.centers):
        clusters.centers = np.vstack([clusters.centers, clusters.centers[:1]])
        clusters.is_pending = np.append(clusters.is_pending, True)
    inertias = np.bincount(labels, points.counts * clusters.apart)
    # Rounding can leave a cluster of equal points with a positive inertia.
    worst = int(np.argmax(np.where(np.bincount(labels) > 1, inertias, -1.0)))

    members = np.flatnonzero(labels == worst)
    is_upper = split_on_main_axis(points.values[members], points.counts[members])
    for half, target in ((members[~is_upper], worst), (members[is_upper], label)):
        center = _weighted_mean(points.values[half], points.counts[half])
        labels[half] = target
        clusters.centers[target] = center
        clusters.apart[half] = _squared_norms(points.values[half] - center)
        clusters.is_pending[target] = True


def split_on_main_axis(values: FloatArray, counts: FloatArray) -> BoolArray:
    """Return the halves of a cluster, cut across its main axis where the inertia drops most.

    Parameters
    ----------
    values : array of shape (n_distinct, n_dims)
        Distinct points, at least two.
    counts : array of shape (n_distinct,)
        Their weights, positive.

    Returns
    -------
    is_upper : bool array of shape (n_distinct,)
        True for points of the half that lies further along the axis. Neither half is empty.

    Notes
    -----
    With weights w and positions p along the axis, measured from the mean, the inertia drops
    by S^2 / W + S^2 / (T - W) for a cut with weight W and moment S = sum(w p) below it and
    total weight T. The best of all cuts is found in one pass over the sorted positions.
    """
    deviations = values - _weighted_mean(values, counts)
    scatter = np.einsum("ni,nj->ij", counts[:, None] * deviations, deviations)
    axis = np.linalg.eigh(scatter)[1][:, -1]
    # The sign of an eigenvector is arbitrary and would depend on the library.
    axis = axis if axis[np.argmax(np.abs(axis))] > 0 else -axis
    positions = (deviations * axis).sum(axis=1)

    order = np.argsort(positions, kind="stable")
    below = np.cumsum(counts[order])
    moment = np.cumsum((counts * positions)[order])[:-1]
    drop = moment**2 / below[:-1] + moment**2 / (below[-1] - below[:-1])
    is_upper = np.zeros(len(values), dtype=bool)
    is_upper[order[int(np.argmax(drop)) + 1 :]] = True
    return is_upper


def settle(clusters: Clusters, max_iter: int) -> int:
    """Run Lloyd's iterations from the present clusters.

    Parameters
    ----------
    clusters : Clusters
    max_iter : int
        Largest number of iterations.

    Returns
    -------
    n_iter : int
        Number of iterations done.

    Notes
    -----
    A point's nearest center can change only if its own center or another one moved. It cannot
    change if the distance to its own center is less than half the distance between this center
    and the nearest other one that could take the point. After a split few centers move, so
    most iterations look at few points.
    """
    total = float(clusters.points.counts @ clusters.apart)
    threshold = _NEGLIGIBLE * total / len(clusters.centers)
    tallies = _Tallies(clusters)
    for n_iter in range(max_iter):
        _move_centers(clusters, tallies, threshold)
        if not clusters.is_pending.any():
            return n_iter
        _reassign(clusters, tallies)
    return max_iter


class _Tallies:
    """Weight and sum of the points of each cluster, updated as points change their cluster."""

    def __init__(self, clusters: Clusters) -> None:
        points, n_clusters = clusters.points, len(clusters.centers)
        # Sums are taken about the mean, so that a large common offset costs no digits.
        self._origin = _weighted_mean(points.values, points.counts)
        moments = (points.values.T - self._origin[:, None]) * points.counts
        self._terms = np.vstack([points.counts, moments])
        # The start of the totals of each term in one array of all totals.
        self._starts = n_clusters * np.arange(len(self._terms))[:, None]
        self._totals = self._add_up(clusters.labels, self._terms)

    def transfer(self, rows: IntArray, sources: IntArray, targets: IntArray) -> None:
        """Move some points from one cluster to another."""
        terms = self._terms[:, rows]
        self._totals += self._add_up(targets, terms)
        self._totals -= self._add_up(sources, terms)

    def _add_up(self, labels: IntArray, terms: FloatArray) -> FloatArray:
        """Return the sum of each term over each cluster, by one call for all terms."""
        n_clusters = self._starts[1, 0]
        places = (labels + self._starts).ravel()
        totals = np.bincount(places, terms.ravel(), len(terms) * n_clusters)
        return np.asarray(totals, dtype=np.float64).reshape(len(terms), n_clusters)

    def means(self) -> tuple[FloatArray, FloatArray]:
        """Return mean and weight of each cluster; of an empty one, the mean of all and 0."""
        weights = self._totals[0]
        is_used = weights > 0
        sums = np.where(is_used, self._totals[1:], 0.0)
        return self._origin + (sums / np.where(is_used, weights, 1.0)).T, weights


def _move_centers(clusters: Clusters, tallies: _Tallies, threshold: float) -> None:
    """Move centers to the mean of their points where this lowers the inertia enough."""
    means, weights = tallies.means()
    # The center of an empty cluster, whose weight is 0, stays.
    is_moved = weights * _squared_norms(means - clusters.centers) > threshold
    clusters.centers[is_moved] = means[is_moved]
    clusters.is_pending |= is_moved


def _reassign(clusters: Clusters, tallies: _Tallies) -> None:
    """Label the points that pending centers may affect by their nearest center."""
    values, labels, centers = clusters.points.values, clusters.labels, clusters.centers
    is_pending = clusters.is_pending
    # Arrays are small here and iterations many: methods are called, as NumPy's functions around
    # them cost more than the work. `take` copies rows several times faster than indexing.
    pending = is_pending.nonzero()[0]
    of_pending = is_pending.take(labels).nonzero()[0]
    for rows in row_blocks(len(of_pending), values.shape[1]):
        some = of_pending[rows]
        clusters.apart[some] = _squared_norms(
            values.take(some, axis=0) - centers.take(labels.take(some), axis=0)
        )

    # Only a pending center can take points from one that is not; a pending one can lose to all.
    between = cdist(centers, centers.take(pending, axis=0), "sqeuclidean")
    between[pending, np.arange(len(pending))] = np.inf
    rival = between.min(axis=1)
    rival[pending] = between.min(axis=0)
    may_change = (clusters.apart > (rival / 4).take(labels)).nonzero()[0]
    everything = np.arange(len(centers))
    if len(may_change) * len(centers) <= _FEW_DISTANCES:
        _choose(clusters, tallies, may_change, everything)
    else:
        has_moved = is_pending.take(labels.take(may_change))
        _choose(clusters, tallies, may_change[has_moved], everything)
        _choose(clusters, tallies, may_change[~has_moved], pending)
    is_pending[:] = False


def _choose(clusters: Clusters, tallies: _Tallies, rows: IntArray, rivals: IntArray) -> None:
    """Give points to the nearest of some centers if it is nearer than their own."""
    centers = clusters.centers.take(rivals, axis=0)
    for block in row_blocks(len(rows), len(rivals)):
        some = rows[block]
        nearest, apart = nearest_centers(clusters.points.values.take(some, axis=0), centers)
        is_nearer = apart < clusters.apart.take(some)
        if is_nearer.any():
            changed, targets = some[is_nearer], rivals.take(nearest[is_nearer])
            tallies.transfer(changed, clusters.labels.take(changed), targets)
            clusters.labels[changed] = targets
            clusters.apart[changed] = apart[is_nearer]


def _weighted_mean(values: FloatArray, counts: FloatArray) -> FloatArray:
    # About the first point: exact for equal points, and no digits lost to an offset. Not by
    # a matrix product, whose rounding depends on the number of threads.
    mean: FloatArray = values[0] + (counts[:, None] * (values - values[0])).sum(0) / counts.sum()
    return mean


def _squared_norms(rows: FloatArray) -> FloatArray:
    squared: FloatArray = np.einsum("ij,ij->i", rows, rows)
    return squared
