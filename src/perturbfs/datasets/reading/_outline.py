"""What a file holds at a glance, for those who have not said yet what its outcome is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._arff import CLASS_NAMES
from ._formats import ARRAY_READERS, find_reader, read_with
from ._grid import Grid, Wanted, simplify
from ._open import check_file, explained
from ._parts import Parts
from ._roles import find_names_column
from ._target import MISSING_TARGET

MAX_CANDIDATES = 12
MAX_TEXT_COLUMNS = 20  # whose entries are looked at
CUSTOMARY = frozenset(
    {*CLASS_NAMES, "y", "classes", "labels", "diagnosis", "state", "status", "group", "response"}
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A column or row that may be the outcome."""

    target: str  # as it is named on the command line: a name, or a position from 0
    label: str
    place: str  # "column", "row", "variable" or "file", where the format has an outcome
    n_distinct: int | None
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """Size, names and possible outcomes of a file; nothing is checked but that it can be read."""

    n_rows: int
    n_columns: int
    n_text_columns: int
    n_missing: int
    names: tuple[str, ...]  # of the columns, where there are any
    has_targets: bool  # whether a column can be the outcome by its name
    names_column: str | None  # the column that seems to name the rows
    row_names: tuple[str, ...]  # the first of them
    candidates: tuple[Candidate, ...]


def outline_file(path: Path) -> Outline:
    """What a file holds, read without knowing its outcome.

    Parameters
    ----------
    path : Path
        In one of the formats that `read_table` reads.

    Returns
    -------
    outline : Outline

    Raises
    ------
    TableError
        As `read_table`, where the file cannot be read at all.
    """
    check_file(path)
    reader = find_reader(path)
    if reader in ARRAY_READERS:
        found = read_with(reader, path, Wanted())
        assert isinstance(found, Parts)
        return _outline_parts(found)
    # The last column and rows that are mostly text are kept as written for such a target.
    grid = read_with(reader, path, Wanted(target=-1))
    assert isinstance(grid, Grid)
    needed = tuple(_text_columns(grid)[:MAX_TEXT_COLUMNS])
    if not grid.column_texts.keys() >= set(needed):
        grid = read_with(reader, path, Wanted(target=-1, as_written=needed))
        assert isinstance(grid, Grid)
    with explained(path):
        return _outline_grid(grid)


def _text_columns(grid: Grid) -> list[int]:
    """Columns with more text than numbers."""
    n_rows, n_columns = grid.values.shape
    counts = np.bincount(grid.text_at[:, 1], minlength=n_columns)
    return [int(column) for column in np.flatnonzero(2 * counts > n_rows)]


def _outline_grid(grid: Grid) -> Outline:
    n_rows, n_columns = grid.values.shape
    text_columns = _text_columns(grid)
    is_turned = bool(grid.features_in_rows)
    names_at = find_names_column(grid, Wanted(), in_rows=is_turned)
    columns = [] if is_turned else _likely_columns(grid, text_columns, names_at)
    rows = [_row(entries) for entries in list(grid.row_texts.values())[:MAX_CANDIDATES]]
    # Where every row is mostly text, rows are not outcomes.
    found = rows if len(grid.row_texts) < n_rows else []
    found += [_column(grid, column) for column in columns]
    return Outline(
        n_rows=n_rows,
        n_columns=n_columns,
        n_text_columns=len(text_columns),
        n_missing=int(np.isnan(grid.values).sum()) - len(grid.text_at),
        names=tuple(grid.column_names or ()),
        has_targets=grid.column_names is not None,
        names_column=None if names_at is None else grid.column_name(names_at),
        row_names=() if names_at is None else _first(grid.column_entries(names_at)),
        candidates=tuple(each for each in found if each.n_distinct != 1)[:MAX_CANDIDATES],
    )


def _likely_columns(grid: Grid, text_columns: list[int], names_at: int | None) -> list[int]:
    """Columns that may be the outcome, the likeliest first."""
    n_columns = grid.values.shape[1]
    default = [] if grid.default_target is None else [grid.default_target]
    names = enumerate(grid.column_names or ())
    customary = [column for column, name in names if simplify(name) in CUSTOMARY]
    last_and_first = [n_columns - 1, 0 if names_at is None else 1]
    texts = text_columns[:MAX_TEXT_COLUMNS]
    order = dict.fromkeys([*default, *customary, *texts, *last_and_first])
    return [column for column in order if column < n_columns and column != names_at]


def _column(grid: Grid, column: int) -> Candidate:
    entries = np.asarray(grid.column_entries(column)).tolist()
    target = grid.column_names[column] if grid.column_names else str(column)
    return _candidate(target, grid.column_name(column), "column", entries)


def _row(entries: list[str]) -> Candidate:
    return _candidate(entries[0], entries[0], "row", entries[1:])


def _candidate(target: str, label: str, place: str, entries: Sequence[Any]) -> Candidate:
    known = (each for each in entries if str(each).strip().casefold() not in MISSING_TARGET)
    distinct = list(dict.fromkeys(known))
    examples = [f"{each:g}" if isinstance(each, float) else each for each in distinct[:3]]
    return Candidate(target, label, place, len(distinct), _first(examples))


def _first(entries: Any, most: int = 3) -> tuple[str, ...]:
    return tuple(str(entry) for entry in entries[:most])


def _outline_parts(parts: Parts) -> Outline:
    """Arrays say themselves what is what; an outcome they name comes first."""
    candidates = []
    if parts.y is not None:
        label = parts.target_name or "the outcome in the file"
        candidates.append(_candidate("", label, "file", np.asarray(parts.y).tolist()))
    elif not parts.dropped:  # a bare matrix, whose columns have positions
        last = parts.X.shape[1] - 1
        for column in dict.fromkeys((last, 0)):
            entries = np.asarray(parts.X[:, [column]]).ravel().tolist()
            candidates.append(_candidate(str(column), f"column {column + 1}", "column", entries))
    candidates += [
        Candidate(name, name, "variable", None)
        for name, reason in parts.dropped
        if reason in ("column of obs", "variable not used")
    ]
    X = parts.X
    values = X.data if hasattr(X, "tocsr") else X
    is_float = getattr(values, "dtype", np.dtype(object)).kind == "f"
    return Outline(
        n_rows=int(X.shape[0]),
        n_columns=int(X.shape[1]),
        n_text_columns=0,
        n_missing=int(np.isnan(values).sum()) if is_float else 0,
        names=tuple(parts.feature_names or ()),
        has_targets=False,
        names_column=None,
        row_names=_first(parts.sample_names or []),
        candidates=tuple(candidates[:MAX_CANDIDATES]),
    )
