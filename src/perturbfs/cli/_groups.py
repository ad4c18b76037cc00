"""Samples that belong together: patients, read from a column that is no feature."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs.arrays import Array, to_dense
from perturbfs.datasets import Table, TableError

from ._console import WrongUseError
from ._source import Request, open_table

REASON = "keeps samples together"


def read_with_groups(request: Request, column: str) -> tuple[Table, Array]:
    """The table without the column of the groups, and the groups.

    Parameters
    ----------
    request : Request
    column : str
        As a target on the command line: a name, a position, or a second file.

    Returns
    -------
    table : Table
    groups : array of shape (n_samples,)
        Text or numbers.
    """
    if not Path(request.source).suffix and not Path(request.source).is_file():
        raise WrongUseError(
            f"--groups is for files, but {request.source} is none. The samples of the data sets "
            "that are known by name are independent."
        )
    name, groups = _read_groups(request, column)
    table = _without_text(request, name)
    if len(groups) != table.n_samples:
        raise TableError(
            f"--groups {column} has {len(groups)} values, but there are {table.n_samples} "
            "samples. Say with --features-in-rows or --features-in-columns which they are."
        )
    return _without_column(table, name, groups), groups


def _read_groups(request: Request, column: str) -> tuple[str | None, Array]:
    """Read the table as if the groups were the outcome, whatever else it holds."""
    reading = {**request.reading, "target": column, "task": None, "drop_text": True}
    try:
        table = open_table(request.source, missing="allow", **reading)
    except TableError as error:
        text = str(error).replace("target", "column of groups")
        raise TableError(f"--groups {column}: {text}") from error
    if table.y is None:
        raise TableError(f"--groups {column} was not found in {request.source}.")
    return table.target_name, table.y


def _without_text(request: Request, name: str | None) -> Table:
    """The table, in which no feature but the groups may hold text unless the user allows it."""
    if request.reading["drop_text"]:
        return request.read()
    lenient = replace(request, reading={**request.reading, "drop_text": True})
    table = lenient.read()
    texts = [dropped for dropped, reason in table.dropped if reason == "text"]
    return table if set(texts) <= {name} else request.read()  # which says what to do


def _without_column(table: Table, name: str | None, groups: Array) -> Table:
    others = tuple(pair for pair in table.dropped if pair != (name, "text"))
    if table.feature_names is None:
        _refuse_hidden(table, groups)
        return table
    is_kept = table.feature_names != name
    if is_kept.all() and len(others) == len(table.dropped):
        return table  # the groups are the sample names, or come from elsewhere
    return replace(
        table,
        X=table.X[:, np.flatnonzero(is_kept)],
        feature_names=table.feature_names[is_kept],
        dropped=(*others, (str(name), REASON)),
    )


def _refuse_hidden(table: Table, groups: Array) -> None:
    """Features without names: the groups could be among them."""
    X: Any = to_dense(table.X)
    if groups.dtype.kind in "if" and np.any(np.all(groups[:, None] == X, axis=0)):
        raise TableError(
            "--groups names a column of a table without a header, so it cannot be told from the "
            "features. Add a header, or put the groups into a second file."
        )
