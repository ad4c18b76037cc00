"""Of each chosen feature: where it is high or low, and how often it is chosen again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from perturbfs.arrays import Array

from ._columns import short, shortened, take_columns


def describe_chosen(
    X: Array,
    y: Array,
    order: Sequence[int],
    groups: Mapping[int, Array],
    in_splits: Sequence[Array],
    *,
    task: str,
) -> list[dict[str, Any]]:
    """Direction and frequency of every chosen feature.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The chosen features by rank.
    groups : mapping of int to array of int
        From a chosen feature to those it stands for.
    in_splits : sequence of arrays of int
        Features chosen on parts of the samples.
    task : {"classification", "regression"}

    Returns
    -------
    rows : list of dict
        ``effects``: for classes, how many standard deviations the mean of each class, in
        sorted order, is above the mean of all samples. ``correlation``: with a quantity.
        ``n_again``: splits in which it was chosen; ``n_again_group``: splits in which it or a
        feature it stands for was.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_chosen
    >>> X, y = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]), np.array([0, 0, 1, 1])
    >>> [row] = describe_chosen(X, y, [0], {0: [0, 1]}, [[0], [1]], task="classification")
    >>> row["effects"], row["n_again"], row["n_again_group"]
    ([-0.8944, 0.8944], 1, 2)
    """
    columns = take_columns(X, order)
    sets = [set(np.asarray(chosen).tolist()) for chosen in in_splits]
    rows = []
    for feature, values in zip(order, columns.T, strict=True):
        alike = {int(feature), *(int(member) for member in groups.get(feature, ()))}
        rows.append(
            {
                "effects": _effects(values, y) if task == "classification" else None,
                "correlation": None if task == "classification" else _correlation(values, y),
                "n_again": sum(feature in chosen for chosen in sets),
                "n_again_group": sum(not alike.isdisjoint(chosen) for chosen in sets),
            }
        )
    return rows


def _effects(values: Array, y: Array) -> list[float]:
    deviation = float(values.std())
    middle = float(values.mean())
    apart = [float(values[y == label].mean()) - middle for label in np.unique(y)]
    return short(np.array(apart) / deviation) if deviation > 0 else [0.0] * len(apart)


def _correlation(values: Array, y: Array) -> float:
    y = np.asarray(y, dtype=np.float64)
    spread = float(values.std() * y.std())
    if spread == 0:
        return 0.0
    return shortened(float(np.mean((values - values.mean()) * (y - y.mean()))) / spread)
