"""An outcome in a file of its own, joined on the names of the samples."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._binary import load_npy
from ._formats import WITH_HEADER, find_reader, read_with
from ._grid import SAMPLE_NAMES, Grid, Wanted, simplify
from ._names import find_place, quoted
from ._open import check_file, explained
from ._parts import Parts
from ._roles import find_names_column
from ._table import TableError

LabelFile = tuple[Path, str | None]


@dataclass(frozen=True, slots=True)
class Labels:
    """The outcome of some samples."""

    values: list[str] | NDArray[Any]
    names: list[str] | None  # of the samples
    column: str
    source: str


def find_label_file(target: str | int | os.PathLike[str] | None) -> LabelFile | None:
    """File and column that a target names, or None where it names no file.

    Parameters
    ----------
    target : str, int, path or None
        ``labels.csv`` or ``labels.csv:column``. A string names a file only where the file
        exists, a path always does.
    """
    if target is None or isinstance(target, int):
        return None
    text = os.fspath(target)
    file, _, column = text.rpartition(":")
    if Path(text).is_file() or not (file and Path(file).is_file()):
        is_file = Path(text).is_file() or not isinstance(target, str)
        return (Path(text), None) if is_file else None
    return Path(file), column


def read_labels(
    path: Path, column: str | None = None, *, known: Collection[str] = frozenset()
) -> Labels:
    """The outcome in a file.

    Parameters
    ----------
    path : Path
        Sample names and one column, or any table whose column is named. A column without
        sample names, or a .npy file with one dimension, is joined by order.
    column : str or None
    known : collection of str
        What may be names of samples. A first line that starts with one of them is no header.

    Returns
    -------
    labels : Labels
    """
    check_file(path)
    reader = find_reader(path)
    if path.suffix.lower() == ".npy":
        values = np.squeeze(load_npy(path))
        if values.ndim != 1:
            raise TableError(f"{path} has shape {values.shape}, and one label a sample is needed.")
        return Labels(values=values, names=None, column="target", source=str(path))
    wanted = Wanted(target=column if column is not None else -1)
    found = read_with(reader, path, wanted)
    if column is None and reader in WITH_HEADER and _starts_with(found, known):
        found = read_with(reader, path, replace(wanted, header=False))
    if not isinstance(found, Grid):
        raise TableError(f"{path} cannot hold labels. Give them as text, Parquet or Excel.")
    with explained(path):
        return _labels_from(found, column, str(path))


def _starts_with(found: Grid | Parts, known: Collection[str]) -> bool:
    return isinstance(found, Grid) and (found.column_names or [""])[0] in known


def _labels_from(grid: Grid, column: str | None, source: str) -> Labels:
    n_columns = grid.values.shape[1]
    names_at = find_names_column(grid, Wanted(target=column if column else -1), in_rows=False)
    if names_at is None and n_columns == 2:
        names_at = 0  # two columns of numbers: numbers of the samples, and their labels
    if column is not None:
        place = find_place(column, grid.column_names, n_columns, what="target")
    else:
        places = [place for place in range(n_columns) if place != names_at]
        if len(places) != 1:
            raise TableError(
                f"there are {len(places)} columns that could be the target: "
                f"{quoted([grid.column_name(place) for place in places])}. Name one, as in "
                f"{source}:{grid.column_name(places[-1]) if places else 'column'}"
            )
        place = places[0]
    names = None if names_at is None else [str(name) for name in grid.column_entries(names_at)]
    return Labels(grid.column_entries(place), names, grid.column_name(place), source)


def possible_samples(found: Grid | Parts) -> set[str]:
    """What may be names of samples in a table whose orientation is not known yet."""
    if isinstance(found, Parts):
        return set(found.sample_names or [])
    rows = {entry for entries in found.column_texts.values() for entry in entries}
    columns = (found.column_names or [])[1:]
    return rows.union(name for name in columns if simplify(name) not in SAMPLE_NAMES)


def join_labels(parts: Parts, labels: Labels) -> Parts:
    """The parts with the outcome of another file.

    Parameters
    ----------
    parts : Parts
    labels : Labels
        Joined on sample names; by order only where neither file has them. Labels without a
        sample are left out and counted.

    Returns
    -------
    parts : Parts
    """
    dropped = parts.dropped
    if parts.y is not None:
        dropped += ((parts.target_name or "target", f"the target is in {labels.source}"),)
    if parts.sample_names is None or labels.names is None:
        values = _by_order(parts, labels)
    else:
        places = _places_by_name(parts.sample_names, labels)
        values = [labels.values[place] for place in places]
        n_spare = len(labels.values) - len(set(places))
        if n_spare:
            dropped += ((labels.source, f"{n_spare} labels without a sample"),)
    return replace(parts, y=_same_kind(values, labels), target_name=labels.column, dropped=dropped)


def _same_kind(values: Any, labels: Labels) -> list[str] | NDArray[Any]:
    return np.asarray(values) if isinstance(labels.values, np.ndarray) else list(values)


def _by_order(parts: Parts, labels: Labels) -> list[str] | NDArray[Any]:
    if parts.sample_names is not None or labels.names is not None:
        which = labels.source if labels.names is None else "the table"
        raise TableError(
            f"{which} has no sample names, so the labels of {labels.source} cannot be joined. Add "
            "a column with the names to it, or name that column with index."
        )
    if len(labels.values) != parts.X.shape[0]:
        raise TableError(
            f"{labels.source} has {len(labels.values)} labels for {parts.X.shape[0]} samples. "
            "Without sample names their numbers must agree."
        )
    return labels.values


def _places_by_name(sample_names: list[str], labels: Labels) -> list[int]:
    place_of: dict[str, int] = {}
    for place, name in enumerate(labels.names or []):
        if place_of.setdefault(name.strip(), place) != place:
            raise TableError(
                f"{labels.source} has two labels for sample {name!r}, at rows "
                f"{place_of[name.strip()] + 1} and {place + 1}. Remove one."
            )
    without = [name for name in sample_names if name.strip() not in place_of]
    if without:
        raise TableError(
            f"{len(without)} of {len(sample_names)} samples have no label in {labels.source}: "
            f"{quoted(without)}. Its names are like {quoted(list(place_of), 3)}. Add their "
            "labels, or remove these samples."
        )
    return [place_of[name.strip()] for name in sample_names]
