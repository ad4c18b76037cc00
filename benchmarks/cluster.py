"""The paper's characteristics on two dask workers, against the same table in memory.

    python benchmarks/cluster.py [--features 1000000] [--folder FOLDER]

Writes 500 samples by a million features in single precision (2 GB) to a temporary file. The
workers are processes with one thread and 1 GiB each, and read the file block by block. The CPU
time is the sum over the workers and the client, after they have imported the package.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from _measure import Cost, cpu_seconds, keep, measure, row, show  # isort: skip  (pins the threads)
import numpy as np
from out_of_core import N_SAMPLES, write_table

from perturbfs.arrays import DaskBlocks, as_blocks, open_cluster
from perturbfs.datasets import open_table
from perturbfs.paper import characterize_runs, code_target

LIMIT, MEMORY, JOB = 2**30, "400MB", "characteristics, ten runs"


def worker_cpu() -> float:
    import perturbfs.paper  # noqa: F401  (so that the first pass does not include the import)

    return time.process_time()


def worker_peak() -> float:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def on_cluster(path: Path, y: np.ndarray, noise: np.ndarray) -> Cost:
    with open_cluster(n_workers=2, memory=LIMIT) as client:
        before = sum(client.run(worker_cpu).values())
        here, start = cpu_seconds(), time.perf_counter()
        blocks = DaskBlocks.of_store(open_table(path, target=y, memory=MEMORY).X)
        characterize_runs(blocks, code_target(y), row_noise=noise)
        wall, client_cpu = time.perf_counter() - start, cpu_seconds() - here
        workers_cpu = sum(client.run(worker_cpu).values()) - before
        peak = max(client.run(worker_peak).values())
    note = f"client {client_cpu:.1f} s, workers {workers_cpu:.1f} s; peak of a worker, whole"
    return Cost(cpu_s=client_cpu + workers_cpu, wall_s=wall, peak_mb=peak, note=note)


def main(n_features: int, folder: str | None) -> None:
    noise = np.random.default_rng(1).uniform(size=(N_SAMPLES, 10))
    data = f"{N_SAMPLES} x {n_features} float32"
    with tempfile.TemporaryDirectory(dir=folder) as directory:
        path = Path(directory, "table.npy")
        y = write_table(path, n_features)

        def in_memory() -> object:
            return characterize_runs(as_blocks(np.load(path)), code_target(y), row_noise=noise)

        local = measure(in_memory, warm_up=lambda: None, repeats=1)
        spread = on_cluster(path, y, noise)
    load = os.getloadavg()[0]
    ratio = (
        f"{spread.cpu_s / local.cpu_s:.2f} times the CPU in memory; load of the machine {load:.0f}"
    )
    found = [row(JOB, data, "in memory", local), row(JOB, data, "ours", spread, ratio)]
    show(found)
    keep("cluster", found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", type=int, default=10**6)
    parser.add_argument("--folder", help="where the temporary file goes")
    chosen = parser.parse_args()
    main(chosen.features, chosen.folder)
