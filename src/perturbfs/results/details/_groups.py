"""How alike the features of a group are: correlations, and the tree they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from perturbfs.arrays import Array

from ._columns import short, take_columns

MOST_GROUPS = 40
MOST_MEMBERS = 15


def describe_groups(
    X: Array,
    order: Sequence[int],
    labels: Sequence[str] | Array,
    groups: Mapping[int, Array],
) -> list[dict[str, Any] | None]:
    """The tree of every group: features that join early are nearly the same.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    order : sequence of int
        The chosen features by rank.
    labels : sequence of str
        What people call each feature.
    groups : mapping of int to array of int
        From a chosen feature to those it stands for, itself first.

    Returns
    -------
    trees : list of dict or None
        One a chosen feature; None where it stands for itself alone, and after the 40th.
        ``members`` (names, the chosen one first, at most 15), ``correlation`` of each with the
        chosen one, ``joins`` (pairs of nodes and the distance, one minus the absolute
        correlation, at which they join; node ``len(members) + i`` is made by join ``i``) and
        ``n_left_out``.

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


def _tree(X: Array, members: list[int], labels: Sequence[str] | Array) -> dict[str, Any]:
    drawn = members[:MOST_MEMBERS]
    columns = take_columns(X, drawn)
    columns = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(columns, axis=0)
    columns = columns / np.where(lengths > 0, lengths, 1.0)
    correlations = np.clip(columns.T @ columns, -1.0, 1.0)
    apart = 1.0 - np.abs(correlations)
    # Zero on the diagonal and symmetric but for rounding, which squareform would refuse.
    joins = linkage(squareform(apart, checks=False), method="average")
    return {
        "members": [str(labels[member]) for member in drawn],
        "correlation": short(np.round(correlations[0], 6), 3),
        "joins": [
            [int(first), int(second), round(max(float(height), 0.0), 4)]
            for first, second, height, _ in joins.tolist()
        ],
        "n_left_out": len(members) - len(drawn),
    }
