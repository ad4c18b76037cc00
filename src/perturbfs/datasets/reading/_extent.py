"""How far the cells of an .xlsx workbook reach, before memory is taken for all between them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import IO

from perturbfs.datasets._errors import TableError

from ._limits import check_claim

CELL = re.compile(rb"""\br=["']([A-Z]{1,3})(\d{1,7})["']""")
OVERLAP = 32  # bytes of a piece in which the place of a cell may begin
PIECE = 2**22
MOST_EMPTY, EMPTY_PER_CELL = 10**7, 100


def check_extent(path: Path, read_memory: int | None) -> None:
    """Refuse a workbook with a filled cell far away from its table, or that unpacks to too much.

    The reader takes memory for every cell between the first and the last.
    """
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        check_claim(sum(part.file_size for part in parts), read_memory, "the unpacked workbook")
        for part in parts:
            with archive.open(part) as content:
                n_rows, n_columns, n_cells = _extent(content)
            if n_rows * n_columns > max(MOST_EMPTY, EMPTY_PER_CELL * n_cells):
                raise TableError(
                    f"a sheet reaches to row {n_rows:,} and column {n_columns:,}, but only "
                    f"{n_cells:,} cells are filled. Delete the cells far away from the table, or "
                    "save the sheet as CSV."
                )


def _extent(content: IO[bytes]) -> tuple[int, int, int]:
    """Return the last row, the last column and the number of cells in a part of a workbook."""
    n_rows, letters, n_cells, tail = 0, set[bytes](), 0, b""
    while piece := content.read(PIECE):
        found = CELL.findall(tail + piece)
        n_cells += len(found)
        n_rows = max(n_rows, max((int(row) for _, row in found), default=0))
        letters.update(column for column, _ in found)
        tail = piece[-OVERLAP:]
    return n_rows, max(map(_number, letters), default=0), n_cells


def _number(letters: bytes) -> int:
    """Return the number of a column from its letters.

    Examples
    --------
    >>> _number(b"A"), _number(b"AA")
    (1, 27)
    """
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
