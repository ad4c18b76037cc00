"""`perturbfs apply`: take the selected features from another table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from perturbfs._support.files import atomic_path
from perturbfs.arrays import Array, to_dense
from perturbfs.datasets import Table
from perturbfs.results import Selection, SelectionError, load_selection

from ._command import WrongUseError
from ._console import Terminal
from ._options import Layout, Reading
from ._tables import read_source, sample_labels, write_rows


class _Frame:
    """The part of a data frame that `Selection.transform` needs."""

    def __init__(self, values: Array, columns: list[str]) -> None:
        self.values, self.columns, self.shape = values, columns, values.shape

    def __getitem__(self, names: list[str]) -> Array:
        position = {name: j for j, name in enumerate(self.columns)}
        return self.values[:, [position[name] for name in names]]


def run_apply(
    terminal: Terminal, selection_path: str, source: str, out: str, layout: Layout, *, force: bool
) -> None:
    """Read a selection and a table, and write the selected features."""
    _refuse_taken(Path(out), force=force)
    if not Path(selection_path).is_file():
        raise SelectionError(f"{selection_path} is not a file. Pass a selection.json.")
    selection = load_selection(selection_path)
    with terminal.waiting(f"reading {source}"):
        table = read_source(source, Reading(layout=layout, drop_all_text=True))
    _refuse_text(selection, table)
    for note in table.notes:
        terminal.say(note)
    names = table.feature_names
    columns = selection.transform(table.X if names is None else _Frame(table.X, names.tolist()))
    values = np.asarray(to_dense(columns))
    rows = zip(sample_labels(table), values.tolist(), strict=True)
    with atomic_path(out) as temporary:
        header = ["sample", *(feature.label for feature in selection.features)]
        write_rows(temporary, header, ((label, *row) for label, row in rows))
    terminal.say(f"{len(values)} samples, {len(selection.features)} features, written to {out}.")


def _refuse_taken(out: Path, *, force: bool) -> None:
    if out.is_dir():
        raise WrongUseError(f"{out} is a directory. Name a file to write.")
    if not out.parent.is_dir():
        raise WrongUseError(f"{out.parent} is not a directory. Name a file in one that exists.")
    if out.exists() and not force:
        raise WrongUseError(f"{out} exists. Name another file, or pass --force to replace it.")


def _refuse_text(selection: Selection, table: Table) -> None:
    """Refuse a table in which a selected feature holds text, which was left out on reading."""
    left_out = {name for name, _ in table.dropped}
    culprits = [each.label for each in selection.features if each.name in left_out]
    if culprits:
        raise SelectionError(
            f"{', '.join(map(repr, culprits))} of the new table holds text, but was a number when "
            "the selection was made. Turn it into numbers."
        )
