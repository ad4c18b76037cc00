"""Partitions of points into clusters, for many numbers of clusters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state

from perturbfs._support.names import CLUSTERERS

from ._fuzzy import FuzzyCMeans
from ._points import (
    FloatArray,
    IntArray,
    canonical_order,
    cluster_means,
    is_in_canonical_order,
    starts_anew,
)
from ._seeds import choose_seeds
from ._ward import cut_tree_at, ward_tree
from ._warm import warm_sweep


@dataclass(frozen=True, slots=True)
class Partition:
    """A division of points into clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import Partition
    >>> partition = Partition(2, np.array([0, 1, 1]), np.array([[0.0], [4.5]]))
    >>> np.bincount(partition.labels, minlength=partition.n_clusters)
    array([1, 2])
    """

    n_clusters: int  # as requested
    labels: IntArray  # (n_points,), 0..n_clusters-1, some may be missing; -1 for no cluster
    centers: FloatArray  # (n_clusters, n_dims); NaN for an empty cluster without a center


def partition_points(
    points: Any,
    sizes: Sequence[int],
    *,
    clusterer: Any,
    random_state: int | np.random.RandomState | None,
) -> Iterator[Partition]:
    """Divide points into clusters, for several numbers of clusters.

    Parameters
    ----------
    points : array-like of shape (n_points, n_dims)
        Finite.
    sizes : sequence of int
        Numbers of clusters, increasing. Those above the number of distinct points are skipped.
    clusterer : {"kmeans", "fuzzy", "warm", "ward"} or clusterer
        "kmeans" is scikit-learn's, one start of at most 100 iterations, as in the authors'
        program; "fuzzy" is `FuzzyCMeans`; "warm" is `warm_sweep`, one sweep for all sizes;
        "ward" is `ward_tree`, one tree for all sizes. Any other scikit-learn clusterer
        with a parameter ``n_clusters`` and an attribute ``labels_`` is cloned for each size;
        if it has a parameter ``random_state`` that is None, it is set. The clusterer may label
        points -1 to leave them out.
    random_state : int, RandomState instance or None
        Each size has a seed of its own, which does not depend on the other sizes.

    Returns
    -------
    partitions : iterator of Partition
        One per size, in order. The points are clustered in lexicographic order, so permuting
        the points permutes the labels and changes nothing else.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.cluster import partition_points
    >>> points = np.array([[10.0], [0.0], [11.0], [1.0]])
    >>> for partition in partition_points(points, [2, 3], clusterer="warm", random_state=0):
    ...     print(partition.n_clusters, partition.labels)
    2 [1 0 1 0]
    3 [1 0 1 2]
    """
    points = check_array(points, dtype=np.float64)
    sizes = _check_sizes(sizes)
    clusterer = _check_clusterer(clusterer)
    seed = int(check_random_state(random_state).randint(2**31 - 1))
    # Points that are in order already are not copied: a million of them take 24 MB.
    order = None if is_in_canonical_order(points) else canonical_order(points)
    ordered = np.ascontiguousarray(points if order is None else points[order])
    n_distinct = int(np.count_nonzero(starts_anew(ordered)))
    sizes = [size for size in sizes if size <= n_distinct]

    if clusterer == "kmeans":
        partitions = _by_kmeans(ordered, sizes, seed)
    elif clusterer == "warm":
        partitions = _by_sweep(ordered, sizes)
    elif clusterer == "ward":
        partitions = _by_tree(ordered, sizes)
    else:
        partitions = _by_fitting(ordered, sizes, clusterer, seed)
    return partitions if order is None else _in_order_given(partitions, order)


def _check_sizes(sizes: Sequence[int]) -> list[int]:
    checked = [int(size) for size in sizes]
    if checked != list(sizes) or np.any(np.diff([0, *checked]) < 1):
        raise ValueError(
            f"sizes={list(sizes)} are not numbers of clusters in increasing order. "
            "Pass positive integers, each once, smallest first."
        )
    return checked


def _check_clusterer(clusterer: Any) -> Any:
    """Return the clusterer of a name, or make sure that the clusterer can be used."""
    if isinstance(clusterer, str):
        if clusterer not in CLUSTERERS:
            raise ValueError(
                f"clusterer={clusterer!r} is not the name of a clusterer. Choose one of "
                f"{', '.join(CLUSTERERS)}, or pass a scikit-learn clusterer."
            )
        return FuzzyCMeans() if clusterer == "fuzzy" else clusterer
    is_instance = hasattr(clusterer, "get_params") and not isinstance(clusterer, type)
    if not is_instance or "n_clusters" not in clusterer.get_params():
        raise TypeError(
            f"clusterer={clusterer!r} has no parameter n_clusters. Pass an instance of a "
            f"scikit-learn clusterer that has one, or one of {', '.join(CLUSTERERS)}."
        )
    return clusterer


def _in_order_given(partitions: Iterator[Partition], order: IntArray) -> Iterator[Partition]:
    for partition in partitions:
        labels = np.empty_like(partition.labels)
        labels[order] = partition.labels
        yield Partition(partition.n_clusters, labels, partition.centers)


def _by_sweep(points: FloatArray, sizes: list[int]) -> Iterator[Partition]:
    wanted = set(sizes)
    for labels, centers in warm_sweep(points, max(sizes, default=0)):
        if len(centers) in wanted:
            yield Partition(len(centers), labels, centers)


def _by_tree(points: FloatArray, sizes: list[int]) -> Iterator[Partition]:
    tree = ward_tree(points)
    for size in sizes:
        labels = cut_tree_at(tree, size)
        yield Partition(size, labels, cluster_means(points, labels, size))


def _by_kmeans(points: FloatArray, sizes: list[int], seed: int) -> Iterator[Partition]:
    for size in sizes:
        seeds = choose_seeds(points, size, random_state=_draw(seed, size))
        yield from _by_fitting(points, [size], KMeans(init=seeds, n_init=1, max_iter=100), seed)


def _by_fitting(
    points: FloatArray, sizes: list[int], clusterer: Any, seed: int
) -> Iterator[Partition]:
    """Fit a fresh copy of the clusterer for each size."""
    for size in sizes:
        fitted = fit_copy(clusterer, points, [seed, size], n_clusters=size)
        labels = check_labels(fitted, len(points), size)
        centers = np.asarray(getattr(fitted, "cluster_centers_", None))
        if centers.shape != (size, points.shape[1]):
            centers = cluster_means(points, labels, size)
        yield Partition(size, labels, centers.astype(np.float64, copy=False))


def fit_copy(clusterer: Any, points: FloatArray, seeds: Sequence[int], **params: Any) -> Any:
    """Fit a fresh copy of a clusterer, with its seed set where it has none."""
    fitted = clone(clusterer).set_params(**params)
    if fitted.get_params().get("random_state", 0) is None:
        fitted.set_params(random_state=_draw(*seeds))
    with warnings.catch_warnings():
        # Points may be distinct and yet too close for k-means to separate them; the
        # partition then has empty clusters, which its callers expect.
        warnings.filterwarnings("ignore", "Number of distinct", ConvergenceWarning)
        return fitted.fit(points)


def _draw(*seeds: int) -> int:
    """Return a seed; that of a number of clusters does not depend on the other numbers."""
    return int(np.random.SeedSequence(seeds).generate_state(1)[0])


def check_labels(fitted: Any, n_points: int, size: int) -> IntArray:
    """Return the labels of a fitted clusterer; refuse those that are no clusters of points."""
    labels = np.asarray(fitted.labels_).astype(np.intp)
    if labels.shape != (n_points,) or labels.min() < -1 or labels.max() >= size:
        raise ValueError(
            f"{fitted!r} gave labels of shape {labels.shape} from {labels.min()} to "
            f"{labels.max()}, but each of {n_points} points needs one from -1 to {size - 1}. "
            "Use a clusterer of samples that returns at most n_clusters clusters."
        )
    return labels
