"""Both methods on a CUDA device, against what the device can do.

Prints a table and writes results/gpu.csv with the device's name. The data are made on the device
by blocks, 500 samples by 1e5, 1e6 and 1e7 features in float64; sizes that do not fit are left out.

Needs torch and the packages NumPy, SciPy and scikit-learn, nothing else: run it as
``PYTHONPATH=src python benchmarks/gpu.py``. Without a CUDA device, ``--device cpu --quick`` shows
that it works.
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
CHECKED_SIZE = 10**5  # largest that the host computes too
FILL_WIDTH = 2**16
SPARE_BYTES = 12 * 2**30  # for blocks and results beside the data
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
    """Wall seconds of work on a device, which is waited for."""

    def __init__(self, device: str, repeats: int) -> None:
        self.is_cuda, self.repeats = device.startswith("cuda"), repeats

    def __call__(self, work: Callable[[], Any]) -> float:
        """Median of several calls, after one to warm up."""
        seconds = []
        for _ in range(1 + self.repeats):
            self.wait()
            start = time.perf_counter()
            work()
            self.wait()
            seconds.append(time.perf_counter() - start)
        return statistics.median(seconds[1:])

    def wait(self) -> None:
        """Until all work on the device is done."""
        if self.is_cuda:
            torch.cuda.synchronize()

    def peak(self) -> float:
        """Most gigabytes that were in use on the device since the last call."""
        if not self.is_cuda:
            return float("nan")
        used = torch.cuda.max_memory_allocated() / 1e9
        torch.cuda.reset_peak_memory_stats()
        return used


def product_rate(device: str, timer: Timer, size: int) -> float:
    """Floating-point operations a second of a square matrix product in float64."""
    a = torch.randn((size, size), dtype=torch.float64, device=device)
    return 2 * size**3 / timer(lambda: a @ a)


def memory_rate(device: str, timer: Timer, n_bytes: int) -> float:
    """Bytes read and written a second by a copy."""
    a = torch.zeros(n_bytes // 8, dtype=torch.float64, device=device)
    b = torch.empty_like(a)
    return 2 * n_bytes / timer(lambda: b.copy_(a))


def make_data(n_features: int, device: str) -> tuple[torch.Tensor, np.ndarray]:
    """Noise in which every n/40th feature is higher in one class of three, by a growing amount."""
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
    # By the path alone: trees and what judges them run on the host.
    return RobustSelector(N_WANTED, nonlinear=False).fit(X, y)


def error_of_characteristics(X: Any, y: np.ndarray) -> float:
    """Largest difference from those of NumPy, relative to the norm of each characteristic."""
    worst = 0.0
    for ours, expected in zip(characterize(X, y), characterize(to_host(X), y), strict=True):
        difference = to_host(ours.matrix) - expected.matrix
        norms = np.linalg.vector_norm(expected.matrix, axis=0)
        worst = max(worst, float((np.linalg.vector_norm(difference, axis=0) / norms).max()))
    return worst


def error_of_selection(X: Any, y: np.ndarray) -> float:
    """Share of the selected features that NumPy does not select."""
    path, expected = (select(each, y).path_ for each in (X, to_host(X)))
    return float(np.mean(path != expected))


def measure(n_features: int, device: str, timer: Timer, rates: tuple[float, float]) -> list[Any]:
    """Rows of the table for one size."""
    X, y = make_data(n_features, device)
    flops, memory = rates
    reading = X.numel() * 8 / memory
    product = 2 * N_SAMPLES**2 * n_features / flops
    jobs = [
        # One pass with the Gram matrix, for which the data are read meanwhile, and another one.
        ("characteristics, 10 runs", characterize, max(product, reading) + reading),
        # A screen, and a pass in which the path is checked.
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
    """Whether arrays of cupy give what those of NumPy do, where cupy is installed."""
    try:
        import cupy
    except ImportError:
        print("cupy is not installed: not checked")
        return
    X, y = make_data(10**4, device)
    X = cupy.from_dlpack(X)
    print(f"cupy, 500 x 10000: characteristics differ by {error_of_characteristics(X, y):.1e},")
    print(f"  {error_of_selection(X, y):.0%} of the selected features differ", flush=True)
    print(f"  transform gives {type(select(X, y).transform(X)).__module__}", flush=True)


def profile(n_features: int, device: str) -> None:
    """Where the time goes."""
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
    parser.add_argument("--profile", action="store_true", help="where the time goes, at 1e6")
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
