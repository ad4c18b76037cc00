"""How a text file is laid out: its delimiter, and whether its first line holds names."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import TypeVar

from ._grid import FEATURE_NAMES, SAMPLE_NAMES, Wanted, simplify
from ._rows import as_number
from ._table import TableError

Item = TypeVar("Item")

DELIMITERS = (",", "\t", ";", "|")
N_LINES = 20  # looked at before the layout is decided; three where they are long
MANY = 100_000  # characters or fields
MIN_COUNTED = 10  # a sample may read 1, 2, 3 by chance, but hardly go on to 10


def peek(items: Iterator[Item], size: Callable[[Item], int]) -> list[Item]:
    """The first lines or rows: enough to see the layout, few enough to hold in memory."""
    seen: list[Item] = []
    total = 0
    for item in items:
        seen.append(item)
        total += size(item)
        if len(seen) >= N_LINES or (len(seen) >= 3 and total > MANY):
            break
    return seen


def find_delimiter(lines: list[str], suffix: str) -> str | None:
    r"""The delimiter that cuts all lines into the same number of fields, the larger the better.

    Parameters
    ----------
    lines : list of str
        The first lines of the file. The very first may have one field fewer: R writes no name
        above the row names.
    suffix : str
        Extension of the file. ``.tsv`` prefers the tab; only ``.txt`` may be cut at white space.

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
    counts = {delimiter: [count_fields(line, delimiter) for line in lines] for delimiter in order}
    steady = [delimiter for delimiter in order if _is_steady(counts[delimiter])]
    if steady:
        return max(steady, key=lambda delimiter: counts[delimiter][-1])
    if suffix == ".txt" and _is_steady([len(line.split()) for line in lines]):
        return None
    # A single column, or rows of unequal length, which are reported when they are read.
    return max(order, key=lambda delimiter: counts[delimiter][0])


def count_fields(line: str, delimiter: str) -> int:
    """Number of fields of a line."""
    if '"' not in line:
        return line.count(delimiter) + 1
    return len(next(csv.reader([line], delimiter=delimiter), []))


def _is_steady(counts: list[int]) -> bool:
    body = counts[1:] or counts
    return body[0] > 1 and len(set(body)) == 1 and body[0] - counts[0] in (0, 1)


def has_header(rows: list[list[str]], wanted: Wanted) -> bool:
    """Whether the first row holds names.

    It does if it contains the target or index that was asked for, if its first field is empty
    or is a usual name for a column of names, or if a column is text there and numbers below. It
    does not if it has a number and nothing of this is so. Where all is text, it does unless
    one of its entries is found again below, as a class would be.

    Parameters
    ----------
    rows : list of list of str
        The first rows.
    wanted : Wanted

    Returns
    -------
    answer : bool

    Examples
    --------
    >>> has_header([["age", "sex"], ["31", "f"]], Wanted())
    True
    >>> has_header([["s1", "tumor"], ["s2", "normal"], ["s3", "tumor"]], Wanted())
    False
    """
    if wanted.header is not None:
        return wanted.header
    first, below = rows[0], rows[1:]
    if not below:
        return all(as_number(name) is None for name in first)
    if len(first) == len(below[0]) - 1:
        return True  # as R writes it
    asked = {name for name in (wanted.target, wanted.index) if isinstance(name, str)}
    if asked.intersection(first) or _starts_with_names(first) or _counts_columns(first):
        return True
    return _differs_from_below(first, below)


def _counts_columns(first: list[str]) -> bool:
    """Whether the line is 0, 1, 2, ... or 1, 2, 3, ...: columns that were numbered, not data."""
    entries = [entry.strip() for entry in first]
    counts = (range(start, start + len(entries)) for start in (0, 1))
    return len(entries) >= MIN_COUNTED and any(
        entries == [str(count) for count in each] for each in counts
    )


def _differs_from_below(first: list[str], below: list[list[str]]) -> bool:
    columns = list(zip(*(row for row in below if len(row) == len(first)), strict=True))
    pairs = list(zip(first, columns, strict=False))
    if any(_is_name_of_numbers(name, column) for name, column in pairs):
        return True
    if any(as_number(name) is not None for name in first):
        return False
    return not any(name in column for name, column in pairs)


def _is_name_of_numbers(name: str, column: tuple[str, ...]) -> bool:
    if as_number(name) is not None:
        return False
    values = [as_number(entry) for entry in column]
    return None not in values and any(value == value for value in values)  # NaN differs


def _starts_with_names(first: list[str]) -> bool:
    corner, others = first[0], first[1:]
    if corner.strip():
        return simplify(corner) in SAMPLE_NAMES | FEATURE_NAMES
    # An empty corner is a missing value if measurements follow, and custom if names do;
    # pandas numbers columns that have no names.
    return all(as_number(name) is None or name.isdecimal() for name in others)


def split_header(
    rows: list[list[str]], wanted: Wanted
) -> tuple[list[str] | None, list[list[str]], int]:
    """Names of the columns, the rows below them, and the number of fields a row must have.

    Parameters
    ----------
    rows : list of list of str
        The first rows.
    wanted : Wanted

    Returns
    -------
    names : list of str or None
    below : list of list of str
    width : int
    """
    if not rows:
        raise TableError("there are no rows. A table with at least one sample is needed.")
    if not has_header(rows, wanted):
        return None, rows, len(rows[0])
    names, below = rows[0], rows[1:]
    if not below:
        raise TableError("there are names in the first line but no rows below. Add the samples.")
    if len(below[0]) == len(names) + 1:
        names = ["", *names]  # R writes no name above the row names
    return names, below, len(names)
