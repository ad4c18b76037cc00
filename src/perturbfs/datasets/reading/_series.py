"""Read the series matrix of the Gene Expression Omnibus (GEO)."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from perturbfs.datasets._errors import TableError

from ._grid import Grid, Row, collect_grid
from ._options import ReadOptions

BEGIN = "!series_matrix_table_begin"
CHARACTERISTICS = "!sample_characteristics_ch"
TITLE = "!sample_title"


def is_series(comments: Sequence[str]) -> bool:
    """Return whether the lines above a table are those of a series matrix."""
    return any(line.strip().casefold().startswith(BEGIN) for line in comments)


def read_series(comments: Sequence[str], rows: Iterator[Row], options: ReadOptions) -> Grid:
    """Return the table of a series matrix, with the characteristics of the samples.

    Parameters
    ----------
    comments : sequence of str
        The lines that start with an exclamation mark. ``!Sample_characteristics_ch1`` has cells
        such as ``disease: yes``, so ``disease`` can be the target.
    rows : iterator of (line, cells)
        The rows of the table, of which the first one has the names of the samples.
    options : ReadOptions

    Returns
    -------
    grid : Grid
        Features are in rows.
    """
    line, names = next(rows, (0, []))
    if len(names) < 2:
        raise TableError(
            "the series matrix has no table of measurements, as for sequencing data. Download "
            "the file with the counts from the same page of GEO."
        )
    described = _describe_samples(comments, n_samples=len(names) - 1)
    above = ((line, cells) for cells in described)
    grid = collect_grid(
        chain(above, ((line + len(comments), cells) for line, cells in rows)),
        names,
        replace(options, features_in_rows=True),
        width=len(names),
    )
    found = ", ".join(repr(cells[0]) for cells in described[:10])
    note = "The file was read as a series matrix of GEO."
    if found:
        note += f" It describes its samples by {found}; each can be the target."
    return replace(
        grid,
        features_in_rows=True,
        annotation_rows=frozenset(range(len(described))),
        notes=(note,),
    )


def _describe_samples(comments: Sequence[str], *, n_samples: int) -> list[list[str]]:
    """Return a row per characteristic of the samples: its name and their values."""
    rows: list[list[str]] = []
    for name, *cells in filter(None, csv.reader(comments, delimiter="\t")):
        key = name.strip().casefold()
        if len(cells) != n_samples or not key.startswith((CHARACTERISTICS, TITLE)):
            continue
        if key == TITLE:
            rows.append(["title", *cells])
            continue
        pairs = [cell.partition(":") for cell in cells]
        names = Counter(label.strip() for label, colon, _ in pairs if colon)
        label = names.most_common(1)[0][0] if names else name.strip().lstrip("!")
        values = [v.strip() if lab.strip() == label else "" for lab, _, v in pairs]
        rows.append([_new_name(label, rows), *values])
    return rows


def _new_name(label: str, rows: list[list[str]]) -> str:
    taken = {row[0] for row in rows}
    while label in taken:
        label += "'"
    return label
