"""Find the selected features among the names of another table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from perturbfs.arrays import Array
from perturbfs.datasets.reading import simplify

from ._selection import SelectedFeature, Selection


@dataclass(frozen=True, slots=True)
class Matches:
    """Where the selected features are in another table.

    Attributes
    ----------
    places : tuple of int or None
        Position of each selected feature, sorted by rank. None if it is missing.
    stand_ins : tuple of int or None
        For each selected feature that is missing, the position of the most similar feature of
        its group that the table has.
    respelled : dict of str to str
        From the name of a selected feature to the only name that differs from it just in case,
        blanks or punctuation.
    """

    places: tuple[int | None, ...]
    stand_ins: tuple[int | None, ...]
    respelled: dict[str, str]

    @property
    def n_found(self) -> int:
        """Number of selected features that the table has."""
        return sum(place is not None for place in self.places)


def match_features(
    selection: Selection, names: Sequence[str], *, is_loose: bool = False
) -> Matches:
    """Find the selected features among the names of a table.

    Parameters
    ----------
    selection : Selection
        Its features have names.
    names : sequence of str
    is_loose : bool, default=False
        Whether a name that differs only in case, blanks or punctuation is taken for the same.

    Returns
    -------
    matches : Matches
    """
    position = {name: place for place, name in enumerate(names)}
    by_plain: dict[str, list[str]] = {}
    for name in names:
        by_plain.setdefault(simplify(name), []).append(name)
    respelled = {
        each.label: found[0]
        for each in selection.features
        if each.label not in position and len(found := by_plain.get(simplify(each.label), [])) == 1
    }
    known = {name: position[other] for name, other in respelled.items()} if is_loose else {}
    places = tuple(position.get(each.label, known.get(each.label)) for each in selection.features)
    free = {name: place for name, place in position.items() if place not in places}
    stand_ins: list[int | None] = []
    for each, place in zip(selection.features, places, strict=True):
        members = [] if place is not None else [str(name) for name in each.stands_for]
        # A feature stands in for one selected feature only.
        chosen = next((name for name in members if name in free), None)
        stand_ins.append(None if chosen is None else free.pop(chosen))
    return Matches(places, tuple(stand_ins), respelled)


def with_medians(
    features: Sequence[SelectedFeature], values: Array
) -> tuple[SelectedFeature, ...]:
    """Return features with the medians of their known values.

    Parameters
    ----------
    features : sequence of SelectedFeature
    values : array of shape (n_samples, n_selected)
        Missing values are NaN.
    """
    known = [column[~np.isnan(column)] for column in np.asarray(values, dtype=np.float64).T]
    return tuple(
        replace(each, median=float(np.median(column)) if column.size else None)
        for each, column in zip(features, known, strict=True)
    )
