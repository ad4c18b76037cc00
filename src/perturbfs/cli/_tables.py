"""Read the table that a user names, and write tables as CSV files.

Nothing here loads scikit-learn, so that a wrong file or name is refused at once.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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
from ._survival import HAPPENED, read_survival
from ._wording import option_name

# Options that do not fit a data set, whose outcome and layout are known.
_FOR_FILES = (
    *("target", "time", "event", "event_value", "index", "features_in_rows", "header", "na"),
    *("decimal", "thousands", "sheet", "layer", "skip_rows", "duplicates", "unlabelled"),
    *("exclude", "match_names", "read_memory"),
)
# Why a column that says something about samples is left out of the features.
ROLES = {
    "groups": "keeps samples together",
    "batch": "is the batch of each sample",
    "event": HAPPENED,
}


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
    if is_name(source):
        return _load_named(source, reading)
    if reading.is_survival:
        return _read_survival(source, reading, missing)
    table = _read_file(source, reading, missing)
    dropped = tuple((as_shown(name), as_shown(reason)) for name, reason in table.dropped)
    return replace(table, source=as_shown(table.source), dropped=dropped)


def _read_file(source: str, reading: Reading, missing: Literal["error", "allow"]) -> Table:
    """Read a file, with each meaning of a target or an index that is a number."""
    options = options_in(reading)
    for name in ("impute", "time", "event", "event_value"):
        del options[name]
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


def _read_survival(source: str, reading: Reading, missing: Literal["error", "allow"]) -> Table:
    """Read a table whose outcome is a time and an event."""
    read = partial(read_source, source, missing=missing)
    return read_survival(reading, read, partial(read_column, source, reading), _without_column)


def check_outcome(table: Table, source: str) -> Table:
    """Return the table if it has an outcome; refuse it otherwise."""
    if table.y is None:
        raise TableError(
            f"{source} was read without an outcome. Name its column with --target, or a "
            "second file that holds it; for survival, name two columns with --time and --event."
        )
    return table


def given_options(reading: Reading, names: Sequence[str]) -> list[str]:
    """Return those of some options that the user has given, as typed."""
    options = options_in(reading)
    return [option_name(name) for name in names if options[name] not in (None, False)]


def is_name(source: str) -> bool:
    """Return whether a source can only be the name of a data set."""
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
    """The group, or batch, of each sample, and the name of the column that holds them."""

    name: str
    values: Array


def values_of(groups: Groups | None) -> Array | None:
    """Return the values of groups or batches, if there are any."""
    return None if groups is None else groups.values


def read_for_work(
    source: str, reading: Reading, samples: Samples
) -> tuple[Table, Groups | None, Groups | None]:
    """Read a table with an outcome, and the groups and batches of its samples if there are any.

    Raises
    ------
    BlockReadError
        If the file changes meanwhile.
    """
    known = SourceFiles(source) if Path(source).exists() else None  # or the name of a data set
    table, found = read_with_columns(
        source, reading, {"groups": samples.groups, "batch": samples.batch}
    )
    if known is not None:
        known.refuse_change()
    return table, found.get("groups"), found.get("batch")


def read_with_columns(
    source: str, reading: Reading, columns: Mapping[str, str | None]
) -> tuple[Table, dict[str, Groups]]:
    """Read a table without the columns of groups and of batches, and these columns.

    Parameters
    ----------
    source : str
    reading : Reading
    columns : mapping of str to str or None
        For ``"groups"`` and ``"batch"``, what is named as for a target: a name, a position, or
        a second file; None for nothing.

    Returns
    -------
    table : Table
    found : dict of str to Groups
        Their values are text or numbers.
    """
    given = {role: column for role, column in columns.items() if column is not None}
    if not given:
        return read_with_outcome(source, reading), {}
    if is_name(source):
        words = " and ".join(f"--{role}" for role in given)
        raise WrongUseError(
            f"{words} is for files, but {source} is not a file. The samples of the data sets "
            "that are known by name are independent and of one batch."
        )
    read = {role: read_column(source, reading, role, column) for role, column in given.items()}
    # Text is allowed for now, because these columns may be text.
    table = read_with_outcome(source, replace(reading, drop_all_text=True))
    texts = {dropped for dropped, reason in table.dropped if reason == "text"}
    if texts - {each.target_name for each in read.values()} and not reading.drop_all_text:
        read_with_outcome(source, reading)  # raises the error about text
    found = {}
    for role, each in read.items():
        values = _values_of(table, each, f"--{role} {given[role]}")
        table = _without_column(table, each.target_name, values, role)
        found[role] = Groups(each.target_name or given[role], values)
    return table, found


def _values_of(table: Table, column: Table, option: str) -> Array:
    """Return the groups of the samples of a table, which may lack some that have groups."""
    values = np.asarray(column.y)
    if len(values) == table.n_samples:
        return values
    names, known = table.sample_names, column.sample_names
    if names is None or known is None or not np.isin(names, known).all():
        raise TableError(
            f"{option} has {len(values)} values, but there are {table.n_samples} "
            "samples. State where the features are with --features-in-rows or "
            "--features-in-columns."
        )
    place_of = {name: place for place, name in enumerate(known.tolist())}
    return values[[place_of[name] for name in names.tolist()]]


def read_column(source: str, reading: Reading, role: str, column: str) -> Table:
    """Read the table as if another column, such as the groups, were the outcome."""
    as_target = replace(
        reading,
        target=column,
        time=None,
        event=None,
        event_value=None,
        task=None,
        drop_all_text=True,
        exclude=None,
    )
    try:
        table = read_source(source, as_target)
    except TableError as error:
        raise column_error(role, column, error) from error
    if table.y is None:
        raise TableError(f"--{role} {column} was not found in {source}.")
    return table


def column_error(role: str, column: str, error: TableError) -> TableError:
    """Return the error for a column that could not be read as an outcome would be."""
    word = f"column of the {role}" if role in ("time", "event") else f"column of {role}"
    text = str(error).replace("target=", f"{role}=").replace("target", word)
    return type(error)(text if f"{role}=" in text else f"--{role} {column}: {text}")


def _without_column(table: Table, name: str | None, values: Array, role: str) -> Table:
    """Return a table without a column that holds no feature."""
    if table.feature_names is None:
        _refuse_hidden_column(table, values, role)
        return table
    others = tuple(pair for pair in table.dropped if pair != (name, "text"))
    is_kept = table.feature_names != name
    if is_kept.all() and len(others) == len(table.dropped):
        return table  # it holds the sample names or is in a second file
    return replace(
        table,
        X=table.X[:, np.flatnonzero(is_kept)],
        feature_names=table.feature_names[is_kept],
        dropped=(*others, (str(name), ROLES[role])),
    )


def _refuse_hidden_column(table: Table, values: Array, role: str) -> None:
    """Refuse a column that equals a feature, because features without names cannot be left out."""
    X: Any = to_dense(table.X)
    if values.dtype.kind in "if" and np.any(np.all(values[:, None] == X, axis=0)):
        raise TableError(
            f"--{role} names a column of a table without a header, so the column cannot be "
            "distinguished from the features. Add a header, or put the column into a second file."
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
