"""A selection in memory and on disk, and its features in new data."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from perturbfs._support.files import atomic_path
from perturbfs.arrays import Array
from perturbfs.checks import choice_order, choice_scores
from perturbfs.exceptions import DataWarning

from ._schema import DocumentError, read_document
from ._upgrade import upgrade_selection
from ._wording import label_of

SELECTION_VERSION = 2


class SelectionError(DocumentError):
    """A file is not a selection.json or is damaged, or a table lacks the selected features."""


@dataclass(frozen=True, slots=True)
class SelectedFeature:
    """A selected feature.

    Attributes
    ----------
    name : str or None
        None if the data had no names.
    index : int
        Position among the features, from 0.
    rank : int
        1 for the most relevant feature.
    score : float or None
        Absolute cosine of the angle to the outcome for the robust and the paper's method. Other
        methods give their own score, or None.
    stands_for : tuple of str or int
        Names of the other features in its group, the most similar first. Positions from 0 if
        there are no names. Near copies among the selected features are counted too.
    copy_of : str or int or None
        Name or position of an earlier selected feature of which this is a near copy: their
        absolute correlation is at least 0.9.
    median : float or None
        Median of its known values in the data of the selection. `perturbfs apply` fills missing
        values with it. None in files of earlier versions.
    origin : str or None
        The table that it comes from, where several tables were joined.
    """

    name: str | None
    index: int
    rank: int
    score: float | None
    stands_for: tuple[str | int, ...]
    copy_of: str | int | None = None
    median: float | None = None
    origin: str | None = None

    @property
    def label(self) -> str:
        """The name, or the number from 1 if there is no name."""
        return label_of(self.index if self.name is None else self.name)

    @property
    def own_label(self) -> str:
        """The label without the name of the table that it comes from, as in the file of that."""
        return self.label if self.origin is None else self.label.removeprefix(f"{self.origin}: ")


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected features, and how they were selected.

    Attributes
    ----------
    method : str
    parameters : dict
        Of the selector.
    random_state : int or None
    versions : dict
        Versions of Python and of the packages.
    data : dict
        Describes the data: n_samples, n_features, task, target, classes, fingerprint and more.
    features : tuple of SelectedFeature
        Sorted by rank.
    estimate : dict
        Leak-free scores of the selection, of all features (None if they do not fit into
        memory), of random features and of guessing, the comparisons with these, the verdict,
        and the stability.
    """

    method: str
    parameters: dict[str, Any]
    random_state: int | None
    versions: dict[str, str]
    data: dict[str, Any]
    features: tuple[SelectedFeature, ...]
    estimate: dict[str, Any]

    def __str__(self) -> str:
        """Return the verdict and the selected features as a table."""
        names = [feature.label for feature in self.features]
        width = max([len("feature"), *map(len, names)])
        lines = [
            self.estimate["verdict"],
            f"{'rank':>4}  {'feature':{width}}  {'score':>6}  stands for",
        ]
        for feature, name in zip(self.features, names, strict=True):
            score = "-" if feature.score is None else f"{feature.score:.3f}"
            others = len(feature.stands_for) or "itself"
            lines.append(f"{feature.rank:>4}  {name:{width}}  {score:>6}  {others}")
        return "\n".join(line for line in lines if line)

    def to_json(self) -> str:
        """Return the selection as JSON text; equal selections give equal text."""
        content = {"schema_version": SELECTION_VERSION, **asdict(self)}
        for feature in content["features"]:
            if feature["origin"] is None:  # most selections are made on one table
                del feature["origin"]
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the selection as JSON. After an error there is no incomplete file."""
        with atomic_path(path) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")

    def transform(self, frame: Any) -> Any:
        """Return the selected features of a table, sorted by rank.

        Parameters
        ----------
        frame : pandas or polars DataFrame, or array of shape (n_samples, n_features)
            A frame may have its features in any order, and other columns too. If the frame or
            the selection has no names, features are taken by position with a warning. Then the
            number of features must be the same as in the data of the selection.

        Returns
        -------
        selected : of the same kind as `frame`
        """
        names = [feature.name for feature in self.features]
        columns = getattr(frame, "columns", None)
        if columns is None or None in names:
            return self._take_by_position(frame)
        missing = [name for name in names if name not in set(columns)]
        if missing:
            raise SelectionError(
                f"{len(missing)} of {len(names)} selected features are missing from the data: "
                f"{', '.join(map(repr, missing))}. Use the same feature names as in the table "
                "that the selection was made on."
            )
        return frame[names]

    def _take_by_position(self, frame: Any) -> Any:
        n_features = self.data["n_features"]
        if frame.shape[1] != n_features:
            raise SelectionError(
                f"The data have {frame.shape[1]} features, but the selection was made on "
                f"{n_features}. Without names, features are identified by position. "
                "Pass the same features in the same order."
            )
        warnings.warn(
            "Features are taken by position, because the selection or the data have no names. "
            "Make sure that they are in the same order as in the table that the selection was "
            "made on.",
            DataWarning,
            stacklevel=3,
        )
        positions = [feature.index for feature in self.features]
        return frame.iloc[:, positions] if hasattr(frame, "iloc") else frame[:, positions]


def load_selection(path: str | os.PathLike[str]) -> Selection:
    """Read a selection and check its fields.

    Parameters
    ----------
    path : path
        A ``selection.json`` that `perturbfs select` wrote.

    Returns
    -------
    selection : Selection

    Examples
    --------
    >>> from perturbfs import load_selection
    >>> load_selection("README.md")
    Traceback (most recent call last):
        ...
    perturbfs.results._selection.SelectionError: README.md is not JSON (Expecting value: line 1
    column 1 (char 0)). Pass the selection.json that perturbfs select wrote, or select again.
    """
    advice = "Pass the selection.json that perturbfs select wrote, or select again."
    content = read_document(
        path,
        "selection",
        version=SELECTION_VERSION,
        upgrade=upgrade_selection,
        advice=advice,
        error=SelectionError,
    )
    del content["schema_version"]
    n_features = content["data"]["n_features"]
    for place, feature in enumerate(content["features"]):
        if not 0 <= feature["index"] < n_features:
            raise SelectionError(
                f"{path}: features[{place}].index is {feature['index']}, but a position from 0 "
                f"to {n_features - 1} is needed, because the data have {n_features} features. "
                f"{advice}"
            )
        feature["stands_for"] = tuple(feature["stands_for"])
    features = tuple(SelectedFeature(**feature) for feature in content["features"])
    return Selection(**{**content, "features": features})


def describe_features(
    selector: Any,
    feature_names: Array | None,
    copies: Sequence[Sequence[tuple[int, float]]] | None = None,
    origins: Array | None = None,
) -> tuple[SelectedFeature, ...]:
    """Return the selected features of a fitted selector, sorted by rank.

    Parameters
    ----------
    selector : fitted selector
        If it has no groups, each feature stands for itself only.
    feature_names : array of str or None
    copies : sequence of sequences of (int, float), optional
        From `find_copies`.
    origins : array of str, optional
        The table that each feature comes from.

    Returns
    -------
    features : tuple of SelectedFeature
    """
    scores, groups = choice_scores(selector), getattr(selector, "groups_", {})
    order = choice_order(selector)

    def name_of(index: int) -> str | int:
        return index if feature_names is None else str(feature_names[index])

    features = []
    for place, index in enumerate(order):
        near = [] if copies is None else [other for other, _ in copies[place]]
        members = [order[other] for other in near]
        members += [int(member) for member in groups.get(index, ())]
        score = None if scores is None or np.isnan(scores[index]) else float(scores[index])
        earlier = next((order[other] for other in near if other < place), None)
        features.append(
            SelectedFeature(
                name=None if feature_names is None else str(feature_names[index]),
                index=index,
                rank=place + 1,
                score=score,
                stands_for=tuple(
                    name_of(each) for each in dict.fromkeys(members) if each != index
                ),
                copy_of=None if earlier is None else name_of(earlier),
                origin=None if origins is None else str(origins[index]),
            )
        )
    return tuple(features)
