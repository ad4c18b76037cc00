"""Tables as CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from perturbfs.datasets import Table
from perturbfs.results import Selection


def write_rows(path: Path, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> None:
    """A CSV file in UTF-8 with the same bytes on every system."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def column_names(selection: Selection) -> list[str]:
    """Names of the chosen features, by rank; numbers stand in for names that do not exist."""
    return [feature.label for feature in selection.features]


def sample_labels(table: Table) -> list[Any]:
    """Names of the samples, or their numbers from 1."""
    if table.sample_names is None:
        return list(range(1, table.n_samples + 1))
    labels: list[Any] = table.sample_names.tolist()
    return labels
