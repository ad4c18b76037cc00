"""Near copies among the selected features."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

NEAR_COPY = 0.9  # absolute correlation


def find_copies(columns: Array) -> list[list[tuple[int, float]]]:
    """Return for each selected feature the other selected features that it is nearly equal to.

    Parameters
    ----------
    columns : array of shape (n_samples, n_selected)
        Values of the selected features, sorted by rank.

    Returns
    -------
    copies : list of list of (int, float)
        Positions of features with an absolute correlation of at least 0.9, and the correlation,
        the largest absolute value first. A feature that never varies has no copies.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import find_copies
    >>> find_copies(np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 0.0], [3.0, 6.0, 1.0]]))
    [[(1, 1.0)], [(0, 1.0)], []]
    """
    centered = columns - columns.mean(axis=0)
    lengths = np.linalg.norm(centered, axis=0)
    units = centered / np.where(lengths > 0, lengths, 1.0)
    correlations = np.round(np.clip(units.T @ units, -1.0, 1.0), 6)
    np.fill_diagonal(correlations, 0.0)
    copies = []
    for row in correlations:
        order = np.argsort(-np.abs(row), kind="stable")
        near = order[np.abs(row[order]) >= NEAR_COPY]
        copies.append([(int(other), float(row[other])) for other in near])
    return copies
