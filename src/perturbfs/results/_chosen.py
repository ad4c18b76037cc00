"""Details of the selected features: direction, values by sample, and the trees of their groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from perturbfs.arrays import Array, to_dense
from perturbfs.checks import as_quantity

from ._wording import class_labels, with_sign

MOST_SAMPLES = 300
MOST_FEATURES = 40
MOST_GROUPS = 40
MOST_MEMBERS = 15


def describe_chosen(
    X: Array,
    y: Array,
    order: Sequence[int],
    groups: Mapping[int, Array],
    in_splits: Sequence[Array],
    *,
    task: str,
) -> list[dict[str, Any]]:
    """Describe the direction of every selected feature, and how often it was selected again.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The selected features, sorted by rank.
    groups : mapping of int to array of int
        From a selected feature to the features of its group.
    in_splits : sequence of arrays of int
        The features selected in each split.
    task : {"classification", "regression", "survival"}

    Returns
    -------
    rows : list of dict
        One per feature. ``direction``: a text. ``effects``: for classes, the mean of each class
        (in sorted order) minus the mean of all samples, in standard deviations.
        ``correlation``: with a quantity, or with the martingale residuals of a survival.
        ``n_again``: number of splits that selected the feature. ``n_again_group``: number of
        splits that selected any feature of its group.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_chosen
    >>> X, y = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]), np.array([0, 0, 1, 1])
    >>> [row] = describe_chosen(X, y, [0], {0: [0, 1]}, [[0], [1]], task="classification")
    >>> row["direction"], row["effects"]
    ('higher in 1 (+1.79 SD)', [-0.8944, 0.8944])
    >>> row["n_again"], row["n_again_group"]
    (1, 2)
    """
    y, direction = as_quantity(y, task=task)[0], _DIRECTIONS[task]
    sets = [set(np.asarray(chosen).tolist()) for chosen in in_splits]
    rows = []
    for feature, values in zip(order, take_columns(X, order).T, strict=True):
        group = {int(feature), *(int(member) for member in groups.get(feature, ()))}
        rows.append(
            {
                **direction(values, y),
                "n_again": sum(feature in chosen for chosen in sets),
                "n_again_group": sum(not group.isdisjoint(chosen) for chosen in sets),
            }
        )
    return rows


def _class_effects(values: Array, y: Array) -> dict[str, Any]:
    classes = np.unique(y)
    deviation, middle = float(values.std()), float(values.mean())
    apart = [float(values[y == label].mean()) - middle for label in classes]
    effects = short(np.array(apart) / deviation) if deviation > 0 else [0.0] * len(apart)
    return {
        "direction": _class_direction(effects, class_labels(classes)),
        "effects": effects,
        "correlation": None,
    }


def _class_direction(effects: list[float], names: list[str]) -> str:
    high, low = (effects.index(pick(effects)) for pick in (max, min))
    if len(effects) == 2:
        return f"higher in {names[high]} ({with_sign(effects[high] - effects[low])} SD)"
    return (
        f"highest in {names[high]} ({with_sign(effects[high])} SD), "
        f"lowest in {names[low]} ({with_sign(effects[low])})"
    )


def _correlation(values: Array, y: Array, what: str = "outcome") -> dict[str, Any]:
    y = np.asarray(y, dtype=np.float64)
    spread = float(values.std() * y.std())
    covariance = float(np.mean((values - values.mean()) * (y - y.mean())))
    correlation = shortened(covariance / spread) if spread > 0 else 0.0
    verb = "rises" if correlation > 0 else "falls"
    return {
        "direction": f"{verb} with the {what} (r = {with_sign(correlation)})",
        "effects": None,
        "correlation": correlation,
    }


_DIRECTIONS: dict[str, Callable[[Array, Array], dict[str, Any]]] = {
    "classification": _class_effects,
    "regression": _correlation,
    "survival": partial(_correlation, what="risk"),
}


def describe_samples(
    X: Array, y: Array, order: Sequence[int], *, task: str, most: int = MOST_SAMPLES
) -> dict[str, Any]:
    """Return the values of the selected features, with the samples sorted by their outcome.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The selected features, sorted by rank. Only the first 40 are taken.
    task : {"classification", "regression", "survival"}
    most : int, default=300
        Maximum number of samples. If there are more, they are taken at equal steps along the
        outcome.

    Returns
    -------
    samples : dict
        ``n_samples``, ``n_shown``, ``classes`` (names, or None), ``outcome`` (position among the
        classes, the quantity, or the martingale residual of a survival) and ``values`` (one list
        per feature).

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_samples
    >>> X, y = np.array([[3.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), np.array(["b", "a", "b"])
    >>> found = describe_samples(X, y, [0], task="classification")
    >>> found["classes"], found["outcome"], found["values"]
    (['a', 'b'], [0, 1, 1], [[1.0, 3.0, 2.0]])
    """
    y, task = as_quantity(y, task=task)
    rows = np.argsort(y, kind="stable")
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).round().astype(int)]
    if task == "classification":
        labels, codes = np.unique(y, return_inverse=True)
        classes, outcome = [str(label) for label in labels], codes[rows].tolist()
    else:
        classes, outcome = None, short(np.asarray(y)[rows])
    return {
        "n_samples": len(y),
        "n_shown": len(rows),
        "classes": classes,
        "outcome": outcome,
        "values": [short(column) for column in take_columns(X, order[:MOST_FEATURES])[rows].T],
    }


def describe_groups(
    X: Array,
    order: Sequence[int],
    labels: Sequence[str],
    groups: Mapping[int, Array],
) -> list[dict[str, Any] | None]:
    """Return one tree per group. Features that join early are nearly the same.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    order : sequence of int
        The selected features, sorted by rank.
    labels : sequence of str
        A label for every feature of X.
    groups : mapping of int to array of int
        From a selected feature to the features of its group, itself first.

    Returns
    -------
    trees : list of dict or None
        One entry per selected feature. None if the feature stands for itself only, and after
        the 40th. ``members``: labels, the selected feature first, at most 15. ``correlation``:
        of each member with the selected one. ``joins``: two nodes and the distance at which
        they join, which is one minus their absolute correlation; join ``i`` makes node
        ``len(members) + i``. ``n_left_out``: members that are not in the tree.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_groups
    >>> X = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 3.0], [3.0, 6.0, 2.0]])
    >>> [tree] = describe_groups(X, [0], ["a", "b", "c"], {0: [0, 1, 2]})
    >>> tree["members"], tree["correlation"], tree["joins"]
    (['a', 'b', 'c'], [1.0, 1.0, 0.5], [[0, 1, 0.0], [2, 3, 0.5]])
    """
    trees: list[dict[str, Any] | None] = []
    for place, feature in enumerate(order):
        members = [int(member) for member in groups.get(feature, ())]
        is_drawn = place < MOST_GROUPS and len(members) > 1
        trees.append(_tree(X, members, labels) if is_drawn else None)
    return trees


def _tree(X: Array, members: list[int], labels: Sequence[str]) -> dict[str, Any]:
    drawn = members[:MOST_MEMBERS]
    columns = take_columns(X, drawn)
    columns = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(columns, axis=0)
    columns = columns / np.where(lengths > 0, lengths, 1.0)
    correlations = np.clip(columns.T @ columns, -1.0, 1.0)
    # Rounding can make the diagonal differ from zero, which the checks of squareform refuse.
    distances = squareform(1.0 - np.abs(correlations), checks=False)
    return {
        "members": [labels[member] for member in drawn],
        "correlation": short(np.round(correlations[0], 6), 3),
        "joins": [
            [int(first), int(second), round(max(float(distance), 0.0), 4)]
            for first, second, distance, _ in linkage(distances, method="average").tolist()
        ],
        "n_left_out": len(members) - len(drawn),
    }


def take_columns(X: Array, features: Sequence[int]) -> Array:
    """Return some features as a dense array of float64."""
    return np.asarray(to_dense(X[:, list(features)]), dtype=np.float64)


def short(values: Array, digits: int = 4) -> list[float]:
    """Round values to some significant digits, which are enough for a figure."""
    return [shortened(value, digits) for value in np.asarray(values).tolist()]


def shortened(value: float, digits: int = 4) -> float:
    """Round a value to some significant digits."""
    if value == 0 or not math.isfinite(value):
        return 0.0
    return float(f"{value:.{digits}g}")
