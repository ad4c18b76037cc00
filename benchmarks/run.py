"""Run all benchmarks, print a table, and write results/*.csv and results/ratios.svg.

    python benchmarks/run.py [--quick] [--only clustering growth] [--before SRC]
        [--rivals-python PATH]

`make bench` runs this. Groups that are not run keep their last results.
"""

from __future__ import annotations

import argparse
import csv
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from _measure import (  # isort: skip  (pins the threads first)
    RESULTS,
    THREADS,
    Cost,
    Row,
    cpu_seconds,
    keep,
    load,
    row,
    show,
)
import characteristics
import cluster
import clustering
import fits
import growth
import scoring
import selection
from _figure import ratio_plot

HERE = Path(__file__).parent
# A group without the way `ours` is not in the figure, because there is no ratio.
IN_FIGURE = ("characteristics", "clustering", "scoring", "selection", "rivals")


def read_tables(*, quick: bool) -> list[Row]:
    """Run the benchmark of the readers, which run in processes of their own; return its rows."""
    size = ["--features", "10000"] if quick else []
    out = RESULTS / "reading.csv"
    command = [sys.executable, str(HERE / "reading.py"), *size, "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with out.open(newline="") as file:
        return [_as_row(each) for each in csv.DictReader(file)]


def _as_row(each: dict[str, str]) -> Row:
    data = f"{each['format']} {each['samples']} x {each['features']}"
    way = "ours" if each["reader"].startswith("perturbfs") else each["reader"]
    cost = Cost(float(each["cpu_s"]), float(each["wall_s"]), float(each["peak_mb"]))
    return row("reading", data, way, cost)


def compare_rivals(python: str, *, quick: bool) -> list[Row]:
    """Run the rivals with the interpreter in which they are installed; return the rows."""
    command = [python, str(HERE / "rivals.py"), *(["--quick"] if quick else [])]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return load(RESULTS / "rivals.csv")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="less data; under 3 minutes of CPU")
    parser.add_argument("--only", nargs="+", metavar="GROUP", help="run these groups only")
    parser.add_argument("--before", type=Path, help="src of another checkout, for the fits")
    parser.add_argument("--rivals-python", default=sys.executable, metavar="PATH")
    options = parser.parse_args()
    groups: dict[str, Callable[[], list[Row]]] = {
        "reading": lambda: read_tables(quick=options.quick),
        "characteristics": lambda: characteristics.rows(quick=options.quick),
        "clustering": lambda: clustering.rows(quick=options.quick),
        "scoring": lambda: scoring.rows(quick=options.quick),
        "selection": lambda: selection.rows(quick=options.quick),
        "fits": lambda: fits.rows(quick=options.quick, before=options.before),
        "growth": lambda: growth.rows(quick=options.quick),
        "cluster": lambda: cluster.rows(quick=options.quick),
        "rivals": lambda: compare_rivals(options.rivals_python, quick=options.quick),
    }
    print(_setting())
    for name in options.only or groups:
        start = time.perf_counter()
        rows = groups[name]()
        print(f"\n{name} ({time.perf_counter() - start:.0f} s)")
        show(rows)
        if name != "reading":
            keep(name, rows)
    _draw()
    print(f"\n{cpu_seconds():.0f} s of CPU; written to {RESULTS.name}/*.csv and ratios.svg")


def _setting() -> str:
    packages = ("numpy", "scipy", "scikit-learn", "perturbfs")
    versions = ", ".join(f"{package} {version(package)}" for package in packages)
    return (
        f"Python {platform.python_version()}, {versions}, {THREADS} BLAS thread; medians of CPU "
        "seconds after a warm-up; peak MB above what was resident before"
    )


def _draw() -> None:
    paths = [RESULTS / f"{name}.csv" for name in IN_FIGURE]
    rows = [each for path in paths if path.exists() for each in load(path)]
    (RESULTS / "ratios.svg").write_text(ratio_plot(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
