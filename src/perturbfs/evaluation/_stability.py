"""How alike the sets are that repeated selections came up with."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from perturbfs.backends import Array


def stability(selections: Sequence[Array], n_features: int) -> float:
    """Agreement of several selections beyond chance.

    Parameters
    ----------
    selections : sequence of int arrays
        Indices of the features that each selection chose.
    n_features : int
        Number of features to choose from.

    Returns
    -------
    stability : float
        1 if all selections are equal, about 0 if they agree no more than random sets of the
        same sizes, negative if less. NaN for fewer than two selections, and where every
        feature or none is always chosen, so that nothing could differ.

    Notes
    -----
    The estimator of Nogueira, Sechidis and Brown (2018): one minus the mean variance of the
    features' selection over that of random sets. Unlike the Jaccard index it does not rise
    with the number of chosen features.

    Examples
    --------
    >>> from perturbfs.evaluation import stability
    >>> stability([[0, 1, 2], [0, 1, 2]], n_features=100)
    1.0
    """
    n_runs = len(selections)
    if n_runs < 2:
        return math.nan
    counts = np.zeros(n_features)
    for selection in selections:
        counts[np.asarray(selection, dtype=int)] += 1
    frequency = counts / n_runs
    mean_share = float(frequency.sum()) / n_features
    chance = mean_share * (1 - mean_share)
    if chance == 0:
        return math.nan
    variance = float(np.mean(frequency * (1 - frequency))) * n_runs / (n_runs - 1)
    return 1 - variance / chance
