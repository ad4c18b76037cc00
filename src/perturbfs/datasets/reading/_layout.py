"""The layout of a text file: its delimiter, and whether its first row holds names."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeVar

import numpy as np

from perturbfs.datasets._errors import TableError

from ._grid import Grid, Row, collect_grid
from ._names import FEATURE_NAMES, SAMPLE_NAMES, simplify
from ._notation import COMMA, find_notation, with_notation
from ._options import ReadOptions
from ._preamble import MAX_TITLES, count_titles

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
    # Titles above the table have other numbers of fields.
    for start in range(min(MAX_TITLES, len(lines) - 2) + 1 if len(lines) > 2 else 1):
        found = _find_steady(lines[start:], order, may_be_blank=suffix == ".txt")
        if found != "":
            return found
    # A single column, or rows of unequal length. The latter are reported when they are read.
    return max(order, key=lambda delimiter: max(_count_fields(e, delimiter) for e in lines))


def _find_steady(lines: list[str], order: list[str], *, may_be_blank: bool) -> str | None:
    """Return the delimiter that splits all lines alike: None for white space, "" for none."""
    counts = {delimiter: [_count_fields(line, delimiter) for line in lines] for delimiter in order}
    steady = [delimiter for delimiter in order if _is_steady(counts[delimiter])]
    others = [delimiter for delimiter in steady if delimiter != ","]
    if "," in steady and any(_has_decimal_comma(lines[-1], each) for each in others):
        steady = others
    if steady:
        return max(steady, key=lambda delimiter: counts[delimiter][-1])
    blanks = [len(split_at_blanks(line)) for line in lines]
    is_free = not any(delimiter in line for line in lines for delimiter in order)
    if _is_steady(blanks) and (may_be_blank or (is_free and blanks[-1] > 2)):
        return None
    return ""


def _has_decimal_comma(line: str, delimiter: str) -> bool:
    return any(COMMA.fullmatch(cell.strip()) for cell in line.split(delimiter))


def split_at_blanks(line: str) -> list[str]:
    """Return the cells of a line that are separated by white space, without their quotes."""
    if '"' not in line:
        return line.split()
    line = line.strip().replace("\t", " ")
    return next(csv.reader([line], delimiter=" ", skipinitialspace=True), [])


def _count_fields(line: str, delimiter: str) -> int:
    if '"' not in line:
        return line.count(delimiter) + 1
    return len(next(csv.reader([line], delimiter=delimiter), []))


def _is_steady(counts: list[int]) -> bool:
    body = counts[1:] or counts
    return body[0] > 1 and len(set(body)) == 1 and body[0] - counts[0] in (0, 1)


def grid_from_rows(
    rows: Iterator[Row],
    options: ReadOptions,
    *,
    comma_is_free: bool = False,
    is_text: bool = True,
) -> Grid:
    """Convert rows of text to a grid; titles may come first, then a row of names.

    Parameters
    ----------
    rows : iterator of (line, cells)
    options : ReadOptions
    comma_is_free, is_text : bool
        As for `find_notation`.

    Returns
    -------
    grid : Grid
    """
    first = peek(rows, lambda row: len(row[1]))
    if not first:
        raise TableError("there are no rows. A table with at least one sample is needed.")
    if options.finds_notation:
        cells = chain.from_iterable(cells for _, cells in first)
        found = find_notation(cells, comma_is_free=comma_is_free, is_text=is_text)
        if found is not None:
            options = replace(options, cells=with_notation(options.cells, found))
    first, notes = _without_titles(first, options)
    names = None
    if has_header([cells for _, cells in first], options):
        names = first.pop(0)[1]
        if not first:
            raise TableError(
                "there are names in the first line but no rows below them. Add the samples."
            )
        names = _fitted(names, [cells for _, cells in first])
    width = len(first[0][1] if names is None else names)
    grid = collect_grid(chain(first, rows), names, options, width=width)
    if grid.values.size == 0:
        raise TableError("there are no rows with entries. At least one sample is needed.")
    return replace(_without_empty_columns(grid), notes=notes)


def _without_titles(rows: list[Row], options: ReadOptions) -> tuple[list[Row], tuple[str, ...]]:
    """Return the first rows without titles, and a note about them."""
    n_titles = 0 if options.skip_rows is not None else count_titles([row for _, row in rows])
    if n_titles == 0 or not has_header([row for _, row in rows[n_titles:]], options):
        return rows, ()
    title = next(cell.strip() for cell in rows[0][1] if cell.strip())
    note = (
        f"The first {'row' if n_titles == 1 else f'{n_titles} rows'} above the names of the "
        f"columns, {title[:60]!r}, {'was' if n_titles == 1 else 'were'} skipped."
    )
    return rows[n_titles:], (note,)


def _fitted(names: list[str], body: list[list[str]]) -> list[str]:
    """Return as many names as there are cells below them."""
    n_cells = len(body[0])
    while len(names) > n_cells and not names[-1].strip():
        names = names[:-1]  # a delimiter at the end of the first line only
    spare = n_cells - len(names)
    if spare > 0 and not any(cell.strip() for row in body for cell in row[len(names) :]):
        return names + [""] * spare  # a delimiter at the end of all other lines
    return ["", *names] if spare == 1 else names  # R writes no name above the row names


def _without_empty_columns(grid: Grid) -> Grid:
    """Return the grid without columns that have neither a name nor an entry."""
    names = grid.column_names or []
    unnamed = [column for column, name in enumerate(names) if not name.strip()]
    filled = {*grid.text_at[:, 1].tolist(), *grid.token_at[:, 1].tolist()}
    empty = [
        column
        for column in unnamed
        if column not in filled and np.isnan(grid.values[:, column]).all()
    ]
    return grid.without_columns(dict.fromkeys(empty)) if empty else grid


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
    counted = [[str(number) for number in range(start, start + n)] for start in (0, 1)]
    return n >= MIN_COUNTED and cells in counted


def _starts_with_names(first: list[str], is_text: list[bool]) -> bool:
    corner, others = first[0], first[1:]
    if corner.strip():
        return simplify(corner) in SAMPLE_NAMES | FEATURE_NAMES
    # An empty corner is a missing value if measurements follow, and usual if names do.
    # pandas numbers columns that have no names.
    return all(text or name.isdecimal() for name, text in zip(others, is_text[1:], strict=True))
