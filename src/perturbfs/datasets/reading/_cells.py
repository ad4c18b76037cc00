"""Convert cells of text to numbers: missing values, decimal commas, thousands separators."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MISSING = frozenset(["", "?", ".", "na", "n/a", "#n/a", "nan", "null", "none", "<na>"])
# Tokens for a value that was not measured. They are counted, because they are no standard.
ERRORS = frozenset(["#value!", "#ref!", "#div/0!", "#name?", "#num!", "#null!"])
TOKENS = ERRORS | {
    *("-", "--", "\u2013", "\u2014", "*", "n.a.", "n.a", "nd", "n.d.", "n.d", "n/d"),
    *("missing", "unknown", "not available", "not detected", "not determined", "not measured"),
    *("lod", "loq", "bdl", "bql", "blq", "below lod", "below loq", "-nan", "1.#qnan", "-1.#ind"),
}
# A value outside the range of an instrument, such as <0.5, >=100 or <LOD>.
CENSORED = re.compile(r"[<>≤≥]=?\s*([\d.,]+(e[+-]?\d+)?|lod|loq|l\.o\.d\.?|l\.o\.q\.?)\s*>?", re.I)
BOOLEANS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True)
class CellFormat:
    """The format of numbers and missing values in cells of text; all readers use it."""

    missing: frozenset[str] = MISSING  # in lower case
    tokens: frozenset[str] = TOKENS  # missing too, but counted
    decimal: str = "."
    thousands: str | None = None
    reads_booleans: bool = True  # whether true and false are 1 and 0, or text

    @property
    def has_marks(self) -> bool:
        """Whether numbers have marks other than a decimal point."""
        return (self.decimal, self.thousands) != (".", None)

    def is_missing(self, cell: str) -> bool:
        """Return whether a cell is empty or has a standard mark for an unknown value."""
        return cell.strip().casefold() in self.missing

    def is_token(self, cell: str) -> bool:
        """Return whether a cell has text that usually stands for an unknown value."""
        cell = cell.strip().casefold()
        return cell in self.tokens or CENSORED.fullmatch(cell) is not None

    def parse(self, cell: str) -> float | None:
        """Return the number in a cell: NaN if it is missing, None if the cell holds text."""
        cell = cell.strip()
        number = self._number(cell)
        if number is not None:
            return number
        if self.is_missing(cell) or self.is_token(cell):
            return math.nan
        return BOOLEANS.get(cell.casefold()) if self.reads_booleans else None

    def _number(self, cell: str) -> float | None:
        if "_" in cell:  # float reads '1_2' as 12; in a table it is a name
            return None
        if self.thousands is not None and is_grouped(cell, self.thousands, self.decimal):
            cell = "".join(each for each in cell if not _same(each, self.thousands))
        if self.decimal == "," and "." not in cell:
            cell = cell.replace(",", ".")
        try:
            return float(cell.replace("\u2212", "-"))  # a minus sign of a word processor
        except ValueError:
            return None

    def parse_row(
        self, cells: list[str], suspects: set[int]
    ) -> tuple[NDArray[np.float64], list[int], list[int]]:
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
        tokens : list of int
            Columns whose cell holds text that stands for a missing value.
        """
        if self.thousands is not None:  # 1.234 would be read as a fraction
            suspects.update(range(len(cells)))
        elif "_" in "".join(cells):
            suspects.update(column for column, cell in enumerate(cells) if "_" in cell)
        plain, text, tokens = cells.copy(), [], []
        if self.decimal == ",":
            plain = [cell.replace(",", ".") for cell in cells]
        for column in suspects:
            value = self.parse(cells[column])
            if value is None:
                text.append(column)
            elif value != value and not self.is_missing(cells[column]):
                tokens.append(column)
            plain[column] = "nan" if value is None else repr(value)
        try:
            return np.array(plain, dtype=np.float64), text, tokens
        except ValueError:
            suspects.update(column for column, cell in enumerate(plain) if not _is_plain(cell))
            return self.parse_row(cells, suspects)

    def parse_column(self, cells: list[str]) -> tuple[NDArray[np.float64], list[int], list[int]]:
        """Convert a column of cells; as `parse_row`, with rows in place of columns."""
        return self.parse_row(cells, set(range(len(cells))))


PLAIN = CellFormat()
# In an outcome, "none" may be a class (none, mild, severe), and so may true, false, "-" and
# "unknown". Errors of a spreadsheet never are.
LABELS = CellFormat(
    missing=MISSING - {"none", "."} | ERRORS, tokens=frozenset(), reads_booleans=False
)
SIGN = r"[+\-\u2212]?"
BLANKS = " \u00a0\u202f\u2009"  # between thousands, in French and in SI notation
APOSTROPHES = "'\u2019"  # between thousands, in Switzerland


def is_grouped(cell: str, thousands: str, decimal: str) -> bool:
    """Return whether a cell is a number in groups of three digits, such as 1,234.5.

    Examples
    --------
    >>> is_grouped("1.234,5", ".", ","), is_grouped("1.5", ".", ",")
    (True, False)
    """
    mark = _alike(thousands)
    pattern = rf"{SIGN}\d{{1,3}}(?:{mark}\d{{3}})+(?:{re.escape(decimal)}\d*)?"
    return re.fullmatch(pattern, cell) is not None


def _alike(mark: str) -> str:
    """Return the pattern of a mark; blanks of all kinds are alike, and so are apostrophes."""
    kinds = next((kind for kind in (BLANKS, APOSTROPHES) if mark in kind), mark)
    return f"[{re.escape(kinds)}]"


def _same(character: str, mark: str) -> bool:
    return re.fullmatch(_alike(mark), character) is not None


def _is_plain(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def numbers_among(tokens: Collection[str]) -> list[float]:
    """Return the tokens that are numbers, such as -99, as numbers."""
    return [float(token) for token in tokens if _is_plain(token) and math.isfinite(float(token))]
