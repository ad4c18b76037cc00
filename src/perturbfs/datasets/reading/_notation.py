"""Find how a file writes numbers: with a decimal point or comma, with thousands separators."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from perturbfs.datasets._errors import TableError

from ._cells import APOSTROPHES, BLANKS, CellFormat, is_grouped

SIGN = r"[+\-\u2212]?"
COMMA = re.compile(rf"{SIGN}\d*,\d+(e[+-]?\d+)?", re.I)
POINT = re.compile(rf"{SIGN}\d*\.\d+(e[+-]?\d+)?", re.I)
ONE_GROUP = re.compile(rf"{SIGN}[1-9]\d{{0,2}}[.,]\d{{3}}")  # 1,234 and 1.234
WITH_MARKS = re.compile(rf"[,{BLANKS}{APOSTROPHES}]|\..*\.")


def find_notation(
    cells: Iterable[str], *, comma_is_free: bool = False, is_text: bool = True
) -> tuple[str, str | None] | None:
    """Return the decimal mark and the thousands separator that some cells use.

    Parameters
    ----------
    cells : iterable of str
    comma_is_free : bool
        Whether the fields of the file are separated by semicolons, as they are where the comma
        is the decimal mark.
    is_text : bool
        False for a workbook, whose numbers have a decimal point whatever its text has.

    Returns
    -------
    notation : (decimal, thousands) or None
        None if the cells are plain numbers or no numbers.

    Raises
    ------
    TableError
        If all that there is can be read in two ways, such as 1,234.

    Examples
    --------
    >>> find_notation(["1,5", "23"]), find_notation(["1,234.5"]), find_notation(["1.5"])
    ((',', None), ('.', ','), None)
    """
    cells = [cell.strip() for cell in cells]
    odd = [cell for cell in cells if WITH_MARKS.search(cell)]
    if not odd:
        return None
    sure = _sure_groups(odd)
    if sure is not None:
        return sure
    with_comma = [cell for cell in odd if COMMA.fullmatch(cell)]
    if not with_comma:
        return None
    with_point = [cell for cell in cells if POINT.fullmatch(cell)]
    if not all(ONE_GROUP.fullmatch(cell) for cell in with_comma):
        is_grouped_by_point = is_text and all(ONE_GROUP.fullmatch(cell) for cell in with_point)
        return ",", "." if with_point and is_grouped_by_point else None
    if comma_is_free:
        return ",", None
    if with_point:
        return ".", ","
    raise TableError(
        f"cells such as {with_comma[0]!r} can be read in two ways, with the comma before the "
        "fraction or between thousands. State which it is: --decimal , or --thousands , (in "
        "Python decimal=',' or thousands=',')."
    )


def _sure_groups(odd: list[str]) -> tuple[str, str] | None:
    """Return the notation of numbers in groups that can be read in one way only."""
    for mark, decimal in ((".", ","), (",", ".")):
        grouped = (cell for cell in odd if is_grouped(cell, mark, decimal))
        if not all(ONE_GROUP.fullmatch(cell) for cell in grouped):
            return decimal, mark
    for mark in " '":
        with_comma = [cell for cell in odd if is_grouped(cell, mark, ",")]
        if with_comma and any("," in cell for cell in with_comma):
            return ",", mark
        if with_comma or any(is_grouped(cell, mark, ".") for cell in odd):
            return ("," if any(map(COMMA.fullmatch, odd)) else "."), mark
    return None


def describe_notation(cells: CellFormat) -> str:
    """Return a sentence about numbers that are not written with a decimal point only."""
    marks = {" ": "blanks", "'": "apostrophes", ",": "commas", ".": "points"}
    between = "" if cells.thousands is None else marks.get(cells.thousands, repr(cells.thousands))
    if cells.decimal == ",":
        also = f" and {between} between thousands (1{cells.thousands}234,5)" if between else ""
        return f"Numbers were read with a decimal comma{also or ' (1,5)'}."
    return f"Numbers were read with {between} between thousands (1{cells.thousands}234.5)."


def with_notation(cells: CellFormat, found: tuple[str, str | None]) -> CellFormat:
    """Return the format with a decimal mark and a thousands separator."""
    return replace(cells, decimal=found[0], thousands=found[1])
