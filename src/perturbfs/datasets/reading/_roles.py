"""The roles of rows and columns: samples, features, names and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from perturbfs.datasets._errors import TableError

from ._features import check_sample_names, find_excluded
from ._grid import Grid
from ._names import (
    DESCRIPTIONS,
    FEATURE_NAMES,
    SAMPLE_NAMES,
    count,
    find_place,
    loosened,
    quoted,
    simplify,
    unknown_name,
)
from ._options import ReadOptions
from ._parts import Parts

# More columns of text than a tenth are left out on a further word only; a few always may be.
SHARE, FEW = 0.1, 5
# Rows that HTSeq and STAR write below the counts.
COUNTERS = frozenset(
    {"__no_feature", "__ambiguous", "__too_low_aQual", "__not_aligned", "__alignment_not_unique"}
    | {"N_unmapped", "N_multimapping", "N_noFeature", "N_ambiguous"}
)
NO_FEATURE = "counts reads that belong to no feature"


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
    in_rows = _are_features_in_rows(grid, options, labelled)
    _check_columns(grid, options, in_rows=in_rows)
    grid = grid if in_rows else _without_units(grid)
    names_at = find_names_column(grid, options, in_rows=in_rows)
    if in_rows:
        grid = _samples_in_rows(grid, names_at, options, labelled=labelled or ())
        names_at = None
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
    rest = _without_counters(grid.without_columns(reasons))
    if options.exclude:
        excluded = find_excluded(rest.column_names, options.exclude)
        rest = rest.without_columns(dict.fromkeys(excluded, "excluded"))
    rest = _without_text(rest, drop_text=options.drop_text)
    return Parts(
        X=rest.values,
        y=None if target_at is None else grid.column_entries(target_at),
        feature_names=rest.column_names,
        sample_names=grid.row_names if names_at is None else _names_in(grid, names_at),
        target_name=None if target_at is None else grid.column_name(target_at),
        dropped=rest.dropped,
        notes=rest.notes,
    )


def _check_columns(grid: Grid, options: ReadOptions, *, in_rows: bool) -> None:
    """Raise an error for names of columns that do not say which column is meant."""
    names = grid.column_names or []
    if in_rows:
        check_sample_names(names)
    for what, asked in (("target", options.target), ("index", options.index)):
        if isinstance(asked, str) and names.count(asked) > 1:
            places = [place for place, name in enumerate(names) if name == asked]
            raise TableError(
                f"{what}={asked!r} is the name of {len(places)} columns. Rename them, or give a "
                f"position, such as {places[0]}."
            )


def _without_units(grid: Grid) -> Grid:
    """Return a grid with samples in rows without a first row of units, such as mg/l."""
    n_rows, n_columns = grid.values.shape
    n_text = np.bincount(grid.text_at[:, 1], minlength=n_columns)
    first = grid.text_at[grid.text_at[:, 0] == 0, 1]
    units = [column for column in first if n_text[column] == 1]
    is_row = len(units) > 1 and n_rows > 2 and np.isnan(grid.values[0]).all()
    if grid.column_names is None or not is_row:
        return grid
    unit = grid.examples.get((0, int(units[0])), "")
    turned = grid.transposed().without_columns({0: None})
    note = (
        f"The row below the names of the columns has text such as {unit!r} and no number. It was "
        "taken for units and left out."
    )
    return replace(
        turned.transposed(), default_target=grid.default_target, notes=(*grid.notes, note)
    )


def _without_counters(grid: Grid) -> Grid:
    """Return the grid without the features in which programs count unmapped reads."""
    names = grid.column_names or []
    found = {at: NO_FEATURE for at, name in enumerate(names) if name in COUNTERS}
    return grid.without_columns(found) if found else grid


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
        n_columns, n_rows = _count_common(labelled, columns), _count_common(labelled, rows)
        if n_columns == n_rows == 0:  # they may differ in case or blanks only
            known = list(map(loosened, labelled))
            n_columns = _count_common(known, map(loosened, columns))
            n_rows = _count_common(known, map(loosened, rows))
        return n_columns > n_rows
    if isinstance(options.target, str) and options.target not in columns:
        return options.target in _row_names(grid, options)
    return False


def _count_common(some: Iterable[str], others: Iterable[str]) -> int:
    return len(set(some).intersection(others))


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


def _samples_in_rows(
    grid: Grid, names_at: int | None, options: ReadOptions, *, labelled: Sequence[str]
) -> Grid:
    """Transpose a grid with features in rows, without the columns that describe features."""
    reasons: dict[int, str | None]
    described = sorted(grid.annotation_columns.union(_find_descriptions(grid, labelled)))
    reasons = dict.fromkeys(described, "describes the features")
    if names_at is not None:
        grid = replace(grid, row_names=_names_in(grid, names_at))
        reasons[names_at] = "names of the features"
    texts = [column for column in _find_notes(grid) if column not in reasons]
    what = "columns (features are in rows)"
    _check_text(grid, texts, what, drop_text=options.drop_text)
    return grid.without_columns(reasons | dict.fromkeys(texts, "text")).transposed()


def _find_descriptions(grid: Grid, labelled: Sequence[str]) -> list[int]:
    """Return the columns that describe features, such as chromosome and length, by their names."""
    samples = set(labelled)
    names = enumerate(grid.column_names or ())
    return [at for at, name in names if simplify(name) in DESCRIPTIONS and name not in samples]


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


def _without_text(grid: Grid, *, drop_text: bool | Literal["all"]) -> Grid:
    """Return the grid without features of text; text among numbers is a missing value."""
    texts = text_columns(grid)
    _check_text(grid, texts, "features", drop_text=drop_text)
    grid = grid.without_columns(dict.fromkeys(texts, "text")) if texts else grid
    note = describe_missing_text(grid)
    return replace(grid, notes=(*grid.notes, note)) if note else grid


def text_columns(grid: Grid) -> list[int]:
    """Return the columns in which text is at least as frequent as numbers."""
    n_text = np.bincount(grid.text_at[:, 1], minlength=grid.values.shape[1])
    columns = np.flatnonzero(n_text)
    n_numbers = (~np.isnan(grid.values[:, columns])).sum(axis=0)
    return [int(column) for column in columns[n_text[columns] >= n_numbers]]


def describe_missing_text(grid: Grid) -> str:
    """Return a sentence on text that was read as missing values; empty if there is none."""
    places = np.concatenate([grid.text_at, grid.token_at])
    if not len(places):
        return ""
    found = dict.fromkeys(text.strip() for text in grid.examples.values())
    such_as = f" such as {' and '.join(map(repr, list(found)[:3]))}" if found else ""
    n_features = np.unique(places[:, 1]).size
    one = len(places) == 1
    return (
        f"{count(len(places), 'cell')} of {count(n_features, 'feature')} "
        f"{'holds' if one else 'hold'} text{such_as} and "
        f"{'was read as a missing value' if one else 'were read as missing values'}."
    )


def _check_text(
    grid: Grid, columns: list[int], what: str, *, drop_text: bool | Literal["all"]
) -> None:
    """Raise an error for columns of text, unless they may be left out."""
    n_columns = grid.values.shape[1]
    is_many = len(columns) > max(FEW, SHARE * n_columns)
    if not columns or drop_text == "all" or (drop_text and not is_many):
        return
    names = quoted([grid.column_name(column) for column in columns])
    example = next((t for (_, c), t in grid.examples.items() if c == columns[0]), None)
    such_as = "" if example is None else f", such as {example!r} in the first"
    hold = "holds" if len(columns) == 1 else "hold"
    found = f"{len(columns):,} of {n_columns:,} {what} {hold} text: {names}{such_as}."
    if drop_text:
        raise TableError(
            f"{found} That is more than a tenth, and they are not left out without a further "
            "word, because the file may be misread. Check it, or leave them all out with "
            "--drop-all-text (drop_text='all')."
        )
    raise TableError(
        f"{found} Leave them out with --drop-text (drop_text=True), name one as target or index, "
        "or turn them into numbers. If the text stands for missing values, give it with --na "
        "(na)."
    )
