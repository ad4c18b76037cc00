"""The options for reading a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perturbfs._support.names import Task

from ._cells import PLAIN, CellFormat

Duplicates = Literal["error", "first", "mean", "rename"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The options of `read_table`, which documents them; None means that the file decides.

    Every step from the file to the table takes them. A new option is a field here and a change
    in the one step that uses it.
    """

    target: str | int | None = None
    index: str | int | None = None  # False: no column holds names
    features_in_rows: bool | None = None
    header: bool | None = None
    task: Task | None = None
    drop_text: bool | Literal["all"] = False
    allow_missing: bool = False
    na: tuple[str, ...] = ()
    sheet: str | int | None = None
    layer: str | None = None
    skip_rows: int | None = None
    duplicates: Duplicates = "error"
    unlabelled: Literal["error", "drop"] = "error"
    exclude: tuple[str, ...] = ()
    match_names: Literal["exact", "loose"] = "exact"
    read_memory: int | None = None  # bytes
    # What follows is not set by the caller of `read_table`.
    kept_columns: tuple[int, ...] = ()  # columns whose cells are needed as text too
    encoding: str | None = None  # of text; None for one of the kinds of Unicode
    cells: CellFormat = PLAIN
    finds_notation: bool = True  # whether the file decides on decimal mark and thousands
