"""A selection on disk: read, checked, and applied to new data by the names of features."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.files import atomic_path
from perturbfs.arrays import Array
from perturbfs.exceptions import DataWarning

SCHEMA_VERSION = 1


class SelectionError(ValueError):
    """A file is not a selection of ours, or data do not fit it."""


@dataclass(frozen=True, slots=True)
class SelectedFeature:
    """A chosen feature.

    Attributes
    ----------
    name : str or None
        None where the data had no names.
    index : int
        Position among the features, from 0.
    rank : int
        1 for the most relevant.
    score : float or None
        Absolute cosine of the angle to the outcome for the robust and the paper's method, the
        method's own score for their rivals, None for those that have none.
    stands_for : tuple of str or int
        Names, or positions where there are none, of the features of its group, the most
        similar first; without itself.
    """

    name: str | None
    index: int
    rank: int
    score: float | None
    stands_for: tuple[str | int, ...]

    @property
    def label(self) -> str:
        """What people read: the name, or the number from 1."""
        return label_of(self.index if self.name is None else self.name)


def label_of(name_or_index: str | int) -> str:
    """What people read: the name, or the number of a feature without one, from 1."""
    if isinstance(name_or_index, str):
        return name_or_index
    return f"feature {name_or_index + 1}"


@dataclass(frozen=True, slots=True)
class Selection:
    """What `perturbfs select` found, and how.

    Attributes
    ----------
    method : str
    parameters : dict
        Of the selector.
    random_state : int or None
    versions : dict
        Of the packages that took part.
    data : dict
        What was read: source, n_samples, n_features, task, target, classes, fingerprint.
    features : tuple of SelectedFeature
        By rank.
    estimate : dict
        Leak-free scores of the selection, of all features (None where they do not fit into
        memory) and of guessing, and the stability.
    """

    method: str
    parameters: dict[str, Any]
    random_state: int | None
    versions: dict[str, str]
    data: dict[str, Any]
    features: tuple[SelectedFeature, ...]
    estimate: dict[str, Any]

    def to_json(self) -> str:
        """The selection as text; equal selections give equal bytes."""
        content = {"schema_version": SCHEMA_VERSION, **asdict(self)}
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the selection as JSON, whole or not at all."""
        with atomic_path(path) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")

    def transform(self, frame: Any) -> Any:
        """The selected features of a table, in the order of their rank.

        Parameters
        ----------
        frame : pandas or polars DataFrame, or array of shape (n_samples, n_features)
            A frame may hold its features in any order and others besides. Arrays, and frames
            for a selection without names, are taken by position, with a warning where names
            would have been safer; they must have as many features as the selection saw.

        Returns
        -------
        selected : of the same kind as `frame`
        """
        names = [feature.name for feature in self.features]
        columns = getattr(frame, "columns", None)
        if columns is not None and None not in names:
            missing = [name for name in names if name not in set(columns)]
            if missing:
                raise SelectionError(
                    f"{len(missing)} of {len(names)} selected features are missing from the data: "
                    f"{', '.join(map(repr, missing))}. Check that the features are called as in "
                    f"the table that the selection was made on."
                )
            return frame[names]
        return self._take_by_position(frame)

    def _take_by_position(self, frame: Any) -> Any:
        n_features = self.data["n_features"]
        if frame.shape[1] != n_features:
            raise SelectionError(
                f"The data have {frame.shape[1]} features, but the selection was made on "
                f"{n_features} and features without names can only be told by position. "
                "Pass the same features in the same order."
            )
        warnings.warn(
            "Features are taken by position, because the selection or the data have no names. "
            "Make sure that they are in the order of the table the selection was made on.",
            DataWarning,
            stacklevel=3,
        )
        positions = [feature.index for feature in self.features]
        if hasattr(frame, "iloc"):
            return frame.iloc[:, positions]
        return frame[:, positions]


