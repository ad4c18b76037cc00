"""The layout of a text file: its delimiter, and whether its first row holds names."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeVar

from perturbfs.datasets._errors import TableError

from ._grid import Grid, Row, collect_grid
from ._names import FEATURE_NAMES, SAMPLE_NAMES, simplify
from ._options import ReadOptions

Item = TypeVar("Item")

DELIMITERS = (",", "\t", ";", "|")
N_LINES = 20  # that decide the layout; three if they are long
MANY = 100_000  # characters or cells
MIN_COUNTED = 10  # a sample may read 1, 2, 3 by chance, but hardly on to 10


def peek(items: Iterator[Item], size: Callable[[Item], int]) -> list[Item]:
    """Return the first lines or rows: enough to see the layout, and few in memory."""
    seen: list[Item] = []
    total = 0
    for item in items:
        seen.append(item)
        total += size(item)
        if len(seen) >= N_LINES or (len(seen) >= 3 and total > MANY):
            break
    return seen


def find_delimiter(lines: list[str], suffix: str) -> str | None:
    r"""Return the delimiter that splits all lines into the same, largest number of fields.

    Parameters
    ----------
    lines : list of str
        The first lines of the file. The first one may have one field less, because R writes no
        name above the row names.
    suffix : str
        Extension of the file. ``.tsv`` prefers the tab; only ``.txt`` may have white space.

    Returns
    -------
    delimiter : str or None
        None for white space.

    Examples
    --------
    >>> find_delimiter(["a;b;c", "1,5;2,5;3"], ".csv")
    ';'
    >>> find_delimiter(["1  2 3", "4  5 6"], ".txt") is None
    True
    """
    order = sorted(DELIMITERS, key=lambda delimiter: suffix != ".tsv" or delimiter != "\t")
    counts = {delimiter: [_count_fields(line, delimiter) for line in lines] for delimiter in order}
    steady = [delimiter for delimiter in order if _is_steady(counts[delimiter])]
    if steady:
        return max(steady, key=lambda delimiter: counts[delimiter][-1])
    if suffix == ".txt" and _is_steady([len(line.split()) for line in lines]):
        return None
    # A single column, or rows of unequal length. The latter are reported when they are read.
    return max(order, key=lambda delimiter: counts[delimiter][0])


def _count_fields(line: str, delimiter: str) -> int:
    if '"' not in line:
        return line.count(delimiter) + 1
    return len(next(csv.reader([line], delimiter=delimiter), []))


def _is_steady(counts: list[int]) -> bool:
    body = counts[1:] or counts
    return body[0] > 1 and len(set(body)) == 1 and body[0] - counts[0] in (0, 1)


def grid_from_rows(rows: Iterator[Row], options: ReadOptions) -> Grid:
    """Convert rows of text to a grid; the first row may hold names."""
    first = peek(rows, lambda row: len(row[1]))
    if not first:
        raise TableError("there are no rows. A table with at least one sample is needed.")
    names = None
    if has_header([cells for _, cells in first], options):
        names = first.pop(0)[1]
        if not first:
            raise TableError(
                "there are names in the first line but no rows below them. Add the samples."
            )
        if len(first[0][1]) == len(names) + 1:
            names = ["", *names]  # R writes no name above the row names
    width = len(first[0][1] if names is None else names)
    return collect_grid(chain(first, rows), names, options, width=width)


def has_header(rows: list[list[str]], options: ReadOptions) -> bool:
    """Return whether the first row holds names.

    It does if it contains the target or index that the caller named, if its first cell is empty
    or a usual name for a column of names, or if some column has text there and numbers below.
    Otherwise it does not if it contains a number. If all cells are text, it does unless one of
    them occurs again below, as a class would.

    Parameters
    ----------
    rows : list of list of str
        The first rows.
    options : ReadOptions

    Returns
    -------
    answer : bool

    Examples
    --------
    >>> has_header([["age", "sex"], ["31", "f"]], ReadOptions())
    True
    >>> has_header([["s1", "tumor"], ["s2", "normal"], ["s3", "tumor"]], ReadOptions())
    False
    """
    if options.header is not None:
        return options.header
    first, below = rows[0], rows[1:]
    parse = options.cells.parse
    is_text = [parse(name) is None for name in first]
    if not below:
        return all(is_text)
    if len(first) == len(below[0]) - 1:
        return True  # as R writes it
    asked = {name for name in (options.target, options.index) if isinstance(name, str)}
    if asked.intersection(first) or _counts_columns(first) or _starts_with_names(first, is_text):
        return True
    columns = list(zip(*(row for row in below if len(row) == len(first)), strict=True))
    for name_is_text, column in zip(is_text, columns, strict=False):
        values = [parse(cell) for cell in column] if name_is_text else [None]
        if None not in values and any(value == value for value in values):  # NaN differs
            return True
    repeats = any(name in column for name, column in zip(first, columns, strict=False))
    return all(is_text) and not repeats


def _counts_columns(first: list[str]) -> bool:
    """Return whether the cells are 0, 1, 2, ... or 1, 2, 3, ...: numbers of the columns."""
    cells, n = [cell.strip() for cell in first], len(first)
    counted = [[str(count) for count in range(start, start + n)] for start in (0, 1)]
    return n >= MIN_COUNTED and cells in counted


def _starts_with_names(first: list[str], is_text: list[bool]) -> bool:
    corner, others = first[0], first[1:]
    if corner.strip():
        return simplify(corner) in SAMPLE_NAMES | FEATURE_NAMES
    # An empty corner is a missing value if measurements follow, and usual if names do.
    # pandas numbers columns that have no names.
    return all(text or name.isdecimal() for name, text in zip(others, is_text[1:], strict=True))
