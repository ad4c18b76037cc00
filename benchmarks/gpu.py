"""Measure both methods on a CUDA device, and compare them with the limits of the device.

It prints a table and writes results/gpu.csv with the name of the device. The data are made on
the device in blocks: 500 samples by 1e5, 1e6 and 1e7 features in float64. Sizes that do not fit
into the device's memory are left out.

It needs torch, NumPy, SciPy, scikit-learn and array-api-compat (for arrays of torch). perturbfs
need not be installed: ``PYTHONPATH=src python benchmarks/gpu.py``. To try it without a CUDA
device, use ``--device cpu --quick``.
"""

from __future__ import annotations

import argparse
import csv
import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from perturbfs import RobustSelector
from perturbfs.arrays import as_blocks, to_host
from perturbfs.paper import characterize_runs, code_target

RESULTS = Path(__file__).parent / "results"
N_SAMPLES, N_RUNS, N_WANTED, N_RELEVANT = 500, 10, 20, 40
SIZES, QUICK_SIZES = (10**5, 10**6, 10**7), (3000, 10_000)
CHECKED_SIZE = 10**5  # largest size for which the host computes the result too
FILL_WIDTH = 2**16
SPARE_BYTES = 12 * 2**30  # for blocks and results, in addition to the data
HEADER = (
    "device",
    "job",
    "samples",
    "features",
    "seconds",
    "limit (s)",
    "share of the limit",
    "device memory (GB)",
    "error against NumPy",
)


class Timer:
    """Measure the wall seconds of work on a device, until the device has finished it."""

    def __init__(self, device: str, repeats: int) -> None:
        self.is_cuda, self.repeats = device.startswith("cuda"), repeats

    def __call__(self, work: Callable[[], Any]) -> float:
        """Return the median of several calls, after one to warm up."""
        seconds = []
        for _ in range(1 + self.repeats):
            self.wait()
            start = time.perf_counter()
            work()
            self.wait()
            seconds.append(time.perf_counter() - start)
        return statistics.median(seconds[1:])

    def wait(self) -> None:
        """Wait until the device has finished all work."""
        if self.is_cuda:
            torch.cuda.synchronize()

    def peak(self) -> float:
        """Return the largest number of gigabytes in use on the device since the last call."""
        if not self.is_cuda:
            return float("nan")
        used = torch.cuda.max_memory_allocated() / 1e9
        torch.cuda.reset_peak_memory_stats()
        return used


def product_rate(device: str, timer: Timer, size: int) -> float:
    """Return the floating-point operations per second of a square matrix product in float64."""
    a = torch.randn((size, size), dtype=torch.float64, device=device)
    return 2 * size**3 / timer(lambda: a @ a)


