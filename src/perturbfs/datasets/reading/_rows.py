"""Rows of text become numbers, one row at a time.

No table library is used for text. Those that read column by column allocate something for
each of 100,000 columns; a row of text turned into numbers and forgotten needs little more
memory than the numbers. `benchmarks/reading.py` has the figures.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ._grid import Grid
from ._table import TableError

MISSING = frozenset(["", "?", ".", "na", "n/a", "#n/a", "nan", "null", "none", "<na>"])
BOOLEANS = {"true": 1.0, "false": 0.0}
MAX_EXAMPLES = 1000


def as_number(entry: str) -> float | None:
    """Value of an entry: NaN where it says that it is missing, None where it is text."""
    entry = entry.strip()
    if "_" not in entry:  # float takes '1_2' for 12; in a table it is a name
        try:
            return float(entry)
        except ValueError:
            pass
    entry = entry.casefold()
    return math.nan if entry in MISSING else BOOLEANS.get(entry)


def convert_row(fields: list[str], suspects: set[int]) -> tuple[NDArray[np.float64], list[int]]:
    """Numbers of a row, and the columns whose entry is text.

    Parameters
    ----------
    fields : list of str
    suspects : set of int
        Columns that held something other than a number in a row before; looked at one by
        one, so that all others can be converted at once. Grows as more are found.

    Returns
    -------
    values : array of shape (n_columns,)
        NaN where an entry is missing or text.
    text : list of int
    """
    if "_" in "".join(fields):
        suspects.update(column for column, entry in enumerate(fields) if "_" in entry)
    plain, text = fields.copy(), []
    for column in suspects:
        value = as_number(fields[column])
        if value is None:
            text.append(column)
        plain[column] = "nan" if value is None else repr(value)
    try:
        return np.array(plain, dtype=np.float64), text
    except ValueError:
        suspects.update(column for column, entry in enumerate(plain) if not _is_plain(entry))
        return convert_row(fields, suspects)


def _is_plain(entry: str) -> bool:
    try:
        float(entry)
    except ValueError:
        return False
    return True


def collect_grid(
    rows: Iterable[tuple[int, list[str]]],
    *,
    width: int,
    names: list[str] | None,
    keep_columns: list[int],
    row_target: str | int | None,
) -> Grid:
    """A grid from rows of text.

    Parameters
    ----------
    rows : iterable of (line, fields)
        The line number is for messages.
    width : int
        Fields that every row must have.
    names : list of str or None
        Of the columns.
    keep_columns : list of int
        Columns whose entries are kept as written too.
    row_target : str, int or None
        The outcome, where it may be a row: those of this name, and those that are mostly text,
        are kept as written.

    Returns
    -------
    grid : Grid
    """
    numbers = array("d")
    column_texts: dict[int, list[str]] = {column: [] for column in keep_columns}
    row_texts: dict[int, list[str]] = {}
    examples: dict[tuple[int, int], str] = {}
    suspects, text_at = set(keep_columns), array("q")
    n_rows = 0
    for row, (line, fields) in enumerate(rows):
        if len(fields) != width:
            raise ragged_row(line, len(fields), width)
        values, text = convert_row(fields, suspects)
        numbers.frombytes(values.tobytes())
        for column, entries in column_texts.items():
            entries.append(fields[column])
        for column in text:
            text_at.extend((row, column))
            if len(examples) < MAX_EXAMPLES:
                examples[row, column] = fields[column]
        if row_target is not None and (fields[0] == row_target or 2 * len(text) >= width):
            row_texts[row] = fields
        n_rows = row + 1
    return Grid(
        values=np.frombuffer(numbers, dtype=np.float64).reshape(n_rows, width),
        column_names=names,
        column_texts=column_texts,
        row_texts=row_texts,
        text_at=np.frombuffer(text_at, dtype=np.int64).reshape(-1, 2).astype(np.intp),
        examples=examples,
    )


def ragged_row(line: int, n_fields: int, width: int) -> TableError:
    """The error for a row that is longer or shorter than the others."""
    return TableError(
        f"line {line} has {n_fields} fields where {width} are expected. Mend that line, or put "
        "quotes around entries that contain the delimiter; if it is the last line, the file may "
        "be cut short."
    )
