"""Read a table that a selection is taken to: the layout is found by the selected features."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from perturbfs.datasets import Table, TableError
from perturbfs.results import Selection, SelectionError, match_features

from ._options import Reading
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


def read_new(selection: Selection, source: str, reading: Reading) -> Table:
    """Read a table; the names of the selected features say whether features are in rows.

    Parameters
    ----------
    selection : Selection
    source : str
    reading : Reading
        Features that hold text are always left out.

    Returns
    -------
    table : Table
    """
    reading = replace(reading, drop_all_text=True)
    turned_reading = replace(reading, layout=replace(reading.layout, features_in_rows=True))
    is_stated = reading.layout.features_in_rows is not None
    try:
        table = read_source(source, reading)
        n_found = _count(selection, table)
    except TableError:
        if is_stated:
            raise
        return _read_turned(source, reading, turned_reading)
    is_settled = is_stated or table.feature_names is None
    if is_settled or n_found == len(selection.features):
        return table
    try:
        turned = read_source(source, turned_reading)
    except TableError:
        if n_found:
            return table
        raise
    return turned if _count(selection, turned) > n_found else table


def _read_turned(source: str, reading: Reading, turned_reading: Reading) -> Table:
    """Read a table that could not be read as it stands with its features in rows."""
    try:
        return read_source(source, turned_reading)
    except TableError:
        if reading.target is None:
            raise
        return read_source(source, reading)  # its error names the outcome that was asked for


def _count(selection: Selection, table: Table) -> int:
    """Return how many selected features a table has, those with text or another case included."""
    names = [] if table.feature_names is None else table.feature_names.tolist()
    names += [name for name, _ in table.dropped]
    return match_features(selection, names, is_loose=True).n_found
