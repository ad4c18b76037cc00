"""Measure how the cost grows with features, samples, clusters and runs, and fit exponents.

An exponent is the slope of log CPU seconds over log size, by least squares over the upper half
of the sizes. At smaller sizes, fixed costs hide the growth.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence

from _measure import RESULTS, Row, measure, row  # isort: skip  (pins the threads first)
import numpy as np
from _data import normal_table

from perturbfs import PerturbationSelector
from perturbfs.arrays import as_blocks
from perturbfs.cluster import warm_sweep
from perturbfs.paper import characterize_runs, code_target

Series = tuple[str, str, Sequence[int], Callable[[int], Callable[[], object]]]


def rows(*, quick: bool) -> list[Row]:
    found, exponents = [], []
    for job, letter, sizes, make in _series(quick):
        seconds = []
        for size in sizes:
            cost = measure(make(size), repeats=3)
            found.append(row(job, f"{letter} = {size}", "ours", cost))
            seconds.append(cost.cpu_s)
        if sizes:
            exponents.append((job, letter, *_exponent(sizes, seconds)))
    _keep_exponents(exponents)
    return found


def _series(quick: bool) -> list[Series]:
    def up_to(sizes: Sequence[int], most: int) -> list[int]:
        return [size for size in sizes if not quick or size <= most]

    features = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    samples = [50, 100, 200, 500, 1000, 2000, 5000]
    clusters = [10, 20, 50, 100, 200, 500]
    runs = [1, 2, 5, 10, 20, 50, 100]
    return [
        ("characteristics, m = 100, t = 10", "n", up_to(features, 100_000), _features),
        ("20 features, m = 100", "n", up_to(features, 30_000), _selecting),
        ("characteristics, n = 10000, t = 10", "m", up_to(samples, 1000), _samples),
        ("clusters for every k, n = 10000", "k", up_to(clusters, 100), _clusters),
        ("clusters for every k, n = 1000000", "k", [] if quick else [50, 500], _of_many),
        ("characteristics, 100 x 10000", "t", up_to(runs, 100), _runs),
    ]


def _characterizing(n_samples: int, n_features: int, n_runs: int) -> Callable[[], object]:
    X, y = normal_table(n_samples, n_features, np.float32)
    noise = np.random.default_rng(1).uniform(size=(n_samples, n_runs))
    return lambda: characterize_runs(as_blocks(X), code_target(y), row_noise=noise)


def _features(n_features: int) -> Callable[[], object]:
    return _characterizing(100, n_features, 10)


def _samples(n_samples: int) -> Callable[[], object]:
    return _characterizing(n_samples, 10_000, 10)


def _runs(n_runs: int) -> Callable[[], object]:
    return _characterizing(100, 10_000, n_runs)


def _selecting(n_features: int) -> Callable[[], object]:
    X, y = normal_table(100, n_features, np.float32)
    return lambda: PerturbationSelector(20, clusterer="warm", random_state=0).fit(X, y)


def _clusters(n_clusters: int) -> Callable[[], object]:
    return _sweeping(10_000, n_clusters)


def _of_many(n_clusters: int) -> Callable[[], object]:
    return _sweeping(1_000_000, n_clusters)


def _sweeping(n_points: int, n_clusters: int) -> Callable[[], object]:
    points = np.random.default_rng(0).standard_normal((n_points, 3))

    def sweep() -> None:
        for _ in warm_sweep(points, n_clusters):
            pass  # labels of all sizes at once would not fit into memory

    return sweep


def _exponent(sizes: Sequence[int], seconds: Sequence[float]) -> tuple[int, int, float]:
    upper = len(sizes) // 2
    slope = np.polyfit(np.log(sizes[upper:]), np.log(seconds[upper:]), 1)[0]
    return sizes[upper], sizes[-1], float(slope)


def _keep_exponents(exponents: list[tuple[str, str, int, int, float]]) -> None:
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "exponents.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["job", "size", "from", "to", "exponent"])
        for job, letter, first, last, slope in exponents:
            writer.writerow([job, letter, first, last, f"{slope:.3f}"])
            print(f"{job}: CPU grows as {letter}^{slope:.2f} from {first} to {last}")
