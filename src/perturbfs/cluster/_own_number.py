"""Clusterers that find the number of clusters themselves, such as DBSCAN and mean shift."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_clusterer
from sklearn.utils import check_array, check_random_state

from perturbfs._support.names import CLUSTERERS

from ._partition import Partition, check_labels, fit_copy
from ._points import canonical_order, cluster_means


def has_own_number(clusterer: Any) -> bool:
    """Return whether a clusterer finds the number of clusters itself.

    So does every scikit-learn clusterer without a parameter ``n_clusters``, or whose
    ``n_clusters`` is None.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN, KMeans
    >>> from perturbfs.cluster import has_own_number
    >>> has_own_number(DBSCAN()), has_own_number(KMeans()), has_own_number("kmeans")
    (True, False, False)
    """
    is_instance = hasattr(clusterer, "get_params") and not isinstance(clusterer, type)
    return is_instance and clusterer.get_params().get("n_clusters") is None


def partition_by_own_number(
    points: Any, clusterer: Any, *, random_state: int | np.random.RandomState | None
) -> Partition:
    """Divide points into as many clusters as a clusterer finds.

    Parameters
    ----------
    points : array-like of shape (n_points, n_dims)
        Finite.
    clusterer : clusterer
        A scikit-learn clusterer for which `has_own_number` is True. It is cloned; if it has a
        parameter ``random_state`` that is None, it is set.
    random_state : int, RandomState instance or None

    Returns
    -------
    partition : Partition
        Points that the clusterer calls noise (label -1) belong to no cluster. The points
        are clustered in lexicographic order, so permuting them permutes the labels only.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import DBSCAN
    >>> from perturbfs.cluster import partition_by_own_number
    >>> points = np.array([[10.0], [0.0], [10.1], [0.1], [99.0]])
    >>> partition_by_own_number(points, DBSCAN(min_samples=2), random_state=0).labels
    array([ 1,  0,  1,  0, -1])
    """
    if not (hasattr(clusterer, "__sklearn_tags__") and is_clusterer(clusterer)):
        raise TypeError(
            f"clusterer={clusterer!r} is not a scikit-learn clusterer. Pass an instance of one, "
            f"such as DBSCAN(), or one of {', '.join(CLUSTERERS)}."
        )
    points = check_array(points, dtype=np.float64)
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    order = canonical_order(points)
    ordered = np.ascontiguousarray(points[order])
    fitted = fit_copy(clusterer, ordered, [seed])
    found = check_labels(fitted, len(points), len(points))
    n_clusters = int(found.max()) + 1
    if n_clusters == 0:
        raise ValueError(
            f"clusterer={clusterer!r} put none of the {len(points)} points into a cluster: it "
            "calls all of them noise. Change its parameters, such as a larger eps of DBSCAN."
        )
    labels = np.empty_like(found)
    labels[order] = found
    return Partition(n_clusters, labels, cluster_means(points, labels, n_clusters))