def memory_rate(device: str, timer: Timer, n_bytes: int) -> float:
    """Return the bytes per second that a copy reads and writes."""
    a = torch.zeros(n_bytes // 8, dtype=torch.float64, device=device)
    b = torch.empty_like(a)
    return 2 * n_bytes / timer(lambda: b.copy_(a))


def make_data(n_features: int, device: str) -> tuple[torch.Tensor, np.ndarray]:
    """Return noise with 40 relevant features, each higher in one of three classes."""
    generator = torch.Generator(device).manual_seed(0)
    X = torch.empty((N_SAMPLES, n_features), dtype=torch.float64, device=device)
    for start in range(0, n_features, FILL_WIDTH):
        X[:, start : start + FILL_WIDTH].normal_(generator=generator)
    y = np.arange(N_SAMPLES) % 3
    for place in range(N_RELEVANT):
        is_high = torch.asarray(y == place % 3, device=device)
        X[:, place * (n_features // N_RELEVANT)] += is_high * (0.5 + 0.02 * place)
    return X, y


def characterize(X: Any, y: np.ndarray) -> Any:
    return characterize_runs(as_blocks(X), code_target(y), n_runs=N_RUNS, random_state=0)


def select(X: Any, y: np.ndarray) -> Any:
    # Without trees, which run on the host.
    return RobustSelector(N_WANTED, nonlinear=False).fit(X, y)


def error_of_characteristics(X: Any, y: np.ndarray) -> float:
    """Return the largest difference from NumPy, relative to the norm of each characteristic."""
    worst = 0.0
    for ours, expected in zip(characterize(X, y), characterize(to_host(X), y), strict=True):
        difference = to_host(ours.matrix) - expected.matrix
        norms = np.linalg.vector_norm(expected.matrix, axis=0)
        worst = max(worst, float((np.linalg.vector_norm(difference, axis=0) / norms).max()))
    return worst


def error_of_selection(X: Any, y: np.ndarray) -> float:
    """Return the share of the selected features that NumPy does not select."""
    path, expected = (select(each, y).path_ for each in (X, to_host(X)))
    return float(np.mean(path != expected))


def measure(n_features: int, device: str, timer: Timer, rates: tuple[float, float]) -> list[Any]:
    """Return the rows of the table for one size."""
    X, y = make_data(n_features, device)
    flops, memory = rates
    reading = X.numel() * 8 / memory
    product = 2 * N_SAMPLES**2 * n_features / flops
    jobs = [
        # One pass that computes the Gram matrix while it reads the data, and a second pass.
        ("characteristics, 10 runs", characterize, max(product, reading) + reading),
        # One pass to screen the features, and one to check the path.
        (f"RobustSelector({N_WANTED})", select, 2 * reading),
    ]
    errors = {characterize: error_of_characteristics, select: error_of_selection}
    rows = []
    for name, job, limit in jobs:
        timer.peak()
        seconds, peak = timer(lambda job=job: job(X, y)), timer.peak()
        error = f"{errors[job](X, y):.1e}" if n_features <= CHECKED_SIZE else ""
        figures = (f"{seconds:.4f}", f"{limit:.4f}", f"{limit / seconds:.2f}", f"{peak:.1f}")
        rows.append([device_name(device), name, N_SAMPLES, n_features, *figures, error])
        print("  ".join(str(cell) for cell in rows[-1]), flush=True)
    return rows


def check_cupy(device: str) -> None:
    """Print how results with cupy differ from those with NumPy, if cupy is installed."""
    try:
        import cupy
    except ImportError:
        print("cupy is not installed, so it is not checked")
        return
    X, y = make_data(10**4, device)
    X = cupy.from_dlpack(X)
    print(f"cupy, 500 x 10000: characteristics differ by {error_of_characteristics(X, y):.1e},")
    print(f"  {error_of_selection(X, y):.0%} of the selected features differ", flush=True)
    print(f"  transform gives {type(select(X, y).transform(X)).__module__}", flush=True)


def profile(n_features: int, device: str) -> None:
    """Print which operations take the most time."""
    X, y = make_data(n_features, device)
    for job in (characterize, select):
        job(X, y)
        with torch.profiler.profile() as found:
            job(X, y)
        by = "self_cuda_time_total" if device.startswith("cuda") else "self_cpu_time_total"
        print(found.key_averages().table(sort_by=by, row_limit=14, max_name_column_width=60))


def fits(n_features: int, device: str) -> bool:
    if not device.startswith("cuda"):
        return True
    free, _ = torch.cuda.mem_get_info()
    return 8 * N_SAMPLES * n_features + SPARE_BYTES < free


def device_name(device: str) -> str:
    return torch.cuda.get_device_name() if device.startswith("cuda") else "host"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--quick", action="store_true", help="small sizes, once each")
    parser.add_argument(
        "--profile", action="store_true", help="print which operations take the most time, at 1e6"
    )
    parser.add_argument("--out", type=Path, default=RESULTS / "gpu.csv")
    args = parser.parse_args()
    timer = Timer(args.device, 1 if args.quick else 3)
    flops = product_rate(args.device, timer, 512 if args.quick else 8192)
    memory = memory_rate(args.device, timer, 2**24 if args.quick else 2**32)
    print(f"{device_name(args.device)}, torch {torch.__version__}, NumPy {np.__version__}")
    print(f"float64 product {flops / 1e12:.3g} TFLOP/s, memory {memory / 1e9:.4g} GB/s\n")
    print("  ".join(HEADER), flush=True)
    rows: list[Any] = []
    for n_features in QUICK_SIZES if args.quick else SIZES:
        if fits(n_features, args.device):
            rows += measure(n_features, args.device, timer, (flops, memory))
        else:
            print(f"500 x {n_features} does not fit into the device's memory: left out")
        gc.collect()
    args.out.parent.mkdir(exist_ok=True)
    rates = [f"float64 product (TFLOP/s) {flops / 1e12:.3g}", f"memory (GB/s) {memory / 1e9:.4g}"]
    with args.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([HEADER, *rows])
        writer.writerows([device_name(args.device), rate] + [""] * 7 for rate in rates)
    print(f"\nwritten to {args.out}")
    if args.device.startswith("cuda"):
        check_cupy(args.device)
    if args.profile:
        profile(QUICK_SIZES[-1] if args.quick else 10**6, args.device)


if __name__ == "__main__":
    main()
