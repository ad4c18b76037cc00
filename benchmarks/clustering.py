"""Clusterings for every k from 2 to the rank: our sweep, and k-means for each k.

The note has the mean inertia over all k, relative to that of ten starts if they were run. Both
cluster the same n x 3 matrix.
"""

from __future__ import annotations

import time

from _measure import Cost, Row, cpu_seconds, measure, row  # isort: skip  (pins the threads first)
import numpy as np
from _data import catalogue_sets
from sklearn.cluster import KMeans

from perturbfs.cluster import warm_sweep, without_rounding_noise
from perturbfs.paper import characterize

JOB = "clusters for every k"
SETS = ("colon", "lymphoma", "glioma", "leukemia")


def rows(*, quick: bool) -> list[Row]:
    found = []
    for name, X, y in catalogue_sets(SETS[:1] if quick else SETS):
        known = characterize(X, y, random_state=0)
        points = without_rounding_noise(known.matrix)
        found += _compare(name, points, known.rank, with_ten=not quick)
    return found


def _compare(name: str, points: np.ndarray, rank: int, *, with_ten: bool) -> list[Row]:
    data = f"{name}, k = 2..{rank}"
    one = measure(
        lambda: _kmeans(points, rank, 1),
        warm_up=lambda: KMeans(3, n_init=1).fit(points),
        repeats=3,
    )
    found = {
        "ours": (measure(lambda: list(warm_sweep(points, rank))), _sweep_inertias(points, rank)),
        "KMeans, one start": (one, _kmeans(points, rank, 1)),
    }
    if with_ten:
        # It runs once and in this process, because its inertias are needed.
        start, wall = cpu_seconds(), time.perf_counter()
        inertias = _kmeans(points, rank, 10)
        cost = Cost(cpu_seconds() - start, time.perf_counter() - wall)
        found["KMeans, ten starts"] = cost, inertias
    reference = list(found)[-1]
    return [
        row(JOB, data, way, cost, _inertia_note(inertias, found[reference][1], reference))
        for way, (cost, inertias) in found.items()
    ]


def _inertia_note(inertias: np.ndarray, reference: np.ndarray, name: str) -> str:
    return f"mean inertia {np.mean(inertias / reference):.4f} of {name}"


def _sweep_inertias(points: np.ndarray, rank: int) -> np.ndarray:
    return np.array(
        [
            ((points - centers[labels]) ** 2).sum()
            for labels, centers in warm_sweep(points, rank)
            if len(centers) > 1
        ]
    )


def _kmeans(points: np.ndarray, rank: int, n_init: int) -> np.ndarray:
    return np.array(
        [KMeans(k, n_init=n_init, random_state=k).fit(points).inertia_ for k in range(2, rank + 1)]
    )
