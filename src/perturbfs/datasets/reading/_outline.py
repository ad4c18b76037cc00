"""An outline of a file, for users who have not chosen the outcome yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ._cells import LABELS
from ._files import check_file
from ._formats import ARRAY_READERS, find_reader, is_risky, read_file
from ._grid import Grid
from ._limits import fitting, read_apart
from ._names import CLASS_NAMES, FEATURE_NAMES, SAMPLE_NAMES, simplify
from ._options import ReadOptions
from ._parts import Parts
from ._roles import describe_missing_text, find_names_column, text_columns

MAX_CANDIDATES = 12
MAX_TEXT_COLUMNS = 20  # of which the entries are examined
MANY_ROWS = 500  # studies with more samples than that are rare
USUAL = frozenset(
    {*CLASS_NAMES, "y", "classes", "labels", "diagnosis", "state", "status", "group", "response"}
)


@dataclass(frozen=True, slots=True)
class PossibleOutcome:
    """A column, row or variable that may be the outcome."""

    target: str  # for --target: a name, or a position from 0; empty for the file's own outcome
    label: str
    place: str  # "column", "row", "variable", or "file" if the format has an outcome
    n_distinct: int | None
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outline:
    """Size, names and possible outcomes of a file that can be read but is not checked yet."""

    n_rows: int
    n_columns: int
    n_missing: int
    names: tuple[str, ...]  # of the columns, if the file has them
    row_names: tuple[str, ...]  # the first of them
    candidates: tuple[PossibleOutcome, ...]  # the most likely first
    n_text_columns: int = 0
    has_targets: bool = False  # whether a column can be chosen as the outcome by its name
    names_column: str | None = None  # the column that seems to name the rows
    notes: tuple[str, ...] = ()  # sentences on how the file was read


def outline_file(path: Path) -> Outline:
    """Return the size, the names and the possible outcomes of a file.

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
        As `read_table`, if the file cannot be read.
    """
    check_file(path)
    if is_risky(path):
        return read_apart(_outline, path, read_memory=None)
    with fitting(path):
        return _outline(path)


def _outline(path: Path) -> Outline:
    # With this target, the text of the last column and of rows that are mostly text is kept.
    target = None if find_reader(path) in ARRAY_READERS else -1
    found = read_file(path, ReadOptions(target=target))
    if isinstance(found, Parts):
        return _outline_parts(found)
    needed = tuple(text_columns(found)[:MAX_TEXT_COLUMNS])
    if not found.column_texts.keys() >= set(needed):
        found = read_file(path, ReadOptions(target=target, kept_columns=needed))
        assert isinstance(found, Grid)
    return _outline_grid(found)


def _outline_grid(grid: Grid) -> Outline:
    n_rows, n_columns = grid.values.shape
    # If all rows are mostly text, they are not outcomes.
    texts_in_rows = [row for row in grid.row_texts.values() if row[0].strip()]
    has_row_outcome = bool(texts_in_rows) and 2 * len(grid.row_texts) < n_rows
    is_turned = bool(grid.features_in_rows) or has_row_outcome or _has_features_in_rows(grid)
    names_at = find_names_column(grid, ReadOptions(), in_rows=is_turned)
    texts = text_columns(grid)
    columns = [] if is_turned else _likely_columns(grid, texts, names_at)
    rows = [
        _describe(name, name, "row", entries) for name, *entries in texts_in_rows[:MAX_CANDIDATES]
    ]
    found = rows if has_row_outcome else []
    found += [_column(grid, column) for column in columns]
    measured = grid.without_columns(dict.fromkeys(texts))
    note = describe_missing_text(measured.transposed() if is_turned else measured)
    return Outline(
        n_rows=n_rows,
        n_columns=n_columns,
        n_text_columns=len(texts),
        n_missing=int(np.isnan(measured.values).sum()),
        names=tuple(grid.column_names or ()),
        has_targets=grid.column_names is not None,
        names_column=None if names_at is None else grid.column_name(names_at),
        row_names=() if names_at is None else _first(grid.column_entries(names_at)),
        candidates=tuple(each for each in found if each.n_distinct != 1)[:MAX_CANDIDATES],
        notes=(*grid.notes, note) if note else grid.notes,
    )


def _has_features_in_rows(grid: Grid) -> bool:
    """Return whether the columns are samples, by the name of the first or the shape.

    Then no column is an outcome.
    """
    n_rows, n_columns = grid.values.shape
    first = simplify(grid.column_name(0))
    if grid.column_names is None or simplify(grid.column_names[-1]) in USUAL:
        return False
    names_features = first in FEATURE_NAMES - SAMPLE_NAMES
    is_long = first in ("", "x") and n_rows > max(MANY_ROWS, 5 * n_columns)
    return names_features or (is_long and not set(text_columns(grid)) - {0})


def _likely_columns(grid: Grid, text_columns: list[int], names_at: int | None) -> list[int]:
    """Return the columns that may be the outcome, the most likely first."""
    n_columns = grid.values.shape[1]
    default = [] if grid.default_target is None else [grid.default_target]
    names = enumerate(grid.column_names or ())
    usual = [column for column, name in names if simplify(name) in USUAL]
    last_and_first = [n_columns - 1, 0 if names_at is None else 1]
    texts = text_columns[:MAX_TEXT_COLUMNS]
    order = dict.fromkeys([*default, *usual, *texts, *last_and_first])
    return [column for column in order if column < n_columns and column != names_at]


def _column(grid: Grid, column: int) -> PossibleOutcome:
    entries = np.asarray(grid.column_entries(column)).tolist()
    target = grid.column_names[column] if grid.column_names else str(column)
    return _describe(target, grid.column_name(column), "column", entries)


def _describe(target: str, label: str, place: str, entries: Sequence[Any]) -> PossibleOutcome:
    known = (each for each in entries if not LABELS.is_missing(str(each)))
    distinct = list(dict.fromkeys(known))
    examples = [f"{each:g}" if isinstance(each, float) else each for each in distinct[:3]]
    return PossibleOutcome(target, label, place, len(distinct), _first(examples))


def _first(entries: Any, most: int = 3) -> tuple[str, ...]:
    return tuple(str(entry) for entry in entries[:most])


def _outline_parts(parts: Parts) -> Outline:
    """Outline arrays; an outcome that the file itself names comes first."""
    from perturbfs.arrays import to_dense

    candidates = []
    if parts.y is not None:
        label = parts.target_name or "the outcome in the file"
        candidates.append(_describe("", label, "file", np.asarray(parts.y).tolist()))
    elif not parts.dropped and parts.X.shape[1]:  # a bare matrix, whose columns have positions
        last = parts.X.shape[1] - 1
        for column in dict.fromkeys((last, 0)):
            entries = np.asarray(to_dense(parts.X[:, [column]])).ravel().tolist()
            candidates.append(_describe(str(column), f"column {column + 1}", "column", entries))
    candidates += [
        PossibleOutcome(name, name, "variable", None)
        for name, reason in parts.dropped
        if reason in ("column of obs", "variable not used")
    ]
    X = parts.X
    values = X.data if hasattr(X, "tocsr") else X
    is_float = getattr(values, "dtype", np.dtype(object)).kind == "f"
    return Outline(
        n_rows=int(X.shape[0]),
        n_columns=int(X.shape[1]),
        n_missing=int(np.isnan(values).sum()) if is_float else 0,
        names=tuple(parts.feature_names or ()),
        row_names=_first(parts.sample_names or []),
        candidates=tuple(candidates[:MAX_CANDIDATES]),
    )
