"""Read Excel workbooks, and text that some programs save with the extension of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from perturbfs._support.extras import import_extra
from perturbfs.datasets._errors import TableError

from ._columnar import as_text
from ._extent import check_extent
from ._files import check_file, check_signature, explained, looks_like
from ._grid import Grid, Row
from ._layout import grid_from_rows
from ._names import find_place, quoted
from ._options import ReadOptions
from ._text import read_delimited

Cells = list[list[Any]]


def read_excel(path: Path, options: ReadOptions) -> Grid:
    """Read one sheet of an Excel workbook: the one that is asked for, or the first table."""
    head = check_file(path)
    if looks_like(head) is None and b"\0" not in head:
        grid = read_delimited(path, options)
        return replace(
            grid, notes=(f"The file is text, although it ends in {path.suffix}.", *grid.notes)
        )
    starts = (b"\xd0\xcf\x11\xe0",) if path.suffix.lower() == ".xls" else (b"PK\x03\x04",)
    check_signature(path, starts, f"an Excel workbook ({path.suffix})")
    calamine = import_extra("python_calamine", extra="formats", needed_by="Reading Excel")
    with explained(path, Exception):  # a damaged file raises exceptions of any kind
        if path.suffix.lower() == ".xlsx":
            check_extent(path, options.read_memory)
        workbook = calamine.CalamineWorkbook.from_path(path)
        place, rows = _find_sheet(workbook, options)
        start = options.skip_rows or 0
        filled = (row for row in _filled_rows(rows) if row[0] > start)
        grid = grid_from_rows(filled, options, is_text=False)
    names = workbook.sheet_names
    if len(names) == 1:
        return grid
    note = (
        f"The workbook has {len(names)} sheets. {names[place]!r} was read; the others, such as "
        f"{names[0 if place else 1]!r}, can be chosen with --sheet (sheet)."
    )
    return replace(grid, notes=(note, *grid.notes))


def _find_sheet(workbook: Any, options: ReadOptions) -> tuple[int, Cells]:
    names = workbook.sheet_names
    if options.sheet is not None:
        place = _place_of(options.sheet, names)
        return place, _cells_of(workbook, place)
    sheets = {}
    for place in range(len(names)):
        sheets[place] = _cells_of(workbook, place)
        if _has_numbers(sheets[place]):
            return place, sheets[place]
    tables = [place for place, rows in sheets.items() if _is_table(rows)]
    place = tables[0] if tables else 0
    return place, sheets[place]


def _place_of(sheet: str | int, names: list[str]) -> int:
    if isinstance(sheet, str) and sheet not in names and sheet.isdecimal():
        sheet = int(sheet)
    if isinstance(sheet, str) and sheet not in names:
        raise TableError(
            f"sheet={sheet!r} is not in the workbook, which has {quoted(names)}. Give one of them "
            "with --sheet (sheet), or a position from 0."
        )
    return find_place(sheet, names, len(names), what="sheet")


def _cells_of(workbook: Any, place: int) -> Cells:
    cells: Cells = workbook.get_sheet_by_index(place).to_python(skip_empty_area=False)
    return cells


def _is_table(rows: Cells) -> bool:
    """Return whether two rows or more have two cells or more."""
    return len(list(islice((1 for row in rows if sum(map(_is_filled, row)) > 1), 2))) == 2


def _has_numbers(rows: Cells) -> bool:
    """Return whether a sheet has as many numbers as rows; notes about a study have few."""
    filled = [row for row in rows if any(map(_is_filled, row))]
    n_numbers = sum(isinstance(cell, float | int) for row in filled for cell in row)
    return _is_table(rows) and n_numbers >= len(filled) - 1


def _is_filled(cell: Any) -> bool:
    return cell is not None and cell != ""


def _filled_rows(rows: Iterable[Iterable[Any]]) -> Iterator[Row]:
    """Yield the rows of a sheet as text, without blank rows and blank columns at the end."""
    table = [(number, as_text(map(_plain, row))) for number, row in enumerate(rows, 1)]
    table = [(number, cells) for number, cells in table if any(cells)]
    width = max(
        (max(i for i, cell in enumerate(cells, 1) if cell) for _, cells in table), default=0
    )
    yield from ((number, cells[:width]) for number, cells in table)


def _plain(cell: Any) -> Any:
    """Return a whole number without a fraction, so that names such as 1 and 2 stay as typed."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return cell.isoformat() if isinstance(cell, date) else cell
