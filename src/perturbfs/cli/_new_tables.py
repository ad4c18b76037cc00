"""Read a selection, and the new table or tables that its features are taken from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from perturbfs.datasets import Table, TableError, join_tables
from perturbfs.results import Selection, SelectionError, match_features

from ._command import WrongUseError
from ._options import Layout, Reading
from ._orientation import read_either_way
from ._several import name_tables, spelling
from ._tables import read_source

SELECTION = "selection.json"


def find_selection(path: Path) -> Path:
    """Return the selection.json that a path names, or that is in a directory."""
    file = path / SELECTION if path.is_dir() else path
    if not file.is_file():
        raise SelectionError(
            f"{file} is not a file. Pass the folder that perturbfs select wrote, or the "
            f"{SELECTION} in it."
        )
    return file


def read_new(
    selection: Selection,
    sources: Sequence[str],
    reading: Reading,
    *,
    match_names: str | None = None,
) -> Table:
    """Read the tables to apply a selection to, as one table.

    Parameters
    ----------
    selection : Selection
    sources : sequence of str
        One file, or one for each table that the selection was made on. A file that is called as
        one of these tables is taken for it, the others by the order of the tables. Tables without
        selected features are not read, and their files need not be given.
    reading : Reading
        Features that hold text are always left out.
    match_names : str or None
        How the samples of several files are matched: ``"exact"`` or ``"loose"``.

    Returns
    -------
    table : Table
        Its features are called as in the selection, where they come from the same table.
    """
    used = list(dict.fromkeys(each.origin for each in selection.features))
    if len(sources) == 1:
        table = _read_one(selection, sources[0], reading)
        is_certain = len(used) == 1 and used[0] is not None and table.feature_names is not None
        return _called_as_in(selection, _all_from(table, used[0])) if is_certain else table
    named = _name_as_in(selection, sources)
    notes = [f"{source} was taken for {name}." for name, source in named.items()]
    if "origins" in selection.data:
        named = {name: source for name, source in named.items() if name in used}
    tables = {
        name: _read_one(_part_of(selection, name), source, reading)
        for name, source in named.items()
    }
    if len(tables) == 1:
        [(name, table)] = tables.items()
        table = _all_from(table, name)
    else:
        table = join_tables(tables, match_names=spelling(match_names))
    table = replace(table, notes=(*notes, *table.notes), source=" and ".join(sources))
    return _called_as_in(selection, table)


def _name_as_in(selection: Selection, sources: Sequence[str]) -> dict[str, str]:
    """Return the files by the names of the tables that the selection was made on."""
    origins = [each["name"] for each in selection.data.get("origins", ())]
    by_file = name_tables(sources)
    if not origins:
        return by_file
    chosen = {each.origin for each in selection.features}
    used = [name for name in origins if name in chosen]
    expected = next((each for each in (origins, used) if len(each) == len(sources)), None)
    if expected is None:
        raise WrongUseError(
            f"{len(sources)} files were given, but the selection was made on {len(origins)} "
            f"tables: {', '.join(origins)}. Give one file for each, in this order, or one file "
            "with all features."
        )
    known = {name: source for name, source in by_file.items() if name in expected}
    others = iter(source for name, source in by_file.items() if name not in expected)
    return {name: known[name] if name in known else next(others) for name in expected}


def _part_of(selection: Selection, origin: str) -> Selection:
    """Return a selection with the features of one table only, called as in its file."""
    features = tuple(
        replace(each, name=each.own_label)
        for each in selection.features
        if each.origin in (origin, None)
    )
    return replace(selection, features=features)


def _read_one(selection: Selection, source: str, reading: Reading) -> Table:
    """Read a table; the names of the selected features say whether features are in rows."""
    own = tuple(replace(each, name=each.own_label) for each in selection.features)
    in_file = replace(selection, features=own)

    def n_found(table: Table) -> int:
        return max(_count(each, table) for each in (selection, in_file))

    def read(layout: Layout) -> Table:
        return read_source(source, replace(reading, layout=layout, drop_all_text=True))

    try:
        return read_either_way(read, reading.layout, n_found, enough=len(selection.features))
    except TableError:
        if reading.target is None:
            raise
        return read(reading.layout)  # its error names the outcome that was asked for


def _count(selection: Selection, table: Table) -> int:
    """Return how many selected features a table has, those with text or another case included."""
    names = [] if table.feature_names is None else table.feature_names.tolist()
    names += [name for name, _ in table.dropped]
    return match_features(selection, names, is_loose=True).n_found


def _all_from(table: Table, origin: str | None) -> Table:
    return replace(table, origins=np.full(table.n_features, origin, dtype=object))


def _called_as_in(selection: Selection, table: Table) -> Table:
    """Return a joined table whose features are called as in a selection.

    Which names have the name of their table in front depends on the other features of a join,
    so it may differ between two joins. A feature never gets the name of one that was selected
    from another table.
    """
    if table.origins is None or table.feature_names is None:
        return table
    origin_of = {each.label: each.origin for each in selection.features}
    known = {*origin_of, *(str(name) for each in selection.features for name in each.stands_for)}
    pairs = [
        (origin, str(name).removeprefix(f"{origin}: "))
        for origin, name in zip(table.origins, table.feature_names, strict=True)
    ]
    n_tables = Counter(name for _, name in pairs)
    names = []
    for origin, name in pairs:
        full = f"{origin}: {name}"
        is_other = name in origin_of and origin_of[name] not in (origin, None)
        is_shared = n_tables[name] > 1 and origin_of.get(name) != origin
        names.append(full if full in known or is_other or is_shared else name)
    return replace(table, feature_names=np.array(names, dtype=object))
