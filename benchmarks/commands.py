"""Time `perturbfs select` end to end, on made-up tables of five shapes, against another version.

    python benchmarks/commands.py [--before SRC] [--only cells] [--repeats 3] [--limit 600]

Each run is a process of its own, as a user starts it, with all cores and compiled modules. `SRC`
is the folder `src` of another checkout, whose command is run in turn with this one. Besides the
whole time, this measures the time until the first selected feature is printed, and until the error
for a wrong name of the outcome. It writes results/commands.csv; with `--only`, the other tables
keep their rows.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, make_classification

RESULTS = Path(__file__).parent / "results"
RUN = "from perturbfs.cli import app; app()"
FIRST = "rank "  # begins the table of selected features
HEADER = ("table", "version", "wall_s", "cpu_s", "first_answer_s", "error_s", "is_stopped")


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one run of the command."""

    wall: float
    cpu: float
    first: float  # until the selected features are printed
    is_stopped: bool = False


def made_up(n_samples: int, n_features: int, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return features and classes; twenty features are informative."""
    X, y = make_classification(
        n_samples,
        n_features,
        n_informative=20,
        n_redundant=20,
        n_classes=n_classes,
        n_clusters_per_class=1,
        class_sep=2.0,
        random_state=0,
    )
    return X, y


def write_csv(path: Path, X: np.ndarray, y: np.ndarray) -> list[str]:
    """Write a table with names of features, and return the arguments that name it."""
    names = ["outcome", *(f"f{number}" for number in range(X.shape[1]))]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for label, row in zip(y, X, strict=True):
            writer.writerow([f"c{label}", *(f"{value:.6g}" for value in row)])
    return [str(path), "--target", "outcome"]


def wide(folder: Path) -> list[str]:
    return write_csv(folder / "wide.csv", *made_up(200, 20_000, 2))


def cells(folder: Path) -> list[str]:
    return write_csv(folder / "cells.csv", *made_up(700, 765, 10))


def digits(folder: Path) -> list[str]:
    return write_csv(folder / "digits.csv", *load_digits(return_X_y=True))


def sparse(folder: Path) -> list[str]:
    """Write an h5ad file of counts, nine tenths of which are zero."""
    import anndata
    import pandas as pd
    import scipy.sparse

    rng = np.random.default_rng(0)
    y = np.arange(271) % 2
    means = rng.gamma(0.2, 1.0, 47_192)
    fold = np.where(rng.random(47_192) < 0.001, 4.0, 1.0)
    counts = rng.poisson(means * np.where(y[:, None] == 1, fold, 1.0))
    obs = pd.DataFrame(
        {"outcome": [f"c{label}" for label in y]}, index=[f"s{i}" for i in range(271)]
    )
    X = scipy.sparse.csr_matrix(np.log1p(counts).astype(np.float32))
    anndata.AnnData(X, obs=obs).write_h5ad(folder / "sparse.h5ad")
    return [str(folder / "sparse.h5ad"), "--target", "outcome"]


def many(folder: Path) -> list[str]:
    X, y = made_up(800, 100_000, 2)
    np.save(folder / "many.npy", X.astype(np.float32))
    labels = folder / "labels.csv"
    labels.write_text("\n".join(["outcome", *(f"c{label}" for label in y)]) + "\n")
    return [str(folder / "many.npy"), "--target", str(labels), "--n-features", "20"]


TABLES: dict[str, tuple[str, Callable[[Path], list[str]]]] = {
    "wide": ("200 x 20,000, two classes, csv", wide),
    "cells": ("700 x 765, ten classes, csv", cells),
    "sparse": ("271 x 47,192, sparse, h5ad", sparse),
    "many": ("800 x 100,000, 20 features, npy", many),
    "digits": ("1,797 x 64, ten classes, csv", digits),
}


def run(words: Sequence[str], src: Path, limit_s: float) -> Timing:
    """Run `perturbfs` from a folder of sources, and time it."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(src),
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "100",
        # An installed package has compiled modules; where they may not be written, keep them here.
        "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "perturbfs-compiled"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start, first = time.perf_counter(), float("nan")
    process = subprocess.Popen(
        ["timeout", str(limit_s), sys.executable, "-c", RUN, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if first != first and line.startswith(FIRST):
            first = time.perf_counter() - start
    code = process.wait()
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Timing(wall, cpu, first, is_stopped=code == 124)


def time_table(
    label: str, words: Sequence[str], versions: dict[str, Path], repeats: int, limit_s: float
) -> list[dict[str, object]]:
    """Return one row per version; the versions take turns."""
    taken: dict[str, list[Timing]] = {name: [] for name in versions}
    errors: dict[str, list[float]] = {name: [] for name in versions}
    with tempfile.TemporaryDirectory() as out:
        for src in versions.values():  # the first run compiles the modules
            run(["select", words[0], "--target", "no such outcome", "--out", f"{out}/x"], src, 60)
            run(["demo", "--quiet"], src, 60)
        for _ in range(repeats):
            for name, src in versions.items():
                if any(each.is_stopped for each in taken[name]):
                    continue
                taken[name].append(run(["select", *words, "--out", out, "--force"], src, limit_s))
                wrong = ["select", words[0], "--target", "no such outcome", "--out", f"{out}/x"]
                errors[name].append(run(wrong, src, limit_s).wall)
    rows = []
    for name, timings in taken.items():
        middle = {
            "wall_s": statistics.median(each.wall for each in timings),
            "cpu_s": statistics.median(each.cpu for each in timings),
            "first_answer_s": statistics.median(each.first for each in timings),
            "error_s": statistics.median(errors[name]),
        }
        rounded = {key: f"{value:.2f}" for key, value in middle.items()}
        is_stopped = any(each.is_stopped for each in timings)
        rows.append({"table": label, "version": name, **rounded, "is_stopped": is_stopped})
    return rows


def keep(rows: list[dict[str, object]], labels: Sequence[str]) -> None:
    """Write the rows, with those of the other tables that were measured before."""
    path = RESULTS / "commands.csv"
    known: list[dict[str, object]] = []
    if path.exists():
        with path.open(newline="") as file:
            known = [dict(each) for each in csv.DictReader(file) if each["table"] not in labels]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows([*known, *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--before", type=Path, help="src of another checkout")
    parser.add_argument("--only", nargs="+", choices=tuple(TABLES), default=tuple(TABLES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=600.0, help="wall seconds of one run")
    options = parser.parse_args()
    versions = {"now": Path(__file__).parent.parent / "src"}
    if options.before is not None:
        versions = {"before": options.before.resolve(), **versions}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only:
            label, write = TABLES[name]
            found = time_table(
                label, write(Path(folder)), versions, options.repeats, options.limit
            )
            for row in found:
                print(*row.values(), sep="  ", flush=True)
            rows += found
    keep(rows, [TABLES[name][0] for name in options.only])


if __name__ == "__main__":
    main()
