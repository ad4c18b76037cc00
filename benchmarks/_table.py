"""Print tables of scores and keep them as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from _measure import RESULTS


def show_and_keep(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table and write it to results/<name>.csv."""
    table = [header, *rows]
    widths = [max(len(str(line[column])) for line in table) for column in range(len(header))]
    for line in table:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)))
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    print(f"\nwritten to {RESULTS.name}/{name}.csv")
