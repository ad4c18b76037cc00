"""Take the selected features from another table, as the selection's own table had them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from perturbfs._support.text import shorten
from perturbfs.arrays import Array, to_dense
from perturbfs.datasets import Table

from ._match import Matches, match_features
from ._selection import Selection, SelectionError

SPELLING = "case, blanks or punctuation"
MOST = 10  # features that a sentence names


@dataclass(frozen=True, slots=True)
class Taken:
    """The selected features of another table, sorted by rank.

    Attributes
    ----------
    values : array of shape (n_samples, n_selected)
        Values that were missing and could not be filled are NaN.
    names : list of str
        Names of the features; that of a stand-in says which feature it replaces.
    replaced : list of str
        Those of `names` that are stand-ins.
    notes : list of str
        Sentences on how features were found and missing values filled.
    """

    values: Array
    names: list[str]
    replaced: list[str]
    notes: list[str]


def take_selected(
    selection: Selection,
    table: Table,
    *,
    match_names: Literal["exact", "loose"] = "exact",
    stand_ins: bool = False,
) -> Taken:
    """Return the selected features of another table, with missing values filled.

    Parameters
    ----------
    selection : Selection
    table : Table
        Its features may be in any order. Without names they are taken by position.
    match_names : {"exact", "loose"}, default="exact"
        Whether names may differ in case, blanks or punctuation.
    stand_ins : bool, default=False
        Whether a missing feature is replaced by the most similar one of its group.

    Returns
    -------
    taken : Taken
        Missing values are filled with medians of the selection's own table if the selection
        filled its missing values; otherwise they stay NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, make_wide_classification
    >>> from perturbfs.results import select_features, take_selected
    >>> data = make_wide_classification(40, 60, random_state=0)
    >>> names = np.array([f"g{place}" for place in range(60)], dtype=object)
    >>> table = Table(X=data.X, y=data.y, feature_names=names, task="classification")
    >>> found = select_features(table, method="anova", n_features=2, n_splits=2)
    >>> turned = Table(X=data.X[:, ::-1], feature_names=names[::-1])
    >>> taken = take_selected(found.selection, turned)
    >>> bool((taken.values == data.X[:, [each.index for each in found.selection.features]]).all())
    True
    """
    if table.feature_names is None or None in [each.name for each in selection.features]:
        values = np.asarray(to_dense(selection.transform(table.X)), dtype=np.float64)
        names = [each.label for each in selection.features]
        return _fill(selection, Taken(values, names, [], []))
    return _take_by_name(
        selection, table, is_loose=match_names == "loose", uses_stand_ins=stand_ins
    )


def _take_by_name(
    selection: Selection, table: Table, *, is_loose: bool, uses_stand_ins: bool
) -> Taken:
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
        raise SelectionError(_describe_missing(selection, found, names, table.source))
    header: list[str] = []
    notes: list[str] = []
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
    return _fill(replace(selection, features=features), Taken(values, header, replaced, notes))


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
    where = source or "the table"
    n_features = len(selection.features)
    parts = [
        f"{len(missing)} of {n_features} selected features are missing from {where}: {labels}."
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
            "match_names='loose' to take these."
        )
    if offered:
        parts.append(
            f"It has similar features from their groups: {_listed(offered)}. Pass "
            "stand_ins=True to take these instead."
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


def _fill(selection: Selection, taken: Taken) -> Taken:
    """Fill missing values as the selection did, with the medians of its table, or count them."""
    is_missing = np.isnan(taken.values)
    if not is_missing.any():
        return taken
    imputed = selection.data["impute"]
    can_fill = [imputed is not None and each.median is not None for each in selection.features]
    medians = [math.nan if each.median is None else each.median for each in selection.features]
    fills = is_missing & np.array(can_fill)
    values = np.where(fills, np.array(medians), taken.values)
    notes = [*taken.notes, *_describe_filled(fills, taken.names, imputed)]
    left = is_missing & ~fills
    if left.any():
        why = "" if imputed is None else ", because no medians are known for them"
        notes.append(f"{_counted(left)} left empty{why}: {_by_feature(left, taken.names)}.")
    return replace(taken, values=values, notes=notes)


def _describe_filled(fills: Array, header: list[str], imputed: str | None) -> Iterator[str]:
    if fills.any():
        yield (
            f"{_counted(fills)} filled with medians of the table that the selection was made on: "
            f"{_by_feature(fills, header)}."
        )
        if imputed == "knn":
            yield (
                "The selection itself was made with values from similar samples (impute='knn'), "
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
