"""CPU seconds of a call, and tables that are printed and kept."""

from __future__ import annotations

import csv
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import scipy
import sklearn

RESULTS = Path(__file__).parent / "results"


def cpu_seconds(call: Callable[[], object], repeats: int = 7) -> float:
    """Median CPU time of a call after one to warm up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def versions() -> str:
    """What the figures were measured with."""
    return (
        f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__}, one BLAS thread"
    )


def show_and_keep(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table and write it to results/<name>.csv."""
    table = [header, *rows]
    widths = [max(len(str(row[column])) for row in table) for column in range(len(header))]
    for row in table:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)))
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows(table)
    print(f"\nwritten to {RESULTS.name}/{name}.csv")
