"""Measure both selectors on a table on disk, and on the same table in memory.

    python benchmarks/out_of_core.py [--features 1000000] [--folder FOLDER]

Writes 500 samples by a million features in single precision (2 GB) feature by feature to a
temporary file. Each way runs in its own process with one BLAS thread. Its peak of resident memory
does not include the imports; for the table in memory it includes the data.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from _measure import Row, keep, measure, row, show  # isort: skip  (pins the threads first)
import numpy as np

from perturbfs import RobustSelector
from perturbfs.arrays import as_blocks
from perturbfs.datasets import open_table
from perturbfs.paper import characterize_runs, code_target

N_SAMPLES, STEP, MEMORY = 500, 10_000, "400MB"


def write_table(path: Path, n_features: int) -> np.ndarray:
    """Write normal features in blocks; the first ten are shifted in one class."""
    y = np.arange(N_SAMPLES) % 2
    header = {"descr": "<f4", "fortran_order": True, "shape": (N_SAMPLES, n_features)}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for start in range(0, n_features, STEP):
            width = min(STEP, n_features - start)
            block = np.random.default_rng([0, start]).standard_normal((width, N_SAMPLES), "f4")
            if start == 0:
                block[:10, y == 1] += 0.6
            file.write(block.tobytes())
    return y


def ways(path: Path, y: np.ndarray) -> dict[str, dict[str, Callable[[], object]]]:
    noise = np.random.default_rng(1).uniform(size=(N_SAMPLES, 10))

    def on_disk() -> object:
        return open_table(path, target=y, memory=MEMORY).X

    def in_memory() -> object:
        return np.load(path)

    def characteristics(load: Callable[[], object]) -> Callable[[], object]:
        return lambda: characterize_runs(as_blocks(load()), code_target(y), row_noise=noise)

    def robust(load: Callable[[], object], **options: object) -> Callable[[], object]:
        return lambda: RobustSelector(20, **options).fit(load(), y)

    jobs = {
        "characteristics, ten runs": characteristics,
        "robust, 20 features": robust,
        "robust, 20 features, no trees": lambda load: robust(load, nonlinear=False),
    }
    return {
        job: {"in memory": make(in_memory), "ours": make(on_disk)} for job, make in jobs.items()
    }


def rows(n_features: int, folder: str | None) -> list[Row]:
    found = []
    with tempfile.TemporaryDirectory(dir=folder) as directory:
        path = Path(directory, "table.npy")
        y = write_table(path, n_features)
        data = f"{N_SAMPLES} x {n_features} float32"
        for job, calls in ways(path, y).items():
            costs = {
                way: measure(call, warm_up=lambda: None, repeats=1) for way, call in calls.items()
            }
            ratio = costs["ours"].cpu_s / costs["in memory"].cpu_s
            note = f"from disk, memory={MEMORY}, {ratio:.2f} times the CPU in memory"
            found.append(row(job, data, "in memory", costs["in memory"]))
            found.append(row(job, data, "ours", costs["ours"], note))
            show(found[-2:])
            keep("out_of_core", found)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", type=int, default=10**6)
    parser.add_argument("--folder", help="where the temporary file goes")
    chosen = parser.parse_args()
    rows(chosen.features, chosen.folder)
