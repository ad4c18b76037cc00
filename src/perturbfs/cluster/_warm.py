"""K-means for every number of clusters, in one sweep without random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from perturbfs._support.compat import Interval, fit_context

from ._centers import CentersMixin
from ._coreset import compress
from ._kmeans_state import Clusters, one_cluster, settle, split_worst
from ._points import DistinctPoints, FloatArray, IntArray, distinct_points, nearest_centers


def warm_sweep(
    points: FloatArray, max_clusters: int, *, max_iter: int = 15
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Yield k-means clusterings for 1, 2, ..., `max_clusters` clusters.

    To add a cluster, the cluster of largest inertia is split across its main axis and Lloyd's
    iterations run from there. Nothing is random: the result depends neither on a seed, nor
    on the order of the points, nor on the number of threads.

    Parameters
    ----------
    points : array of shape (n_points, n_dims)
        Finite, at least one point.
    max_clusters : int
        Last number of clusters. The sweep ends earlier, with every point equal to its
        center, when there are fewer distinct points.
    max_iter : int, default=15
        Largest number of Lloyd's iterations for each number of clusters.

    Yields
    ------
    labels : array of shape (n_points,)
        Between 0 and k - 1; no cluster is empty.
    centers : array of shape (k, n_dims)
        Means of the clusters up to a negligible shift; see Notes.

    Notes
    -----
    A center stays in place while moving it to the mean of its points would lower the inertia
    by less than 1e-4 of a mean cluster's inertia, so that a split changes only the clusters
    near it. For k = 2..72 on 7070 points the sweep takes less than a third of the time of as
    many single-start `sklearn.cluster.KMeans`, and its inertia is within 1 % of that of ten
    starts.

    If there are more than 50,000 distinct points, a coreset is clustered: 16,384 cells, or 32
    per cluster if that is more, each with the mean and the weight of its points, which all get
    the label of their cell. A center is still the mean of its points, but a point near a border
    may be a little nearer to another center.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import warm_sweep
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> for labels, centers in warm_sweep(points, 3):
    ...     print(labels, centers.ravel())
    [0 0 0 0] [5.5]
    [0 0 1 1] [ 0.5 10.5]
    [0 2 1 1] [ 0.  10.5  1. ]
    """
    distinct = compress(distinct_points(np.asarray(points, dtype=np.float64)), max_clusters)
    for clusters, _ in _sweep(distinct, max_clusters, max_iter):
        yield clusters.labels[distinct.inverse], clusters.centers.copy()


def _sweep(
    distinct: DistinctPoints, max_clusters: int, max_iter: int
) -> Iterator[tuple[Clusters, int]]:
    """Yield one clustering that grows, changed in place, and its number of iterations."""
    clusters = one_cluster(distinct)
    yield clusters, 1
    for n_clusters in range(2, min(max_clusters, len(distinct.values)) + 1):
        split_worst(clusters, n_clusters - 1)
        n_iter = settle(clusters, max_iter)
        _refill(clusters)
        yield clusters, n_iter


def _refill(clusters: Clusters) -> None:
    """Split further until no cluster is empty; the next step settles the halves."""
    sizes = np.bincount(clusters.labels, minlength=len(clusters.centers))
    for label in np.flatnonzero(sizes == 0):
        split_worst(clusters, int(label))


class WarmStartKMeans(CentersMixin):
    """K-means without random numbers, grown by splitting the cluster of largest inertia.

    Centers of more than 50,000 distinct points are found from a coreset, see `warm_sweep`.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters; none of them is empty. At most the number of distinct points.
    max_iter : int, default=15
        Largest number of Lloyd's iterations after each split.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features_in_)
        Means of the clusters, up to the tolerance described in `warm_sweep`.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample.
    inertia_ : float
        Sum of squared distances of the samples to their center.
    n_iter_ : int
        Iterations after the last split.
    n_features_in_ : int
        Number of features seen during `fit`.

    See Also
    --------
    warm_sweep : Yields the clusterings for all smaller numbers of clusters too.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import WarmStartKMeans
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    >>> clusterer = WarmStartKMeans(n_clusters=2).fit(X)
    >>> clusterer.labels_
    array([0, 0, 1, 1])
    >>> clusterer.predict([[8.0, 3.0]])
    array([1])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_clusters: int = 8, *, max_iter: int = 15) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Cluster the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples to cluster.
        y : None
            Ignored.

        Returns
        -------
        self : WarmStartKMeans
        """
        X = self._check_samples(X)
        distinct = distinct_points(X)
        if len(distinct.values) < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} exceeds the number of distinct points, which is "
                f"{len(distinct.values)}. Lower n_clusters."
            )
        cells = compress(distinct, self.n_clusters)
        *_, (clusters, n_iter) = _sweep(cells, self.n_clusters, self.max_iter)
        self.n_iter_ = max(n_iter, 1)
        self.cluster_centers_ = clusters.centers
        self.labels_ = clusters.labels[cells.inverse]
        if cells is distinct:
            self.inertia_ = float(distinct.counts @ clusters.apart)
        else:
            self.inertia_ = self._label_each(X)
        return self

    def _label_each(self, X: FloatArray) -> float:
        """Label each point of a coreset by its own nearest center; return the inertia."""
        labels, apart = nearest_centers(X, self.cluster_centers_)
        if np.bincount(labels, minlength=self.n_clusters).all():
            self.labels_ = labels
            return float(apart.sum())
        # That would leave a cluster empty, so each point keeps the label of its cell.
        return float(((X - self.cluster_centers_[self.labels_]) ** 2).sum())
