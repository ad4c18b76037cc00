"""Join an outcome from a second file on the names of the samples."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs.datasets._errors import TableError

from ._arrays import load_npy
from ._files import check_file, explained
from ._formats import WITH_HEADER, find_reader, read_file
from ._grid import Grid
from ._names import SAMPLE_NAMES, count, find_place, loosened, quoted, simplify
from ._options import ReadOptions
from ._parts import Parts
from ._roles import find_names_column

LabelFile = tuple[Path, str | None]


@dataclass(frozen=True, slots=True)
class Labels:
    """The outcome of some samples."""

    values: list[str] | NDArray[Any]
    names: list[str] | None  # of the samples; None if the file has none
    column: str
    source: str


def find_label_file(target: str | int | os.PathLike[str] | None) -> LabelFile | None:
    """Return the file and column that a target names, or None if it is not a file.

    Parameters
    ----------
    target : str, int, path or None
        ``labels.csv`` or ``labels.csv:column``. A string is a file only if the file exists; a
        path always is.
    """
    if target is None or isinstance(target, int):
        return None
    path, text = Path(target), os.fspath(target)
    # The name of the column may have a colon too.
    colons = [] if _is_file(path) else [at for at, letter in enumerate(text) if letter == ":"]
    for place in reversed(colons):
        if _is_file(Path(text[:place])):
            return Path(text[:place]), text[place + 1 :]
    return (path, None) if _is_file(path) or not isinstance(target, str) else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name of a column may be too long for a path
        return False


def read_labels(
    path: Path, column: str | None = None, known: Collection[str] = frozenset()
) -> Labels:
    """Read the outcome from a file of its own.

    Parameters
    ----------
    path : Path
        Sample names and one column, or any table if `column` is given. A column without sample
        names, or a .npy file with one dimension, is joined by order.
    column : str or None
    known : collection of str
        Possible names of samples. A first line that starts with one of them is not a header.

    Returns
    -------
    labels : Labels
    """
    check_file(path)
    reader = find_reader(path)
    if path.suffix.lower() == ".npy":
        values = np.squeeze(load_npy(path))
        if values.ndim != 1:
            raise TableError(
                f"{path} has shape {values.shape}, and one label per sample is needed."
            )
        return Labels(values=values, names=None, column="target", source=str(path))
    options = ReadOptions(target=-1 if column is None else column)
    names = set(map(loosened, known))
    found = read_file(path, options)
    if not isinstance(found, Grid):
        raise TableError(f"{path} cannot hold labels. Give them as text, Parquet or Excel.")
    first = (found.column_names or [""])[0]
    if column is None and reader in WITH_HEADER and first and loosened(first) in names:
        found = read_file(path, replace(options, header=False))
        assert isinstance(found, Grid)
    with explained(path):
        return _labels_from(found, column, options, str(path))


def _labels_from(grid: Grid, column: str | None, options: ReadOptions, source: str) -> Labels:
    n_columns = grid.values.shape[1]
    names_at = find_names_column(grid, options, in_rows=False)
    if names_at is None and n_columns == 2:
        names_at = 0  # two columns of numbers: a number per sample, and its label
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
    """Return the possible names of samples in a table whose orientation is not known yet."""
    if isinstance(found, Parts):
        return set(found.sample_names or [])
    rows = {entry for entries in found.column_texts.values() for entry in entries}
    columns = (found.column_names or [])[1:]
    return rows.union(name for name in columns if simplify(name) not in SAMPLE_NAMES)


def join_labels(parts: Parts, labels: Labels, options: ReadOptions) -> Parts:
    """Return the parts of a table with the outcome of another file.

    Parameters
    ----------
    parts : Parts
    labels : Labels
        Joined on sample names; by order only if neither file has them. Labels without a sample
        are left out and counted.
    options : ReadOptions
        Its ``match_names`` and ``unlabelled`` are used.

    Returns
    -------
    parts : Parts
        A sample without a label has an empty one, if such samples may be left out.
    """
    dropped = parts.dropped
    if parts.y is not None:
        dropped += ((parts.target_name or "target", f"the target is in {labels.source}"),)
    if parts.sample_names is None or labels.names is None:
        _check_order(parts, labels)
        return replace(parts, y=labels.values, target_name=labels.column, dropped=dropped)
    places = _places_by_name(parts.sample_names, labels.names, labels.source, options)
    n_spare = len(labels.values) - len(set(places) - {None})
    if n_spare:
        what = "label" if n_spare == 1 else "labels"
        dropped += ((labels.source, f"{n_spare:,} {what} without a sample"),)
    y: Any = labels.values
    known = [place for place in places if place is not None]
    if isinstance(y, np.ndarray) and len(known) == len(places):
        y = y[known]
    else:
        y = ["" if place is None else str(y[place]) for place in places]
    return replace(parts, y=y, target_name=labels.column, dropped=dropped)


def _check_order(parts: Parts, labels: Labels) -> None:
    if parts.sample_names is not None or labels.names is not None:
        which = labels.source if labels.names is None else "the table"
        raise TableError(
            f"{which} has no sample names, so the labels of {labels.source} cannot be joined. Add "
            "a column with the names, or give that column with --index (index)."
        )
    if len(labels.values) != parts.X.shape[0]:
        raise TableError(
            f"{labels.source} has {len(labels.values)} labels for {parts.X.shape[0]} samples. "
            "Without sample names the two numbers must agree."
        )


def _places_by_name(
    sample_names: list[str], names: list[str], source: str, options: ReadOptions
) -> list[int | None]:
    """Return the position of the label of each sample, or None."""
    is_loose = options.match_names == "loose"
    key = loosened if is_loose else str.strip
    if is_loose:
        check_loose(sample_names)
    place_of: dict[str, int] = {}
    for place, name in enumerate(names):
        if place_of.setdefault(key(name), place) != place:
            raise TableError(
                f"{source} has two labels for sample {name!r}, at rows "
                f"{place_of[key(name)] + 1} and {place + 1}. Remove one."
            )
    places = [place_of.get(key(name)) for name in sample_names]
    without = [name for name, place in zip(sample_names, places, strict=True) if place is None]
    if not without or (options.unlabelled == "drop" and len(without) < len(sample_names)):
        return places
    found = (
        f"{len(without):,} of {count(len(sample_names), 'sample')} "
        f"{'has' if len(without) == 1 else 'have'} no label in {source}: {quoted(without)}."
    )
    like = {loosened(name): name for name in names}
    alike = [(name, like[loosened(name)]) for name in without if loosened(name) in like]
    if alike and not is_loose:
        raise TableError(
            f"{found} {len(alike):,} of these names differ from the names there in case, blanks "
            f"or punctuation only, such as {alike[0][0]!r} and {alike[0][1]!r}. Match them with "
            "--match-names loose (match_names='loose')."
        )
    raise TableError(
        f"{found} The names there look like {quoted(names, 3)}. Add the missing labels, or leave "
        "these samples out with --unlabelled drop (unlabelled='drop')."
    )


def check_loose(names: list[str]) -> None:
    """Raise an error if two samples have the same name when case and blanks are ignored."""
    seen: dict[str, str] = {}
    for name in names:
        if seen.setdefault(loosened(name), name) != name:
            raise TableError(
                f"the sample names {seen[loosened(name)]!r} and {name!r} are equal if case, "
                "blanks and punctuation are ignored. Rename one, or match the names exactly."
            )
