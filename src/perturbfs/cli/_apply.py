"""`perturbfs apply`: take the selected features from another table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from perturbfs._support.files import atomic_path
from perturbfs._support.text import shorten
from perturbfs.arrays import Array, to_dense
from perturbfs.datasets import Table
from perturbfs.results import (
    Matches,
    Selection,
    SelectionError,
    load_selection,
    match_features,
)

from ._command import WrongUseError
from ._console import Terminal
from ._new_tables import read_new
from ._options import Layout
from ._tables import sample_labels, write_rows

SELECTION = "selection.json"
SPELLING = "case, blanks or punctuation"
MOST = 10  # features that a sentence names


@dataclass(frozen=True, slots=True)
class Applied:
    """The selected features of a table, and sentences on how they were found."""

    values: Array
    header: list[str]
    notes: list[str]


def run_apply(
    terminal: Terminal,
    selection_path: str,
    sources: Sequence[str],
    out: str,
    layout: Layout,
    *,
    match_names: str | None = None,
    stand_ins: bool = False,
    force: bool = False,
) -> None:
    """Read a selection and one or several tables, and write the selected features."""
    source = " and ".join(sources)
    _refuse_taken(Path(out), force=force)
    selection = load_selection(_find_selection(Path(selection_path)))
    is_loose = match_names == "loose"
    with terminal.waiting(f"reading {source}"):
        table = read_new(selection, sources, layout, match_names=match_names)
    if table.feature_names is None or None in [each.name for each in selection.features]:
        columns = selection.transform(table.X)
        header = [each.label for each in selection.features]
        applied = _fill(selection, Applied(np.asarray(to_dense(columns)), header, []))
    else:
        applied = _take_by_name(
            selection, table, source, is_loose=is_loose, uses_stand_ins=stand_ins
        )
    _write(Path(out), table, applied)
    for note in [*table.notes, *applied.notes]:
        terminal.say(note)
    n_samples, n_features = applied.values.shape
    terminal.say(f"{n_samples} samples, {n_features} features, written to {out}.")


def _find_selection(path: Path) -> Path:
    file = path / SELECTION if path.is_dir() else path
    if not file.is_file():
        raise SelectionError(
            f"{file} is not a file. Pass the folder that perturbfs select wrote, or the "
            f"{SELECTION} in it."
        )
    return file


def _take_by_name(
    selection: Selection, table: Table, source: str, *, is_loose: bool, uses_stand_ins: bool
) -> Applied:
    """Return the selected features by their names, or features of their groups instead."""
    assert table.feature_names is not None
    _refuse_text(selection, table)
    names = table.feature_names.tolist()
    found = match_features(selection, names, is_loose=is_loose)
    places = [
        stand_in if place is None and uses_stand_ins else place
        for place, stand_in in zip(found.places, found.stand_ins, strict=True)
    ]
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        raise SelectionError(_describe_missing(selection, found, names, source))
    header, notes = [], []
    for each, place, own in zip(selection.features, known, found.places, strict=True):
        header.append(each.label if own is not None else f"{names[place]} (for {each.label})")
    replaced = [name for name, own in zip(header, found.places, strict=True) if own is None]
    if is_loose and found.respelled:
        pairs = [f"{other!r} for {name!r}" for name, other in found.respelled.items()]
        notes.append(f"Names that differ only in {SPELLING} were matched: {_listed(pairs)}.")
    if replaced:
        notes.append(
            f"Missing features were replaced by the most similar ones of their groups: "
            f"{_listed(replaced)}. A stand-in has values of its own, so train the model again "
            "before you predict with it."
        )
    values = np.asarray(to_dense(table.X[:, known]), dtype=np.float64)
    # The median of a selected feature says nothing about the values of its stand-in.
    features = tuple(
        each if own is not None else replace(each, median=None)
        for each, own in zip(selection.features, found.places, strict=True)
    )
    return _fill(replace(selection, features=features), Applied(values, header, notes))


def _describe_missing(
    selection: Selection, found: Matches, names: Sequence[str], source: str
) -> str:
    """Return the error about missing features: which ones, and what the table has instead."""
    missing = [
        (each, stand_in)
        for each, place, stand_in in zip(
            selection.features, found.places, found.stand_ins, strict=True
        )
        if place is None
    ]
    labels = _listed([repr(each.label) for each, _ in missing])
    n_features = len(selection.features)
    parts = [
        f"{len(missing)} of {n_features} selected features are missing from {source}: {labels}."
    ]
    respelled = [
        f"{found.respelled[each.label]!r} for {each.label!r}"
        for each, _ in missing
        if each.label in found.respelled
    ]
    offered = [f"{names[at]!r} for {each.label!r}" for each, at in missing if at is not None]
    if respelled:
        parts.append(
            f"It has names that differ only in {SPELLING}: {_listed(respelled)}. Pass "
            "--match-names loose to take these."
        )
    if offered:
        parts.append(
            f"It has similar features from their groups: {_listed(offered)}. Pass --stand-ins to "
            "take these instead."
        )
    n_without = sum(at is None and each.label not in found.respelled for each, at in missing)
    if n_without:
        parts.append(_describe_without(n_without, len(missing), names))
    return shorten(" ".join(parts), keep=source)


def _describe_without(n_without: int, n_missing: int, names: Sequence[str]) -> str:
    how_many = "them" if n_without == n_missing else f"{n_without} of them"
    seen = _listed([repr(name) for name in names[:3]])
    return (
        f"For {how_many} it has no other feature of the same group. Its features are called "
        f"{seen}{', …' if len(names) > 3 else ''}; use the names of the table that the selection "
        "was made on."
    )


def _fill(selection: Selection, applied: Applied) -> Applied:
    """Fill missing values as the selection did, with the medians of its table, or count them."""
    is_missing = np.isnan(applied.values)
    if not is_missing.any():
        return applied
    imputed = selection.data["impute"]
    can_fill = [imputed is not None and each.median is not None for each in selection.features]
    medians = [math.nan if each.median is None else each.median for each in selection.features]
    fills = is_missing & np.array(can_fill)
    values = np.where(fills, np.array(medians), applied.values)
    notes = [*applied.notes, *_describe_filled(fills, applied.header, imputed)]
    left = is_missing & ~fills
    if left.any():
        why = "" if imputed is None else ", because no medians are known for them"
        notes.append(f"{_counted(left)} left empty{why}: {_by_feature(left, applied.header)}.")
    return Applied(values, applied.header, notes)


def _describe_filled(fills: Array, header: list[str], imputed: str | None) -> Iterator[str]:
    if fills.any():
        yield (
            f"{_counted(fills)} filled with medians of the table that the selection was made on: "
            f"{_by_feature(fills, header)}."
        )
        if imputed == "knn":
            yield (
                "The selection itself was made with values from similar samples (--impute knn), "
                "which would need that table again."
            )


def _counted(at: Array) -> str:
    """Return the subject and verb of a sentence about missing values."""
    n_values = int(at.sum())
    return "1 missing value was" if n_values == 1 else f"{n_values:,} missing values were"


def _by_feature(at: Array, header: list[str]) -> str:
    counts = at.sum(axis=0).tolist()
    pairs = zip(header, counts, strict=True)
    return _listed([f"{name!r} ({count})" for name, count in pairs if count])


def _listed(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    shown = ", ".join(names[:MOST])
    return shown if len(names) <= MOST else f"{shown} and {len(names) - MOST} more"


def _write(out: Path, table: Table, applied: Applied) -> None:
    rows = zip(sample_labels(table), applied.values.tolist(), strict=True)
    with atomic_path(out) as temporary:
        write_rows(
            temporary,
            ["sample", *applied.header],
            ((label, *("" if math.isnan(x) else x for x in row)) for label, row in rows),
        )


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
    there = set() if table.feature_names is None else set(table.feature_names.tolist())
    culprits = [
        repr(each.label)
        for each in selection.features
        if each.label not in there and {each.label, each.own_label} & left_out
    ]
    if culprits:
        raise SelectionError(
            f"{_listed(culprits)} of the new table holds text, but was a number when the "
            "selection was made. Turn it into numbers."
        )
