"""Tables by path or by the name of a data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perturbfs.datasets import Table, TableError


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
    from perturbfs.datasets import find_dataset, load_dataset, read_table

    if not Path(source).exists() and "." not in source and "/" not in source:
        entry = find_dataset(source)
        data = load_dataset(entry.name)
        return Table(
            X=data.X,
            y=data.y,
            feature_names=data.feature_names,
            sample_names=None,
            task=options.get("task") or data.task,
            target_name=None,
            source=entry.name,
            dropped=(),
            n_missing=0,
            missing_features=(),
        )
    return read_table(
        source, target=position_or_name(target), index=position_or_name(index), **options
    )


def position_or_name(text: str | None) -> int | str | None:
    """A whole number is a position, anything else a name."""
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        return text
