"""Read the table that a user names, and write tables as CSV files.

Nothing here loads scikit-learn, so that a wrong file or name is refused at once.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perturbfs.arrays import Array, SourceFiles, to_dense
from perturbfs.datasets import (
    Table,
    TableError,
    find_dataset,
    load_dataset,
    read_table,
)

from ._command import WrongUseError, options_in
from ._options import Reading, Samples
from ._shown import as_shown
from ._wording import option_name

# Options that do not fit a data set, whose outcome and layout are known.
_FOR_FILES = (
    *("target", "index", "features_in_rows", "header", "na", "decimal", "thousands", "sheet"),
    *("layer", "skip_rows", "duplicates", "unlabelled", "exclude", "match_names", "read_memory"),
)
TOGETHER = "keeps samples together"  # why the column of groups is left out


def read_source(
    source: str, reading: Reading, *, missing: Literal["error", "allow"] = "allow"
) -> Table:
    """Read a file, or a data set of the catalogue by its name.

    Parameters
    ----------
    source : str
        Path, or the name of a data set.
    reading : Reading
        A target or index that is a number means the column of that name if there is one, and
        the column at that position otherwise.
    missing : {"error", "allow"}
        What to do about missing values.

    Returns
    -------
    table : Table
    """
    if _is_name(source):
        return _load_named(source, reading)
    table = _read_file(source, reading, missing)
    dropped = tuple((as_shown(name), as_shown(reason)) for name, reason in table.dropped)
    return replace(table, source=as_shown(table.source), dropped=dropped)


def _read_file(source: str, reading: Reading, missing: Literal["error", "allow"]) -> Table:
    """Read a file, with each meaning of a target or an index that is a number."""
    options = options_in(reading)
    del options["impute"]
    if options.pop("drop_all_text"):
        options["drop_text"] = "all"
    options = {name: value for name, value in options.items() if value is not None}
    targets, indices = (_meanings(options.pop(name, None)) for name in ("target", "index"))
    for target, index in itertools.product(targets, indices):
        try:
            return read_table(source, target, index, missing=missing, **options)
        except TableError as error:
            failure = error
    raise failure


def read_with_outcome(source: str, reading: Reading) -> Table:
    """Read a table that must have an outcome; missing values are an error unless imputed."""
    missing: Literal["error", "allow"] = "error" if reading.impute is None else "allow"
    return check_outcome(read_source(source, reading, missing=missing), source)


def check_outcome(table: Table, source: str) -> Table:
    """Return the table if it has an outcome; refuse it otherwise."""
    if table.y is None:
        raise TableError(
            f"{source} was read without an outcome. Name its column with --target, or a "
            "second file that holds it."
        )
    return table


def given_options(reading: Reading, names: Sequence[str]) -> list[str]:
    """Return those of some options that the user has given, as typed."""
    options = options_in(reading)
    return [option_name(name) for name in names if options[name] not in (None, False)]


def _is_name(source: str) -> bool:
    path = Path(source)
    return not path.is_file() and not path.suffix and "/" not in source


def _load_named(name: str, reading: Reading) -> Table:
    try:
        entry = find_dataset(name)
    except ValueError as error:
        raise TableError(f"{name} is not a file here. {error}") from error
    given = given_options(reading, _FOR_FILES)
    if given:
        raise WrongUseError(
            f"{', '.join(given)} is for files, but {name} is a data set whose outcome is known."
        )
    data = load_dataset(entry.name)
    task: Any = reading.task or data.task
    return Table(
        X=data.X,
        y=data.y,
        feature_names=data.feature_names,
        task=task,
        source=entry.name,
    )


def _meanings(text: str | None) -> list[Any]:
    """Return what a word can mean: a name first, then a position if it is a number."""
    if text is None:
        return [None]
    try:
        return [text, int(text)]
    except ValueError:
        return [text]


@dataclass(frozen=True, slots=True)
class Groups:
    """The group of each sample, and the name of the column that holds them."""

    name: str
    values: Array


def read_for_work(source: str, reading: Reading, samples: Samples) -> tuple[Table, Groups | None]:
    """Read a table with an outcome, and the groups of its samples if there are any.

    Raises
    ------
    BlockReadError
        If the file changes meanwhile.
    """
    known = SourceFiles(source) if Path(source).exists() else None  # or the name of a data set
    if samples.groups is None:
        found: tuple[Table, Groups | None] = read_with_outcome(source, reading), None
    else:
        found = read_with_groups(source, reading, samples.groups)
    if known is not None:
        known.refuse_change()
    return found


def read_with_groups(source: str, reading: Reading, column: str) -> tuple[Table, Groups]:
    """Read a table without the column of the groups, and the groups.

    Parameters
    ----------
    source : str
    reading : Reading
    column : str
        As for a target: a name, a position, or a second file.

    Returns
    -------
    table : Table
    groups : Groups
        Their values are text or numbers.
    """
    if _is_name(source):
        raise WrongUseError(
            f"--groups is for files, but {source} is not a file. The samples of the data sets "
            "that are known by name are independent."
        )
    grouped = _read_groups(source, reading, column)
    name = grouped.target_name
    # Text is allowed for now, because the groups may be text.
    table = read_with_outcome(source, replace(reading, drop_all_text=True))
    texts = {dropped for dropped, reason in table.dropped if reason == "text"}
    if texts - {name} and not reading.drop_all_text:
        read_with_outcome(source, reading)  # raises the error about text
    groups = _groups_of(table, grouped, column)
    return _without_column(table, name, groups), Groups(name or column, groups)


def _groups_of(table: Table, grouped: Table, column: str) -> Array:
    """Return the groups of the samples of a table, which may lack some that have groups."""
    groups = np.asarray(grouped.y)
    if len(groups) == table.n_samples:
        return groups
    names, known = table.sample_names, grouped.sample_names
    if names is None or known is None or not np.isin(names, known).all():
        raise TableError(
            f"--groups {column} has {len(groups)} values, but there are {table.n_samples} "
            "samples. State where the features are with --features-in-rows or "
            "--features-in-columns."
        )
    place_of = {name: place for place, name in enumerate(known.tolist())}
    return groups[[place_of[name] for name in names.tolist()]]


def _read_groups(source: str, reading: Reading, column: str) -> Table:
    """Read the table as if the groups were the outcome."""
    try:
        as_target = replace(reading, target=column, task=None, drop_all_text=True, exclude=None)
        table = read_source(source, as_target)
    except TableError as error:
        raise groups_error(column, error) from error
    if table.y is None:
        raise TableError(f"--groups {column} was not found in {source}.")
    return table


def groups_error(column: str, error: TableError) -> TableError:
    """Return the error for groups that could not be read as an outcome would be."""
    text = str(error).replace("target=", "groups=").replace("target", "column of groups")
    return TableError(text if "groups=" in text else f"--groups {column}: {text}")


def _without_column(table: Table, name: str | None, groups: Array) -> Table:
    if table.feature_names is None:
        _refuse_hidden_groups(table, groups)
        return table
    others = tuple(pair for pair in table.dropped if pair != (name, "text"))
    is_kept = table.feature_names != name
    if is_kept.all() and len(others) == len(table.dropped):
        return table  # the groups are the sample names or are in a second file
    return replace(
        table,
        X=table.X[:, np.flatnonzero(is_kept)],
        feature_names=table.feature_names[is_kept],
        dropped=(*others, (str(name), TOGETHER)),
    )


def _refuse_hidden_groups(table: Table, groups: Array) -> None:
    """Refuse groups that equal a feature, because features without names cannot be left out."""
    X: Any = to_dense(table.X)
    if groups.dtype.kind in "if" and np.any(np.all(groups[:, None] == X, axis=0)):
        raise TableError(
            "--groups names a column of a table without a header, so the column cannot be "
            "distinguished from the features. Add a header, or put the groups into a second file."
        )


def sample_labels(table: Table) -> list[Any]:
    """Return the names of the samples, or their numbers from 1."""
    if table.sample_names is None:
        return list(range(1, table.n_samples + 1))
    labels: list[Any] = table.sample_names.tolist()
    return labels


def write_rows(path: Path, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> None:
    """Write a CSV file in UTF-8, with the same bytes on every system."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
