"""Print tables of scores and keep them as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from _measure import RESULTS


def show_and_keep(
    name: str, header: Sequence[str], rows: Sequence[Sequence[object]], folder: Path = RESULTS
) -> None:
    """Print a table and write it to <folder>/<name>.csv."""
    table = [header, *rows]
    widths = [max(len(str(line[column])) for line in table) for column in range(len(header))]
    for line in table:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)))
    folder.mkdir(exist_ok=True)
    with (folder / f"{name}.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    print(f"\nwritten to {folder.name}/{name}.csv")
