"""`perturbfs apply`: take the selected features from another table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from perturbfs._support.files import atomic_path
from perturbfs.datasets import Table
from perturbfs.results import Taken, load_selection, take_selected

from ._command import WrongUseError
from ._console import Terminal
from ._new_tables import find_selection, read_new
from ._options import Layout, Reading, as_name_match
from ._tables import sample_labels, write_rows
from ._wording import in_options


def run_apply(
    terminal: Terminal,
    selection_path: str,
    sources: Sequence[str],
    out: str,
    layout: Layout,
    *,
    match_names: str = "exact",
    stand_ins: bool = False,
    force: bool = False,
) -> None:
    """Read a selection and one or several tables, and write the selected features."""
    source = " and ".join(sources)
    _refuse_taken(Path(out), force=force)
    selection = load_selection(find_selection(Path(selection_path)))
    with terminal.waiting(f"reading {source}"):
        table = read_new(selection, sources, Reading(layout=layout), match_names=match_names)
    taken = take_selected(
        selection, table, match_names=as_name_match(match_names), stand_ins=stand_ins
    )
    _write(Path(out), table, taken)
    for note in [*table.notes, *map(in_options, taken.notes)]:
        terminal.say(note)
    n_samples, n_features = taken.values.shape
    terminal.say(f"{n_samples} samples, {n_features} features, written to {out}.")


def _write(out: Path, table: Table, taken: Taken) -> None:
    rows = zip(sample_labels(table), taken.values.tolist(), strict=True)
    with atomic_path(out) as temporary:
        write_rows(
            temporary,
            ["sample", *taken.names],
            ((label, *("" if math.isnan(x) else x for x in row)) for label, row in rows),
        )


def _refuse_taken(out: Path, *, force: bool) -> None:
    if out.is_dir():
        raise WrongUseError(f"{out} is a directory. Name a file to write.")
    if not out.parent.is_dir():
        raise WrongUseError(f"{out.parent} is not a directory. Name a file in one that exists.")
    if out.exists() and not force:
        raise WrongUseError(f"{out} exists. Name another file, or pass --force to replace it.")
