"""Keep the results of `fresh`, one file per data set, and read them as scores."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from _protocol import SIZES

from perturbfs.datasets import find_dataset
from perturbfs.scoring import stability

PREDICTORS = ("tree", "linear", "3nn")
STABILITY_SIZE = 20  # the only one whose features are kept
HEADER = (
    *("method", "split", "size", "n_features", *PREDICTORS),
    *("cpu_s", "note", "commit", "features"),
)
STOPPED = ">"  # begins the note of an answer that took more than the limit

Row = dict[str, Any]


def append(path: Path, rows: Sequence[Row]) -> None:
    """Append rows to a file in one piece; the file begins with the header."""
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, HEADER, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerows(rows)


def cut_half_a_line(path: Path) -> None:
    """Remove a last line that is not complete, because the run was stopped."""
    if path.exists():
        content = path.read_bytes()
        path.write_bytes(content[: content.rfind(b"\n") + 1])


def read_rows(path: Path) -> dict[tuple[str, str], list[Row]]:
    """Return the rows by method and size."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found[row["method"], row["size"]].append(row)
    return found


class Results:
    """The results in a folder, as means over splits; NaN if a split is missing."""

    def __init__(self, folder: Path, n_splits: int) -> None:
        self.n_splits = n_splits
        self._read = cache(lambda name: read_rows(folder / f"{name}.csv"))

    def rows(self, name: str, method: str, size: int | str) -> list[Row]:
        """Return the rows of one size if all splits have scores."""
        whole = [row for row in self._read(name)[method, str(size)] if row["tree"]]
        return whole if len(whole) == self.n_splits else []

    def mean(self, name: str, method: str, size: int | str, *columns: str) -> float:
        """Return the mean of columns over the splits."""
        rows = self.rows(name, method, size)
        values = [float(row[column]) for row in rows for column in columns]
        return float(np.mean(values)) if values else np.nan

    def score(self, name: str, method: str, size: int | str) -> float:
        """Return the score in percent, the mean of the predictors."""
        return 100 * self.mean(name, method, size, *PREDICTORS)

    def over_sizes(self, name: str, method: str) -> float:
        """Return the mean score over the fixed sizes."""
        return float(np.mean([self.score(name, method, size) for size in SIZES]))

    def agreement(self, name: str, method: str) -> float:
        """Return the stability of the subsets over the splits."""
        rows = self.rows(name, method, STABILITY_SIZE)
        chosen = [np.array(row["features"].split(), dtype=int) for row in rows]
        return stability(chosen, find_dataset(name).shape[1]) if len(chosen) > 1 else np.nan

    def is_tried(self, name: str, method: str) -> bool:
        """Return whether there is any row of the method."""
        return any(key[0] == method and rows for key, rows in self._read(name).items())

    def commits(self, name: str) -> set[str]:
        """Return the commits of the package that gave the results."""
        return {row["commit"] for rows in self._read(name).values() for row in rows}

    def why_not(self, name: str, method: str) -> str:
        """Return why a method has no score over the fixed sizes."""
        for size in SIZES:
            for row in self._read(name)[method, str(size)]:
                if row["note"]:
                    return str(row["note"])
        return "not complete"