def load_selection(path: str | os.PathLike[str]) -> Selection:
    """Read a selection and check it.

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
    column 1 (char 0)). Pass the selection.json that perturbfs select wrote.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise SelectionError(
            f"{path} is not JSON ({error}). Pass the selection.json that perturbfs select wrote."
        ) from error
    return _checked(content, path)


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "method": str,
    "parameters": dict,
    "random_state": (int, type(None)),
    "versions": dict,
    "data": dict,
    "features": list,
    "estimate": dict,
}
_NUMBER = (int, float)
_NOTHING = type(None)
_DATA_FIELDS: dict[str, type | tuple[type, ...]] = {
    "n_samples": int,
    "n_features": int,
    "n_constant": int,
    "task": str,
    "target": (str, _NOTHING),
    "classes": (dict, _NOTHING),
    "n_missing": int,
    "impute": (str, _NOTHING),
    "dropped": list,
    "fingerprint": str,
}
_ESTIMATE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "metric": str,
    "predictor": str,
    "n_splits": int,
    "n_features_in_splits": list,
    "stability": (*_NUMBER, _NOTHING),
    "selected": dict,
    "all_features": (dict, _NOTHING),
    "guessing": dict,
}
_INTERVAL_FIELDS: dict[str, type | tuple[type, ...]] = {
    "mean": _NUMBER,
    "low": (*_NUMBER, _NOTHING),
    "high": (*_NUMBER, _NOTHING),
}
_FEATURE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": (str, type(None)),
    "index": int,
    "rank": int,
    "score": (int, float, type(None)),
    "stands_for": list,
}


def _checked(content: Any, path: str | os.PathLike[str]) -> Selection:
    if not isinstance(content, dict) or "schema_version" not in content:
        raise SelectionError(
            f"{path} has no schema_version. Pass the selection.json that perturbfs select wrote."
        )
    version = content.pop("schema_version")
    if version != SCHEMA_VERSION:
        raise SelectionError(
            f"{path} has schema_version {version!r}, but this perturbfs reads {SCHEMA_VERSION}. "
            "Use the version of perturbfs that wrote it, or select again."
        )
    _check_fields(content, _FIELDS, f"{path}")
    _check_fields(content["data"], _DATA_FIELDS, f"{path}, data")
    _check_fields(content["estimate"], _ESTIMATE_FIELDS, f"{path}, estimate")
    estimate = content["estimate"]
    for name in ("selected", "all_features", "guessing"):
        if name == "all_features" and estimate[name] is None:
            continue
        _check_fields(estimate[name], _INTERVAL_FIELDS, f"{path}, estimate.{name}")
    n_features = content["data"]["n_features"]
    features = []
    for position, feature in enumerate(content["features"], start=1):
        _check_fields(feature, _FEATURE_FIELDS, f"{path}, feature {position}")
        if not 0 <= feature["index"] < n_features:
            raise SelectionError(
                f"{path}, feature {position}: index {feature['index']} is not among the "
                f"{n_features} features of the data. The file is damaged; select again."
            )
        features.append(SelectedFeature(**{**feature, "stands_for": tuple(feature["stands_for"])}))
    return Selection(**{**content, "features": tuple(features)})


def _check_fields(content: Any, fields: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    found = set(content) if isinstance(content, dict) else set()
    if found != set(fields):
        raise SelectionError(
            f"{where} has the fields {sorted(found)}, but {sorted(fields)} are needed. "
            "The file is damaged or was not written by perturbfs; select again."
        )
    for name, kind in fields.items():
        if not isinstance(content[name], kind) or isinstance(content[name], bool):
            raise SelectionError(
                f"{where}: {name} is {content[name]!r}, which is not of the right kind. "
                "The file is damaged; select again."
            )


def describe_features(selector: Any, feature_names: Array | None) -> tuple[SelectedFeature, ...]:
    """The chosen features of a fitted selector, by rank.

    Features of selectors without groups stand for nothing but themselves.
    """
    chosen = np.flatnonzero(selector.get_support())
    ranking = getattr(selector, "ranking_", np.arange(1, selector.n_features_in_ + 1))
    order = chosen[np.argsort(ranking[chosen], kind="stable")]
    scores = _scores(selector)
    groups = getattr(selector, "groups_", {})
    labels: Any = range(selector.n_features_in_) if feature_names is None else feature_names
    features = []
    for rank, index in enumerate(order.tolist(), start=1):
        score = None if scores is None or np.isnan(scores[index]) else float(scores[index])
        members = [int(member) for member in groups.get(index, ()) if member != index]
        stands_for = tuple(_plain(labels[member]) for member in members)
        name = None if feature_names is None else str(feature_names[index])
        features.append(SelectedFeature(name, index, rank, score, stands_for))
    return tuple(features)


def _scores(selector: Any) -> Array | None:
    if hasattr(selector, "angle_to_target_"):
        return np.abs(np.cos(np.radians(selector.angle_to_target_)))
    return getattr(selector, "scores_", None)


def _plain(label: Any) -> str | int:
    return label if isinstance(label, int) else str(label)
