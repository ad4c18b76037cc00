"""All details of a selection, for the page and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perturbfs.arrays import Array

from ._chosen import describe_chosen
from ._curve import describe_curve
from ._groups import describe_groups
from ._map import describe_map
from ._noise_study import describe_noise
from ._samples import describe_samples


def describe_details(
    selector: Any,
    X: Array,
    y: Array,
    *,
    task: str,
    order: Sequence[int],
    labels: Sequence[str] | Array,
    in_splits: Sequence[Array],
    noise: bool,
    random_state: int | None = 0,
) -> dict[str, Any]:
    """What the page shows beyond the selection, in plain values.

    Parameters
    ----------
    selector : fitted selector
    X : array or sparse matrix of shape (n_samples, n_features)
        What it was fitted to, without missing values.
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    order : sequence of int
        The chosen features by rank.
    labels : sequence of str
        What people call each feature.
    in_splits : sequence of arrays of int
        Features chosen on parts of the samples.
    noise : bool
        Whether to select and predict again with noise added, about thirty selections.
    random_state : int or None

    Returns
    -------
    details : dict
        ``curve``, ``chosen``, ``samples``, ``map``, ``groups`` and ``noise``, as
        ``docs/summary-json.md`` has them. Of the samples it holds the values of chosen features
        only, and no names.
    """
    groups = getattr(selector, "groups_", {})
    return {
        "curve": describe_curve(selector),
        "chosen": describe_chosen(X, y, order, groups, in_splits, task=task),
        "samples": describe_samples(X, y, order, task=task),
        "map": describe_map(
            selector, X, y, order, labels, groups, task=task, random_state=random_state
        ),
        "groups": describe_groups(X, order, labels, groups),
        "noise": describe_noise(selector, X, y, task=task, random_state=random_state)
        if noise
        else None,
    }
