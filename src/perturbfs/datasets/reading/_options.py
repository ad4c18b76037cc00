"""Options for reading a file, and the conversion of a cell of text to a number."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._table import Task

MISSING = frozenset(["", "?", ".", "na", "n/a", "#n/a", "nan", "null", "none", "<na>"])
BOOLEANS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True)
class CellFormat:
    """The format of numbers and missing values in cells of text.

    All readers convert cells with this class. A new notation for numbers or missing values is a
    new field here.
    """

    missing: frozenset[str] = MISSING  # in lower case
    reads_booleans: bool = True  # whether true and false are 1 and 0, or text

    def is_missing(self, cell: str) -> bool:
        """Return whether a cell says that its value is unknown."""
        return cell.strip().casefold() in self.missing

    def parse(self, cell: str) -> float | None:
        """Return the number in a cell: NaN if it is missing, None if the cell holds text."""
        cell = cell.strip()
        if "_" not in cell:  # float reads '1_2' as 12; in a table it is a name
            try:
                return float(cell)
            except ValueError:
                pass
        cell = cell.casefold()
        if cell in self.missing:
            return math.nan
        return BOOLEANS.get(cell) if self.reads_booleans else None

    def parse_row(
        self, cells: list[str], suspects: set[int]
    ) -> tuple[NDArray[np.float64], list[int]]:
        """Convert a row of cells.

        Parameters
        ----------
        cells : list of str
        suspects : set of int
            Columns in which an earlier row had something other than a plain number. Their
            cells are converted one by one; those of all other columns at once, which is much
            faster. Columns are added when they are found.

        Returns
        -------
        values : array of shape (n_columns,)
            NaN where a cell is missing or holds text.
        text : list of int
            Columns whose cell holds text.
        """
        if "_" in "".join(cells):
            suspects.update(column for column, cell in enumerate(cells) if "_" in cell)
        plain, text = cells.copy(), []
        for column in suspects:
            value = self.parse(cells[column])
            if value is None:
                text.append(column)
            plain[column] = "nan" if value is None else repr(value)
        try:
            return np.array(plain, dtype=np.float64), text
        except ValueError:
            suspects.update(column for column, cell in enumerate(plain) if not _is_plain(cell))
            return self.parse_row(cells, suspects)


# In an outcome, "none" may be a class (none, mild, severe), and so may true and false.
LABELS = CellFormat(missing=MISSING - {"none", "."}, reads_booleans=False)


def _is_plain(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The options of `read_table`; None means that the file decides.

    Every step from the file to the table takes them. A new option is a field here and a change
    in the one step that uses it.
    """

    target: str | int | None = None
    index: str | int | None = None  # False: no column holds names
    features_in_rows: bool | None = None
    header: bool | None = None
    task: Task | None = None
    drop_text: bool = False
    allow_missing: bool = False
    kept_columns: tuple[int, ...] = ()  # columns whose cells are needed as text too
    cells: CellFormat = CellFormat()
