"""Delimited text (CSV, TSV) and GCT, row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Literal

from ._grid import Grid, Wanted, columns_to_keep, target_in_rows
from ._header import find_delimiter, peek, split_header
from ._open import open_text
from ._rows import collect_grid
from ._table import TableError

Row = tuple[int, list[str]]


def read_delimited(path: Path, wanted: Wanted) -> Grid:
    """The entries of a CSV, TSV or TXT file.

    Parameters
    ----------
    path : Path
    wanted : Wanted

    Returns
    -------
    grid : Grid
    """
    suffix = path.suffixes[-2] if path.suffix.lower() == ".gz" else path.suffix
    with open_text(path) as handle:
        lines = peek(handle, len)
        delimiter = find_delimiter([line for line in lines if line.strip()], suffix.lower())
        return grid_from_rows(split_lines(chain(lines, handle), delimiter), wanted)


def split_lines(
    lines: Iterable[str], delimiter: str | None, *, is_quoted: bool = True
) -> Iterator[Row]:
    """Line numbers and fields of the lines that are not blank; None cuts at white space."""
    if delimiter is None:
        split = ((line, text.split()) for line, text in enumerate(lines, 1))
        yield from ((line, fields) for line, fields in split if fields)
        return
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, strict=True, quoting=quoting)
    for fields in reader:
        if fields and (len(fields) > 1 or fields[0].strip()):
            yield reader.line_num, fields


def grid_from_rows(rows: Iterator[Row], wanted: Wanted) -> Grid:
    """A grid from rows of which the first may hold names."""
    numbered = peek(rows, lambda row: len(row[1]))
    names, below, width = split_header([fields for _, fields in numbered], wanted)
    return collect_grid(
        chain(numbered[len(numbered) - len(below) :], rows),
        width=width,
        names=names,
        keep_columns=columns_to_keep(names, width, wanted),
        row_target=target_in_rows(names, wanted),
    )


def read_gct(path: Path, wanted: Wanted) -> Grid:
    """The entries of a GCT file, version 1.2 or 1.3: features in rows, by definition.

    Parameters
    ----------
    path : Path
    wanted : Wanted

    Returns
    -------
    grid : Grid
        Descriptions of features and samples are marked as annotation. In version 1.3 a
        description of the samples can be the target.
    """
    with open_text(path) as handle:
        version = handle.readline().strip()
        if version not in ("#1.2", "#1.3"):
            raise TableError(
                f"{path} starts with {version[:40]!r}, and a GCT file starts with #1.2 or #1.3. "
                "If it is plain tab-delimited text, call it .tsv."
            )
        n_rows, n_columns, n_row_notes, n_column_notes = _gct_counts(handle.readline(), version)
        # A quote in a GCT file is a letter like any other: 5"-end, and the like.
        rows = split_lines(handle, "\t", is_quoted=False)
        names = next(rows, (3, []))[1]
        grid = collect_grid(
            ((line + 2, fields) for line, fields in rows),
            width=1 + n_row_notes + n_columns,
            names=names,
            keep_columns=[0],
            row_target=wanted.target,
        )
    found = (grid.values.shape[0] - n_column_notes, len(names) - 1 - n_row_notes)
    if found != (n_rows, n_columns):
        raise TableError(
            f"{path} announces {n_rows} features and {n_columns} samples, but holds {found[0]} "
            f"and {found[1]}. It may be cut short: copy it again, or correct its second line."
        )
    return replace(
        grid,
        features_in_rows=True,
        annotation_columns=frozenset(range(1, 1 + n_row_notes)),
        annotation_rows=frozenset(range(n_column_notes)),
    )


def _gct_counts(line: str, version: str) -> tuple[int, int, int, int]:
    fields = line.split()
    if not all(field.isdecimal() for field in fields) or len(fields) < 2:
        raise TableError(
            f"line 2 is {line.strip()[:40]!r}, and a GCT file has the numbers of features and "
            "samples there. Export it again."
        )
    counts = [int(field) for field in fields]
    if version == "#1.2":
        return counts[0], counts[1], 1, 0
    n_row_notes, n_column_notes = [*counts[2:], 0, 0][:2]
    return counts[0], counts[1], n_row_notes, n_column_notes
