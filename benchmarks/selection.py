"""Measure the whole automatic selection and its parts, so that a slow part can be found.

The parts of the paper's method are timed within one fit, by wrapping the functions that it calls.
The memory of a large table, and the seconds for the import and for `--help`, are also measured.
"""

from __future__ import annotations

import contextlib
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from _measure import Cost, Row, measure, row  # isort: skip  (pins the threads first)
import numpy as np
from _data import catalogue_sets, normal_table

import perturbfs.paper._choose as choose_steps
import perturbfs.paper._selector as fit_steps
from perturbfs import PerturbationSelector
from perturbfs.arrays import as_blocks
from perturbfs.paper import characterize_runs, code_target

JOB = "automatic selection, ten runs"
# The functions that a fit calls, by part.
STEPS = {
    "characteristics": (fit_steps, "characterize_runs"),
    "clustering": (choose_steps, "propose"),
    "scoring": (choose_steps, "score_candidates"),
}


def rows(*, quick: bool) -> list[Row]:
    found = []
    sets = ("colon",) if quick else ("colon", "leukemia")
    for name, X, y in catalogue_sets(sets):
        for clusterer in ("warm",) if quick else ("kmeans", "warm"):
            found += _parts(f"{name}, {clusterer}", X, y, clusterer)
    return found + _memory(10**5 if quick else 10**6) + _start(repeats=2 if quick else 5)


def _parts(data: str, X: np.ndarray, y: np.ndarray, clusterer: str) -> list[Row]:
    selector = PerturbationSelector(clusterer=clusterer, random_state=0)
    small = PerturbationSelector(2, random_state=0)
    seconds = dict.fromkeys(STEPS, 0.0)
    with contextlib.ExitStack() as stack:
        for part, (module, name) in STEPS.items():
            stack.enter_context(_clocked(module, name, part, seconds))
        small.fit(X[:, :50], y)
        start, wall = time.process_time(), time.perf_counter()
        seconds.update(dict.fromkeys(STEPS, 0.0))
        selector.fit(X, y)
    total, wall = time.process_time() - start, time.perf_counter() - wall
    shares = {**seconds, "the rest": total - sum(seconds.values())}
    return [
        row(JOB, data, "ours", Cost(total, wall)),
        *(row(JOB, data, f"  of it {part}", Cost(cpu)) for part, cpu in shares.items()),
    ]


@contextlib.contextmanager
def _clocked(module: object, name: str, part: str, seconds: dict[str, float]) -> Iterator[None]:
    function: Callable[..., object] = getattr(module, name)

    def clocked(*args: object, **kwargs: object) -> object:
        start = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            seconds[part] += time.process_time() - start

    setattr(module, name, clocked)
    try:
        yield
    finally:
        setattr(module, name, function)


def _memory(n_features: int) -> list[Row]:
    X, y = normal_table(100, n_features, np.float32)
    noise = np.random.default_rng(1).uniform(size=(100, 10))
    calls = {
        "characteristics, ten runs": lambda: characterize_runs(
            as_blocks(X), code_target(y), row_noise=noise
        ),
        "20 features, k-means": lambda: PerturbationSelector(20, random_state=0).fit(X, y),
        "20 features, warm k-means": lambda: PerturbationSelector(
            20, clusterer="warm", random_state=0
        ).fit(X, y),
    }
    size, found = X.nbytes / 2**20, []
    for name, call in calls.items():
        cost = measure(call, warm_up=lambda: None, repeats=1)
        note = f"data and peak {1 + cost.peak_mb / size:.2f} times the {size:.0f} MB of data"
        found.append(row(f"memory, {name}", f"100 x {n_features} float32", "ours", cost, note))
    return found


def _start(repeats: int) -> list[Row]:
    python = [sys.executable, "-c"]
    commands = {
        ("import", "ours"): [*python, "import perturbfs"],
        ("import", "with the selector"): [*python, "from perturbfs import PerturbationSelector"],
        ("import", "sklearn.feature_selection"): [*python, "import sklearn.feature_selection"],
        ("--help", "ours"): [*python, "from perturbfs.cli import app; app(['--help'])"],
    }
    return [
        row("start", data, way, _child(line, repeats)) for (data, way), line in commands.items()
    ]


def _child(command: list[str], repeats: int) -> Cost:
    """Return the median CPU seconds of a process including its start, without the first one."""
    cpu, wall = [], []
    for _ in range(repeats + 1):
        before, start = _children_s(), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        cpu.append(_children_s() - before)
        wall.append(time.perf_counter() - start)
    return Cost(float(np.median(cpu[1:])), float(np.median(wall[1:])))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
