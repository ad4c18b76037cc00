"""The map of all features: their characteristics, for a scatter plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array
from perturbfs.checks import as_quantity
from perturbfs.paper import characterize

from ._chosen import short, shortened
from ._wording import LONGEST_NAME, shorten

MOST_POINTS = 15_000
MOST_LETTERS = 800_000  # of all labels together
GRID = (72, 48)  # cells of a density, from left to right and upwards
KEYS = ("angle_to_target", "sensitivity", "angle_without")
VIEWS = ((0, 1), (0, 2), (2, 1))  # the keys of the horizontal and the vertical axis


def describe_map(
    selector: Any,
    X: Array,
    y: Array,
    order: Sequence[int],
    labels: Sequence[str],
    groups: Mapping[int, Array],
    *,
    task: str,
    random_state: int | None = 0,
) -> dict[str, Any]:
    """Return the characteristics of the features: of all, or of a sample and a density.

    Parameters
    ----------
    selector : fitted selector
        If it has characteristics, these are used. Otherwise the characteristics of the paper
        are computed from centered features.
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The selected features, sorted by rank.
    labels : sequence of str
        A label for every feature of X.
    groups : mapping of int to array of int
        From a selected feature to the features of its group.
    task : {"classification", "regression", "survival"}
    random_state : int or None
        Seed of the perturbation, and of the sample if there are too many features.

    Returns
    -------
    map : dict
        ``axes``: three axes with ``key``, ``label``, ``is_log``, ``low`` and ``high``.
        ``n_features``: features that vary. ``n_shown``: features among the points. ``is_own``:
        whether the characteristics are the selector's own. ``points``: lists of ``name``, the
        three characteristics and ``group``, the rank of the selected feature of its group, or
        0; the selected features come first, by rank. ``densities``: empty if all features are
        shown, else for each view ``across`` and ``upwards`` (keys) and ``counts`` of all
        features on a grid, the lowest row first.
    """
    values, is_known, is_own = _characteristics(selector, X, y, task, random_state)
    known = np.flatnonzero(is_known)
    group = _ranks(order, groups, X.shape[1])
    shown = _shown(known, order, group, labels, random_state)
    axes = [_axis(key, values[key][known], is_own) for key in KEYS]
    views = VIEWS if len(shown) < len(known) else ()
    return {
        "axes": axes,
        "n_features": len(known),
        "n_shown": len(shown),
        "is_own": is_own,
        "points": {
            "name": [shorten(labels[index]) for index in shown],
            **{key: short(values[key][shown]) for key in KEYS},
            "group": group[shown].tolist(),
        },
        "densities": [_density(axes[a], axes[u], values, known) for a, u in views],
    }


def _characteristics(
    selector: Any, X: Array, y: Array, task: str, random_state: int | None
) -> tuple[dict[str, Array], Array, bool]:
    """Return the characteristics by key, which features vary, and whether they are its own."""
    if all(hasattr(selector, f"{key}_") for key in KEYS):
        own = {key: np.asarray(getattr(selector, f"{key}_"), dtype=np.float64) for key in KEYS}
        return own, own["sensitivity"] > 0, True
    y, task = as_quantity(y, task=task)
    is_quantity = task == "regression"
    if not scipy.sparse.issparse(X):
        X = X - np.mean(X, axis=0)  # 90 degrees then means no correlation
    found = characterize(
        X,
        y - np.mean(y) if is_quantity else y,
        target_coding="codes" if is_quantity else "indicators",
        random_state=random_state,
    )
    values = {
        "angle_to_target": found.angle_to_target,
        "sensitivity": found.sensitivity,
        # Classes are never fitted exactly, so only the increase of the angle is of interest.
        "angle_without": np.maximum(found.angle_without - found.base_angle, 0.0),
    }
    return values, found.informative, False


def _ranks(order: Sequence[int], groups: Mapping[int, Array], n_features: int) -> Array:
    """Return for every feature the rank of the selected feature of its group, or 0."""
    group = np.zeros(n_features, dtype=int)
    for rank, feature in reversed(list(enumerate(order, start=1))):
        group[np.asarray(groups.get(feature, ()), dtype=int)] = rank
    group[list(order)] = np.arange(1, len(order) + 1)
    return group


def _shown(
    known: Array,
    order: Sequence[int],
    group: Array,
    labels: Sequence[str],
    random_state: int | None,
) -> Array:
    """Return the selected features, then the others; of too many, the groups and a sample."""
    letters = sum(min(len(labels[index]), LONGEST_NAME) for index in known.tolist())
    most = min(MOST_POINTS, int(len(known) * MOST_LETTERS / max(letters, 1)))
    rest = np.setdiff1d(known, order)
    if len(rest) + len(order) > most:
        rng = np.random.default_rng(random_state)
        # A stable sort keeps the random order within the groups and outside of them.
        rest = rng.permutation(rest)
        rest = rest[np.argsort(group[rest] == 0, kind="stable")]
        rest = np.sort(rest[: max(most - len(order), 0)])
    return np.concatenate([np.asarray(order, dtype=int), rest])


def _axis(key: str, values: Array, is_own: bool) -> dict[str, Any]:
    without = "angle without it" if is_own else "angle added without it"
    label = {
        "angle_to_target": "angle to the outcome (degrees)",
        "sensitivity": "sensitivity",
        "angle_without": f"{without} (degrees)",
    }[key]
    low, high, is_log = _limits(key, values)
    return {"key": key, "label": label, "is_log": is_log, "low": low, "high": high}


def _limits(key: str, values: Array) -> tuple[float, float, bool]:
    """Return the ends of an axis, and whether it is logarithmic."""
    if key == "angle_to_target":
        low, high = float(np.floor(values.min())), float(np.ceil(values.max()))
        return low, high if high > low else low + 1.0, False
    positive = values[values > 0]
    if len(positive) == 0:
        return 0.0, 1.0, False
    # A few features with values near zero would press all others into a corner.
    low = max(float(positive.min()), float(np.quantile(positive, 0.002)) / 3)
    high = float(positive.max())
    if high / low < 3:
        return shortened(low * 0.99), shortened(high * 1.01), False
    return shortened(low, 3), shortened(high * 1.05, 3), True


def _density(
    across: dict[str, Any], upwards: dict[str, Any], values: dict[str, Array], known: Array
) -> dict[str, Any]:
    """Count all features on a grid."""
    x, y = (_place(axis, values[axis["key"]][known]) for axis in (across, upwards))
    counts, _, _ = np.histogram2d(x, y, bins=[np.linspace(0.0, 1.0, n + 1) for n in GRID])
    return {
        "across": across["key"],
        "upwards": upwards["key"],
        "counts": counts.T.astype(int).tolist(),
    }


def _place(axis: dict[str, Any], values: Array) -> Array:
    """Return positions between the ends of an axis, from 0 to 1."""
    low, high = axis["low"], axis["high"]
    if axis["is_log"]:
        values, low, high = np.log(np.maximum(values, low)), np.log(low), np.log(high)
    return np.clip((values - low) / (high - low), 0.0, 1.0)
