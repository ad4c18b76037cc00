"""The map of all features by their characteristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array
from perturbfs.paper import characterize

from ._columns import short, shortened

MOST_POINTS = 15_000
MOST_LETTERS = 800_000  # of all names together
LONGEST_NAME = 200
GRID = (72, 48)  # cells of the density, across and upwards
KEYS = ("angle_to_target", "sensitivity", "angle_without")
VIEWS = ((0, 1), (0, 2), (2, 1))  # what is across and what upwards


def describe_map(
    selector: Any,
    X: Array,
    y: Array,
    order: Sequence[int],
    labels: Sequence[str] | Array,
    groups: Mapping[int, Array],
    *,
    task: str,
    random_state: int | None = 0,
) -> dict[str, Any]:
    """Sensitivity and the two angles of the features, all of them or a sample with a density.

    Parameters
    ----------
    selector : fitted selector
        Its own characteristics are taken where it has them. For others those of the paper are
        computed, of centered features.
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The chosen features by rank.
    labels : sequence of str
        What people call each feature.
    groups : mapping of int to array of int
        From a chosen feature to those it stands for.
    task : {"classification", "regression"}
    random_state : int or None
        Of the perturbation, and of the sample where there are too many features.

    Returns
    -------
    map : dict
        ``axes`` (three of ``key``, ``label``, ``is_log``, ``low``, ``high``), ``n_features``
        (those that vary), ``n_shown``, ``is_own`` (the selector's characteristics), ``points``
        (``name``, the three keys, ``group``: rank of the chosen feature it belongs to, or 0;
        the chosen ones come first, by rank), and ``densities``: where not all are shown, for
        each view ``across``, ``upwards`` (keys) and ``counts`` of all features on a grid, from
        the lowest row upwards.
    """
    values, is_known, is_own = _characteristics(selector, X, y, task, random_state)
    known = np.flatnonzero(is_known)
    group = _ranks(order, groups, X.shape[1])
    shown = _shown(known, order, group, labels, random_state)
    axes = [_axis(key, values[key][known], is_own) for key in KEYS]
    points: dict[str, Any] = {"name": [_cut(str(labels[index])) for index in shown]}
    points |= {key: short(values[key][shown]) for key in KEYS}
    points["group"] = group[shown].tolist()
    is_whole = len(shown) >= len(known)
    return {
        "axes": [axis.as_dict() for axis in axes],
        "n_features": len(known),
        "n_shown": len(shown),
        "is_own": is_own,
        "points": points,
        "densities": []
        if is_whole
        else [_density(axes[a], axes[u], values, known) for a, u in VIEWS],
    }


@dataclass(frozen=True, slots=True)
class _Axis:
    key: str
    label: str
    is_log: bool
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("key", "label", "is_log", "low", "high")}

    def place(self, values: Array) -> Array:
        """Between 0 and 1."""
        low, high = self.low, self.high
        if self.is_log:
            values, low, high = np.log(np.maximum(values, low)), np.log(low), np.log(high)
        return np.clip((values - low) / (high - low), 0.0, 1.0)


def _characteristics(
    selector: Any, X: Array, y: Array, task: str, random_state: int | None
) -> tuple[dict[str, Array], Array, bool]:
    """The three values of every feature, which features take part, and whose values they are."""
    if all(hasattr(selector, f"{key}_") for key in KEYS):
        own = {key: np.asarray(getattr(selector, f"{key}_"), dtype=np.float64) for key in KEYS}
        return own, own["sensitivity"] > 0, True
    is_quantity = task == "regression"
    if not scipy.sparse.issparse(X):
        X = X - np.mean(X, axis=0)  # so that 90 degrees is no correlation
    found = characterize(
        X,
        y - np.mean(y) if is_quantity else y,
        target_coding="codes" if is_quantity else "indicators",
        random_state=random_state,
    )
    values = {
        "angle_to_target": found.angle_to_target,
        "sensitivity": found.sensitivity,
        # What taking the feature out adds, since a fit of classes never reaches them.
        "angle_without": np.maximum(found.angle_without - found.base_angle, 0.0),
    }
    return values, found.informative, False


def _ranks(order: Sequence[int], groups: Mapping[int, Array], n_features: int) -> Array:
    """Rank of the chosen feature that each belongs to, 0 for none."""
    group = np.zeros(n_features, dtype=int)
    for rank, feature in reversed(list(enumerate(order, start=1))):
        group[np.asarray(groups.get(feature, ()), dtype=int)] = rank
    group[list(order)] = np.arange(1, len(order) + 1)
    return group


def _shown(
    known: Array,
    order: Sequence[int],
    group: Array,
    labels: Sequence[str] | Array,
    random_state: int | None,
) -> Array:
    """The chosen ones by rank, then the others; of too many, groups first and a sample."""
    letters = sum(min(len(str(labels[index])), LONGEST_NAME) for index in known.tolist())
    most = min(MOST_POINTS, int(len(known) * MOST_LETTERS / max(letters, 1)))
    rest = np.setdiff1d(known, order)
    if len(rest) + len(order) > most:
        rng = np.random.default_rng(random_state)
        # Stable, so that within the groups and outside of them the order stays random.
        rest = rng.permutation(rest)
        rest = rest[np.argsort(group[rest] == 0, kind="stable")]
        rest = np.sort(rest[: max(most - len(order), 0)])
    return np.concatenate([np.asarray(order, dtype=int), rest])


def _axis(key: str, values: Array, is_own: bool) -> _Axis:
    without = "angle without it" if is_own else "angle added without it"
    label = {
        "angle_to_target": "angle to the outcome (degrees)",
        "sensitivity": "sensitivity",
        "angle_without": f"{without} (degrees)",
    }[key]
    if key == "angle_to_target":
        low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
        return _Axis(key, label, False, low, high if high > low else low + 1.0)
    positive = values[values > 0]
    if len(positive) == 0:
        return _Axis(key, label, False, 0.0, 1.0)
    # A few features with next to nothing would squeeze all others into a corner.
    low = max(float(positive.min()), float(np.quantile(positive, 0.002)) / 3)
    high = float(positive.max())
    if high / low < 3:
        return _Axis(key, label, False, shortened(low * 0.99), shortened(high * 1.01))
    return _Axis(key, label, True, shortened(low, 3), shortened(high * 1.05, 3))


def _density(
    across: _Axis, upwards: _Axis, values: dict[str, Array], known: Array
) -> dict[str, Any]:
    edges = [np.linspace(0.0, 1.0, n + 1) for n in GRID]
    counts, _, _ = np.histogram2d(
        across.place(values[across.key][known]), upwards.place(values[upwards.key][known]), edges
    )
    return {
        "across": across.key,
        "upwards": upwards.key,
        "counts": counts.T.astype(int).tolist(),
    }


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
