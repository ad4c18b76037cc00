"""Values of the chosen features, sample by sample, without the names of the samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturbfs.arrays import Array

from ._columns import short, take_columns

MOST_SAMPLES = 300
MOST_FEATURES = 40


def describe_samples(
    X: Array, y: Array, order: Sequence[int], *, task: str, most: int = MOST_SAMPLES
) -> dict[str, Any]:
    """Chosen features by samples, the samples ordered by their outcome.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    order : sequence of int
        The chosen features by rank; the first 40 are described.
    task : {"classification", "regression"}
    most : int, default=300
        Of more samples than that, so many are taken, evenly along the outcome.

    Returns
    -------
    samples : dict
        ``n_samples``, ``n_shown``, ``classes`` (names, or None), ``outcome`` (position among the
        classes, or the quantity) and ``values`` (a list for each feature).

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_samples
    >>> X, y = np.array([[3.0, 0.0], [1.0, 0.0], [2.0, 0.0]]), np.array(["b", "a", "b"])
    >>> found = describe_samples(X, y, [0], task="classification")
    >>> found["classes"], found["outcome"], found["values"]
    (['a', 'b'], [0, 1, 1], [[1.0, 3.0, 2.0]])
    """
    rows = np.argsort(y, kind="stable")
    if len(rows) > most:
        rows = rows[np.linspace(0, len(rows) - 1, most).round().astype(int)]
    values = take_columns(X, list(order)[:MOST_FEATURES])[rows]
    classes, outcome = None, short(np.asarray(y)[rows]) if task == "regression" else []
    if task == "classification":
        labels, codes = np.unique(y, return_inverse=True)
        classes, outcome = [str(label) for label in labels], codes[rows].tolist()
    return {
        "n_samples": len(y),
        "n_shown": len(rows),
        "classes": classes,
        "outcome": outcome,
        "values": [short(column) for column in values.T],
    }
