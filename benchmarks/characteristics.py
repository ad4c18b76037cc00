"""Ten characterizations: ours, the limit, two pseudo-inverses, and the released program.

The limit is one symmetric matrix product of m^2 n flops, for the Gram matrix, and two passes over
the data. The procedure of the released program runs in GNU Octave if that is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from _measure import Cost, Row, measure, row  # isort: skip  (pins the threads first)
import numpy as np
import scipy.io
from _data import catalogue_sets, normal_table

from perturbfs.arrays import as_blocks
from perturbfs.paper import characterize_runs, code_target

N_RUNS = 10
JOB = "characteristics, ten runs"


def rows(*, quick: bool) -> list[Row]:
    found = []
    for name, X, y in catalogue_sets(("leukemia", "ALLAML")):
        found += _against_limit(name, X, y) + _pseudo_inverses(name, X, y)
        found += _released(name, X, y)
    found += _made(500, 20_000, with_inverses=not quick)
    if not quick:
        # The pseudo-inverses would take minutes here without a new result.
        found += _made(500, 200_000, with_inverses=False)
    return found


def _made(n_samples: int, n_features: int, *, with_inverses: bool) -> list[Row]:
    X, y = normal_table(n_samples, n_features)
    name = f"normal {n_samples} x {n_features}"
    return _against_limit(name, X, y) + (_pseudo_inverses(name, X, y) if with_inverses else [])


def _against_limit(name: str, X: np.ndarray, y: np.ndarray) -> list[Row]:
    noise = np.random.default_rng(1).uniform(size=(len(X), N_RUNS))

    def ours() -> None:
        characterize_runs(as_blocks(X), code_target(y), row_noise=noise)

    def limit() -> None:
        X @ X.T
        X.sum()
        X.sum()

    return [row(JOB, name, "ours", measure(ours)), row(JOB, name, "limit", measure(limit))]


def _pseudo_inverses(name: str, X: np.ndarray, y: np.ndarray) -> list[Row]:
    """Solve with two pseudo-inverses in NumPy; angles are not computed."""
    u = np.random.default_rng(1).uniform(size=(len(X), 1))

    def once() -> None:
        N = X / np.where(X.any(axis=0), np.linalg.norm(X, axis=0), 1.0)
        low, high = N.min(axis=0) / 1e6, N.max(axis=0) / 1e5
        np.abs(np.linalg.pinv(N + low + u * (high - low)) @ y - np.linalg.pinv(N) @ y)

    cost = measure(once, warm_up=lambda: np.linalg.pinv(X[:, :200]), repeats=1)
    return [_ten_fold(name, "two pseudo-inverses", cost)]


def _ten_fold(name: str, way: str, cost: Cost) -> Row:
    ten = Cost(N_RUNS * cost.cpu_s, N_RUNS * cost.wall_s, cost.peak_mb, note=cost.note)
    return row(JOB, name, way, ten, "one run, times ten")


def _released(name: str, X: np.ndarray, y: np.ndarray) -> list[Row]:
    ways = {"loop": "released procedure", "hoisted": "released, N X once a run"}
    if shutil.which("octave-cli") is None:
        note = "GNU Octave is not installed; benchmarks/install_octave.sh"
        return [row(JOB, name, way, Cost(note=note)) for way in ways.values()]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.mat"
        scipy.io.savemat(path, {"X": X, "y": y.astype(float)})
        for mode, way in ways.items():
            found.append(_ten_fold(name, way, _octave(path, mode)))
    return found


def _octave(path: Path, mode: str) -> Cost:
    """Return the cost that Octave measures itself, without its start; its memory is unknown."""
    script = Path(__file__).with_name("released.m")
    command = ["octave-cli", "--no-init-file", "--quiet", str(script), str(path)]
    done = subprocess.run([*command, "1", mode], capture_output=True, text=True, check=False)
    try:
        cpu, wall = map(float, done.stdout.split())
    except ValueError:
        return Cost(note=(done.stderr.strip().splitlines() or ["Octave printed nothing"])[0])
    return Cost(cpu, wall)
