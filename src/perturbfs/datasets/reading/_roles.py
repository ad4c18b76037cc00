"""The roles of rows and columns: samples, features, names and the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from perturbfs.datasets._errors import TableError

from ._grid import Grid
from ._names import (
    FEATURE_NAMES,
    SAMPLE_NAMES,
    check_names,
    find_place,
    quoted,
    simplify,
    unknown_name,
)
from ._options import ReadOptions
from ._parts import Parts


def split_roles(
    grid: Grid, options: ReadOptions, *, labelled: Sequence[str] | None = None
) -> Parts:
    """Return the features, outcome and names that a grid holds.

    Parameters
    ----------
    grid : Grid
    options : ReadOptions
    labelled : sequence of str or None
        Names of the samples in the file with the outcome, if that is another file.

    Returns
    -------
    parts : Parts
    """
    if grid.column_names is not None:
        check_names(grid.column_names, "column")
    in_rows = _are_features_in_rows(grid, options, labelled)
    names_at = find_names_column(grid, options, in_rows=in_rows)
    if in_rows:
        grid, names_at = _samples_in_rows(grid, names_at, drop_text=options.drop_text), None
    target_at = _find_target(grid, options, in_rows=in_rows)
    if target_at is not None and target_at == names_at:
        raise TableError(
            f"{grid.column_name(target_at)!r} is given both as target and as index. Give another "
            "column for one of them."
        )
    reasons: dict[int, str | None]
    reasons = dict.fromkeys(sorted(grid.annotation_columns), "describes the samples")
    if names_at is not None:
        reasons[names_at] = "names of the samples"
    if target_at is not None:
        reasons[target_at] = None
    rest = _without_text(grid.without_columns(reasons), drop_text=options.drop_text)
    return Parts(
        X=rest.values,
        y=None if target_at is None else grid.column_entries(target_at),
        feature_names=rest.column_names,
        sample_names=grid.row_names if names_at is None else _names_in(grid, names_at),
        target_name=None if target_at is None else grid.column_name(target_at),
        dropped=rest.dropped,
    )


def _are_features_in_rows(
    grid: Grid, options: ReadOptions, labelled: Sequence[str] | None
) -> bool:
    """Return whether rows are features and columns samples, as is usual in biology.

    They are if the format or the caller says so, if the target is the name of a row and of no
    column, or if more of the samples with labels are names of columns than of rows.
    """
    if grid.features_in_rows is not None:
        if options.features_in_rows not in (None, grid.features_in_rows):
            raise TableError(
                f"features_in_rows={options.features_in_rows} was given, but this format always "
                f"has features_in_rows={grid.features_in_rows}. Leave it out."
            )
        return grid.features_in_rows
    if options.features_in_rows is not None:
        return options.features_in_rows
    columns = grid.column_names or []
    if labelled is not None:
        rows = {entry for entries in grid.column_texts.values() for entry in entries}
        return len(set(labelled) & set(columns)) > len(set(labelled) & rows)
    if isinstance(options.target, str) and options.target not in columns:
        return options.target in _row_names(grid, options)
    return False


def _row_names(grid: Grid, options: ReadOptions) -> list[str]:
    names_at = find_names_column(grid, options, in_rows=True)
    return [] if names_at is None else _names_in(grid, names_at)


def find_names_column(grid: Grid, options: ReadOptions, *, in_rows: bool) -> int | None:
    """Return the column that names the rows, or None.

    In this order: the one that the caller gave; a first column without a name; one with a usual
    name (id, sample, patient, …; gene, probe, … if features are in rows); a first column of
    text without repetition. It is never the target.
    """
    if options.index is False:
        return None
    if options.index is not None:
        n_columns = grid.values.shape[1]
        return find_place(options.index, grid.column_names, n_columns, what="index")
    names = grid.column_names or []
    if names and not names[0].strip():
        return 0
    usual = FEATURE_NAMES if in_rows else SAMPLE_NAMES
    for column, name in enumerate(names):
        if simplify(name) in usual and not _is_target(grid, options, column):
            return column
    is_first = not _is_target(grid, options, 0) and _first_names_rows(grid, in_rows=in_rows)
    return 0 if is_first else None


def _is_target(grid: Grid, options: ReadOptions, column: int) -> bool:
    if isinstance(options.target, int):
        return column == options.target % grid.values.shape[1] and not options.features_in_rows
    if options.target is None:
        return column == grid.default_target
    return grid.column_name(column) == options.target


def _first_names_rows(grid: Grid, *, in_rows: bool) -> bool:
    if 0 not in grid.text_at[:, 1]:
        return False
    entries = grid.column_texts.get(0, [])
    # Features in rows have names, and two equal ones are an error rather than text.
    return in_rows or (len(set(entries)) == len(entries) and all(map(str.strip, entries)))


def _names_in(grid: Grid, column: int) -> list[str]:
    return [str(entry) for entry in grid.column_entries(column)]


def _samples_in_rows(grid: Grid, names_at: int | None, *, drop_text: bool) -> Grid:
    """Transpose a grid with features in rows, without the columns that describe features."""
    reasons: dict[int, str | None]
    reasons = dict.fromkeys(sorted(grid.annotation_columns), "describes the features")
    if names_at is not None:
        grid = replace(grid, row_names=_names_in(grid, names_at))
        reasons[names_at] = "names of the features"
    notes = [column for column in _find_notes(grid) if column not in reasons]
    if notes and not drop_text:
        raise _text_error(grid, notes, "columns (features are in rows)")
    turned = grid.without_columns(reasons | dict.fromkeys(notes, "text")).transposed()
    if turned.column_names is not None:
        check_names(turned.column_names, "row")
    return turned


def _find_notes(grid: Grid) -> list[int]:
    """Return the columns of text in a grid with features in rows, such as chromosomes."""
    n_rows, n_columns = grid.values.shape
    # Rows that are mostly text are outcomes of the samples, and say nothing about a column.
    per_row = np.bincount(grid.text_at[:, 0], minlength=n_rows)
    is_number_row = 2 * per_row < n_columns
    inside = grid.text_at[is_number_row[grid.text_at[:, 0]], 1]
    per_column = np.bincount(inside, minlength=n_columns)
    is_note = (per_column > 0) & (2 * per_column >= is_number_row.sum())
    return [int(column) for column in np.flatnonzero(is_note)]


def _find_target(grid: Grid, options: ReadOptions, *, in_rows: bool) -> int | None:
    if options.target is None:
        return grid.default_target
    is_open = options.features_in_rows is None and not in_rows
    if isinstance(options.target, str) and grid.column_names and is_open:
        # Columns and rows were searched, so the names of both are worth suggesting.
        names = grid.column_names + _row_names(grid, options)
        if options.target not in names:
            raise unknown_name(options.target, names, what="target")
    n_columns = grid.values.shape[1]
    return find_place(options.target, grid.column_names, n_columns, what="target")


def _without_text(grid: Grid, *, drop_text: bool) -> Grid:
    columns = np.unique(grid.text_at[:, 1]).tolist()
    if columns and not drop_text:
        raise _text_error(grid, columns, "features")
    return grid.without_columns(dict.fromkeys(columns, "text")) if columns else grid


def _text_error(grid: Grid, columns: list[int], what: str) -> TableError:
    example = next((t for (_, c), t in grid.examples.items() if c == columns[0]), None)
    such_as = "" if example is None else f", such as {example!r} in the first"
    return TableError(
        f"{len(columns)} {what} hold text: {quoted([grid.column_name(c) for c in columns])}"
        f"{such_as}. Leave them out with drop_text=True (--drop-text), name one as target or "
        "index, or turn them into numbers. Numbers need a decimal point, not a comma."
    )
