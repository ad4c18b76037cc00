"""Tables by path or by the name of a data set."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perturbfs.datasets import Table, TableError

from ._cluster import HERE, ClusterOptions
from ._console import WrongUseError


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the commands that read a table and write a directory have in common."""

    source: str
    out: str
    impute: str | None
    splits: int
    random_state: int
    jobs: int
    force: bool
    reading: dict[str, Any]  # how to read the table
    cluster: ClusterOptions = HERE

    def read(self) -> Table:
        """The table, which must have an outcome."""
        missing = "error" if self.impute is None else "allow"
        table = open_table(self.source, missing=missing, **self.reading)
        if table.y is None:
            raise TableError(
                f"{self.source} was read without an outcome. Name its column with --target, or a "
                "second file that holds it."
            )
        return table


def open_table(
    source: str, *, target: str | None, index: str | None = None, **options: Any
) -> Table:
    """The table a user means: a file, or a data set of the catalogue by its name.

    Parameters
    ----------
    source : str
        Path, or name of a data set if there is no such file.
    target, index : str or None
        As on the command line: a name, a position, or for the target a second file.
    **options
        Passed to `read_table`.

    Returns
    -------
    table : Table
    """
    from perturbfs.datasets import read_table

    if not Path(source).is_file() and not Path(source).suffix and "/" not in source:
        reading = {"target": target, "index": index, **options}
        return _data_set(source, {name: reading.get(name) for name in _FOR_FILES}, options)
    for names in itertools.product(_meanings(target), _meanings(index)):
        try:
            return read_table(source, target=names[0], index=names[1], **options)
        except TableError as error:
            failure = error
    raise failure


# A data set knows its outcome and its shape.
_FOR_FILES = ("target", "index", "features_in_rows", "drop_text")


def _data_set(name: str, for_files: dict[str, Any], options: dict[str, Any]) -> Table:
    from perturbfs.datasets import find_dataset, load_dataset

    try:
        entry = find_dataset(name)
    except ValueError as error:
        raise TableError(f"{name} is not a file here. {error}") from error
    given = [f"--{option.replace('_', '-')}" for option, value in for_files.items() if value]
    if given:
        raise WrongUseError(
            f"{', '.join(given)} is for files, but {name} is a data set whose outcome is known."
        )
    data = load_dataset(entry.name)
    return Table(
        X=data.X,
        y=data.y,
        feature_names=data.feature_names,
        task=options.get("task") or data.task,
        source=entry.name,
    )


def _meanings(text: str | None) -> list[int | str | None]:
    """What a word on the command line can mean: a name first, a position where it is a number."""
    if text is None:
        return [None]
    try:
        return [text, int(text)]
    except ValueError:
        return [text]
