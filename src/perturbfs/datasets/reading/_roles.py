"""Which entries of a grid are samples, features, names and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ._grid import FEATURE_NAMES, SAMPLE_NAMES, Dropped, Grid, Wanted, simplify
from ._names import check_names, find_place, quoted, unknown_name
from ._parts import Parts
from ._rows import as_number
from ._table import TableError


def split_roles(
    grid: Grid, wanted: Wanted, *, labelled: Sequence[str] | None = None, drop_text: bool = False
) -> Parts:
    """Tell samples, features, names and the outcome apart.

    Parameters
    ----------
    grid : Grid
    wanted : Wanted
    labelled : sequence of str or None
        Names of the samples in the file that has the outcome, where that is another one.
    drop_text : bool
        Leave out features that hold text; otherwise they are an error.

    Returns
    -------
    parts : Parts
    """
    if grid.column_names is not None:
        check_names(grid.column_names, "column")
    in_rows = are_features_in_rows(grid, wanted, labelled)
    names_at = find_names_column(grid, wanted, in_rows=in_rows)
    if in_rows:
        grid, names_at = _turn(grid, names_at, drop_text=drop_text), None
    target_at = _find_target(grid, wanted, in_rows=in_rows)
    if target_at is not None and target_at == names_at:
        raise TableError(
            f"{grid.column_name(target_at)!r} was asked for both as target and as index. Give "
            "another column for one of them."
        )
    rest = _leave_out(grid, names_at, target_at)
    rest = _without_text(rest, drop_text=drop_text)
    return Parts(
        X=rest.values,
        y=None if target_at is None else grid.column_entries(target_at),
        feature_names=rest.column_names,
        sample_names=grid.row_names if names_at is None else _names_in(grid, names_at),
        target_name=None if target_at is None else grid.column_name(target_at),
        dropped=rest.dropped,
    )


def are_features_in_rows(
    grid: Grid, wanted: Wanted, labelled: Sequence[str] | None = None
) -> bool:
    """Whether rows are features and columns samples, as biologists write it.

    They are where the format or the caller says so, where the target is the name of a row and
    of no column, or where more of the samples that have labels are found among the names of
    the columns than among those of the rows.
    """
    if grid.features_in_rows is not None:
        if wanted.features_in_rows not in (None, grid.features_in_rows):
            raise TableError(
                f"features_in_rows={wanted.features_in_rows} was given, but this format fixes it "
                f"to {grid.features_in_rows}. Leave it out."
            )
        return grid.features_in_rows
    if wanted.features_in_rows is not None:
        return wanted.features_in_rows
    columns = grid.column_names or []
    rows = [entry for entries in grid.column_texts.values() for entry in entries]
    if labelled is not None:
        return len(set(labelled) & set(columns)) > len(set(labelled) & set(rows))
    if isinstance(wanted.target, str) and wanted.target not in columns:
        return wanted.target in _row_names(grid, wanted)
    return False


def _row_names(grid: Grid, wanted: Wanted) -> list[str]:
    names_at = find_names_column(grid, wanted, in_rows=True)
    return [] if names_at is None else _names_in(grid, names_at)


def find_names_column(grid: Grid, wanted: Wanted, *, in_rows: bool) -> int | None:
    """The column that names the rows, or None.

    In this order: the one asked for; a first column without a name; one whose name is custom
    for it (id, sample, patient, …; gene, probe, … where features are in rows); a first column
    of text without repetition. The target is never taken.
    """
    n_columns = grid.values.shape[1]
    if wanted.index is False:
        return None
    if wanted.index is not None:
        return find_place(wanted.index, grid.column_names, n_columns, what="index")
    names = grid.column_names or []
    if names and not names[0].strip():
        return 0
    custom = FEATURE_NAMES if in_rows else SAMPLE_NAMES
    for column, name in enumerate(names):
        if simplify(name) in custom and not _is_target(grid, wanted, column):
            return column
    return 0 if not _is_target(grid, wanted, 0) and _names_rows(grid, in_rows=in_rows) else None


def _is_target(grid: Grid, wanted: Wanted, column: int) -> bool:
    if isinstance(wanted.target, int):
        return column == wanted.target % grid.values.shape[1] and not wanted.features_in_rows
    if wanted.target is None:
        return column == grid.default_target
    return grid.column_name(column) == wanted.target


def _names_rows(grid: Grid, *, in_rows: bool) -> bool:
    entries = grid.column_texts.get(0, [])
    if not any(as_number(entry) is None for entry in entries):
        return False
    # Features in rows have names, and two of the same name are an error rather than text.
    return in_rows or (len(set(entries)) == len(entries) and all(map(str.strip, entries)))


def _names_in(grid: Grid, column: int) -> list[str]:
    return [str(entry) for entry in grid.column_entries(column)]


def _turn(grid: Grid, names_at: int | None, *, drop_text: bool) -> Grid:
    """Samples in rows, from a grid that has features there."""
    dropped: Dropped = tuple(
        (grid.column_name(column), "describes the features")
        for column in sorted(grid.annotation_columns)
    )
    removed = sorted(grid.annotation_columns)
    if names_at is not None:
        grid = replace(grid, row_names=_names_in(grid, names_at))
        removed.append(names_at)
        dropped += ((_label(grid, names_at), "names of the features"),)
    notes = _find_notes(grid, set(removed))
    if notes and not drop_text:
        raise _text_error(grid, notes, "columns (features are in rows)")
    dropped += tuple((grid.column_name(column), "text") for column in notes)
    turned = grid.without_columns(removed + notes, dropped=dropped).transposed()
    if turned.column_names is not None:
        check_names(turned.column_names, "row")
    return turned


def _find_notes(grid: Grid, known: set[int]) -> list[int]:
    """Columns of text beside features in rows: chromosomes, descriptions and the like."""
    n_rows, n_columns = grid.values.shape
    # Rows that are mostly text are outcomes of the samples, and say nothing of a column.
    per_row = np.bincount(grid.text_at[:, 0], minlength=n_rows)
    is_number_row = 2 * per_row < n_columns
    inside = grid.text_at[is_number_row[grid.text_at[:, 0]], 1]
    per_column = np.bincount(inside, minlength=n_columns)
    notes = np.flatnonzero((per_column > 0) & (2 * per_column >= is_number_row.sum()))
    return [column for column in notes.tolist() if column not in known]


def _find_target(grid: Grid, wanted: Wanted, *, in_rows: bool) -> int | None:
    if wanted.target is None:
        return grid.default_target
    n_columns = grid.values.shape[1]
    is_open = wanted.features_in_rows is None and not in_rows
    if isinstance(wanted.target, str) and grid.column_names and is_open:
        # Both directions were searched, so names of both are worth suggesting.
        names = grid.column_names + _row_names(grid, wanted)
        if wanted.target not in names:
            raise unknown_name(wanted.target, names, what="target")
    return find_place(wanted.target, grid.column_names, n_columns, what="target")


def _leave_out(grid: Grid, names_at: int | None, target_at: int | None) -> Grid:
    removed = sorted(grid.annotation_columns - {target_at})
    dropped: Dropped = tuple(
        (grid.column_name(column), "describes the samples") for column in removed
    )
    if names_at is not None:
        removed.append(names_at)
        dropped += ((_label(grid, names_at), "names of the samples"),)
    if target_at is not None:
        removed.append(target_at)
    return grid.without_columns(removed, dropped=dropped)


def _label(grid: Grid, column: int) -> str:
    return grid.column_name(column) or f"column {column + 1}"


def _without_text(grid: Grid, *, drop_text: bool) -> Grid:
    columns = np.unique(grid.text_at[:, 1]).tolist()
    if not columns:
        return grid
    if not drop_text:
        raise _text_error(grid, columns, "features")
    dropped = tuple((grid.column_name(column), "text") for column in columns)
    return grid.without_columns(columns, dropped=dropped)


def _text_error(grid: Grid, columns: list[int], what: str) -> TableError:
    example = next((t for (_, c), t in grid.examples.items() if c == columns[0]), None)
    such_as = "" if example is None else f", such as {example!r} in the first"
    return TableError(
        f"{len(columns)} {what} hold text: {quoted([grid.column_name(c) for c in columns])}"
        f"{such_as}. Leave them out with drop_text=True (--drop-text), name one as target or "
        "index, or turn them into numbers; numbers need a decimal point, not a comma."
    )
