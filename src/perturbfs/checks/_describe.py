"""The description of selected features: where they are high, and which are near copies."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

from ._outcome import outcome_columns

NEAR_COPY = 0.9  # least absolute correlation of a near copy


def describe_directions(columns: Array, y: Array, weights: Array, *, task: str) -> list[str]:
    """Return where each feature is high, in words.

    Parameters
    ----------
    columns : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    weights : array of shape (n_samples,)
    task : {"classification", "regression", "survival"}

    Returns
    -------
    directions : list of str
        Such as "higher in 1" for two classes, "highest in B" for more, "rises with the outcome"
        or "falls with the outcome" for a quantity, and the same "with the risk" for a survival.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.checks import describe_directions
    >>> X, y = np.array([[0.0, 5.0], [1.0, 3.0], [2.0, 2.0]]), np.array([0.5, 1.5, 2.5])
    >>> describe_directions(X, y, np.ones(3), task="regression")
    ['rises with the outcome', 'falls with the outcome']
    """
    columns = _in_range(columns)
    if task != "classification":
        what = "outcome" if task == "regression" else "risk"
        y = _in_range(outcome_columns(y, task=task, weights=weights))[:, 0]
        slopes = weights * (y - np.average(y, weights=weights)) @ columns
        return [f"{'rises' if slope > 0 else 'falls'} with the {what}" for slope in slopes]
    classes = np.unique(y)
    means = [
        np.average(columns[y == label], axis=0, weights=weights[y == label]) for label in classes
    ]
    word = "higher" if len(classes) == 2 else "highest"
    return [f"{word} in {classes[high]}" for high in np.argmax(means, axis=0)]


def find_near_copies(likeness: Array, chosen: Array) -> dict[int, int]:
    """Return the selected features that are near copies of an earlier one, with that one.

    Parameters
    ----------
    likeness : array of shape (n_chosen, n_chosen)
        Absolute correlations of the selected features.
    chosen : array of int of shape (n_chosen,)
        Their positions in X, in the order of choice.

    Returns
    -------
    copies : dict of int to int
        From a near copy to the earlier selected feature with which it has the largest absolute
        correlation, which is at least 0.9.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.checks import find_near_copies
    >>> likeness = np.array([[1.0, 0.2, 0.97], [0.2, 1.0, 0.1], [0.97, 0.1, 1.0]])
    >>> find_near_copies(likeness, [7, 4, 5])
    {5: 7}
    """
    earlier = np.tril(likeness, k=-1)
    nearest = np.argmax(earlier, axis=1)
    is_copy = np.max(earlier, axis=1) >= NEAR_COPY
    return {int(chosen[each]): int(chosen[nearest[each]]) for each in np.flatnonzero(is_copy)}


def absolute_correlations(columns: Array) -> Array:
    """Return the absolute correlations of columns; zero with a column that does not vary."""
    columns = _in_range(columns)
    columns = columns - columns.mean(axis=0)
    lengths = np.linalg.vector_norm(columns, axis=0)
    units = columns / np.where(lengths > 0, lengths, 1.0)
    return np.abs(units.T @ units)


def _in_range(columns: Array) -> Array:
    """Divide columns by their largest values, so that products stay finite."""
    largest = np.abs(columns).max(axis=0)
    return columns / np.where(largest > 0, largest, 1.0)
