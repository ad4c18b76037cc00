"""Clusterings for every k from 2 to the rank: our sweep against k-means for each k.

The note gives the mean over all k of the inertia, relative to that of ten starts where those
were run. Both cluster the same n x 3 matrix.
"""

from __future__ import annotations

from _measure import Row, measure, row  # isort: skip  (pins the threads first)
import numpy as np
from _data import catalogue_sets
from sklearn.cluster import KMeans

from perturbfs.cluster import warm_sweep, without_rounding_noise
from perturbfs.core import characterize

JOB = "clusters for every k"
SETS = ("colon", "lymphoma", "glioma", "leukemia")


def rows(*, quick: bool) -> list[Row]:
    found = []
    for name, X, y in catalogue_sets(SETS):
        known = characterize(X, y, random_state=0)
        points = without_rounding_noise(known.matrix)
        found += _compare(name, points, known.rank, with_ten=not quick)
    return found


def _compare(name: str, points: np.ndarray, rank: int, *, with_ten: bool) -> list[Row]:
    data = f"{name}, k = 2..{rank}"
    starts = {"KMeans, one start": 1} | ({"KMeans, ten starts": 10} if with_ten else {})
    costs = {"ours": measure(lambda: list(warm_sweep(points, rank)))}
    inertias = {"ours": _sweep_inertias(points, rank)}
    for way, n_init in starts.items():
        costs[way] = measure(
            lambda n_init=n_init: _kmeans(points, rank, n_init),
            warm_up=lambda: KMeans(3, n_init=1).fit(points),
            repeats=3 if n_init == 1 else 1,
        )
        inertias[way] = _kmeans(points, rank, n_init)
    reference = list(starts)[-1]
    return [
        row(JOB, data, way, cost, _inertia_note(inertias[way], inertias[reference], reference))
        for way, cost in costs.items()
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
