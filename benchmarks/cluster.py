"""The paper's characteristics on two dask workers, against the same table in memory.

    python benchmarks/cluster.py [--features 200000] [--folder FOLDER]

Writes 500 samples by 200,000 features in single precision (400 MB) to a temporary file. The
workers are processes with one thread and 1 GiB each, and read the file block by block. The CPU
time is the sum over the workers and the client. The other way has the whole table in memory
already. Both are the median of three calls after one for a few features, which does the imports.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from functools import partial
from pathlib import Path

from _measure import Cost, Row, cpu_seconds, keep, measure, row, show  # isort: skip  (pins the threads)
import numpy as np
from out_of_core import N_SAMPLES, write_table

from perturbfs.arrays import DaskBlocks, as_blocks, open_cluster
from perturbfs.datasets import open_table
from perturbfs.paper import characterize_runs, code_target

LIMIT, MEMORY, JOB = 2**30, "400MB", "characteristics, ten runs"
N_WARM_UP, REPEATS = 2000, 3


def worker_cpu() -> float:
    import perturbfs.paper  # noqa: F401  (so that the first pass does not include the import)

    return time.process_time()


def worker_peak() -> float:
    # Not `ru_maxrss`: a process starts with that of the one that started it.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def characterize_table(X: np.ndarray, y: np.ndarray, noise: np.ndarray) -> None:
    characterize_runs(as_blocks(X), code_target(y), row_noise=noise)


def characterize_file(path: Path, y: np.ndarray, noise: np.ndarray) -> None:
    blocks = DaskBlocks.of_store(open_table(path, target=y, memory=MEMORY).X)
    characterize_runs(blocks, code_target(y), row_noise=noise)


def on_cluster(path: Path, small: Path, y: np.ndarray, noise: np.ndarray) -> Cost:
    with open_cluster(n_workers=2, memory=LIMIT) as client:
        characterize_file(small, y, noise)
        taken = []
        for _ in range(REPEATS):
            before = sum(client.run(worker_cpu).values())
            here, start = cpu_seconds(), time.perf_counter()
            characterize_file(path, y, noise)
            wall, client_cpu = time.perf_counter() - start, cpu_seconds() - here
            workers_cpu = sum(client.run(worker_cpu).values()) - before
            taken.append((client_cpu + workers_cpu, wall, client_cpu))
        peak = max(client.run(worker_peak).values())
    cpu, wall, client_cpu = sorted(taken)[REPEATS // 2]
    note = f"client {client_cpu:.2f} s, workers {cpu - client_cpu:.2f} s; peak of a worker, whole"
    return Cost(cpu_s=cpu, wall_s=wall, peak_mb=peak, note=note)


def rows(
    n_features: int = 200_000, folder: str | None = None, *, quick: bool = False
) -> list[Row]:
    """Return the cost in memory and on the cluster; a tenth of the features if `quick`."""
    n_features = n_features // 10 if quick else n_features
    noise = np.random.default_rng(1).uniform(size=(N_SAMPLES, 10))
    data = f"{N_SAMPLES} x {n_features} float32"
    with tempfile.TemporaryDirectory(dir=folder) as directory:
        path, small = Path(directory, "table.npy"), Path(directory, "small.npy")
        write_table(small, N_WARM_UP)
        y = write_table(path, n_features)
        X = np.load(path)
        local = measure(
            partial(characterize_table, X, y, noise),
            warm_up=partial(characterize_table, X[:, :N_WARM_UP], y, noise),
            repeats=REPEATS,
        )
        del X
        spread = on_cluster(path, small, y, noise)
    load = os.getloadavg()[0]
    ratio = (
        f"{spread.cpu_s / local.cpu_s:.2f} times the CPU in memory; load of the machine {load:.0f}"
    )
    return [row(JOB, data, "in memory", local), row(JOB, data, "ours", spread, ratio)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", type=int, default=200_000)
    parser.add_argument("--folder", help="where the temporary file goes")
    chosen = parser.parse_args()
    found = rows(chosen.features, chosen.folder)
    show(found)
    keep("cluster", found)
