"""Stability: the agreement of repeated selections."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.stats import norm as normal

from perturbfs.arrays import Array

from ._uncertainty import Estimate, check_level


def stability(selections: Sequence[Array], n_features: int) -> float:
    """Return the agreement of several selections beyond chance.

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
        same sizes, negative if they agree less. NaN for fewer than two selections, and if
        every selection holds all features or none.

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
    known = [np.asarray(selection, dtype=int) for selection in selections]
    if n_features < 1 or any(np.any((each < 0) | (each >= n_features)) for each in known):
        raise ValueError(
            f"With n_features={n_features}, the positions of selected features must be from 0 to "
            f"{n_features - 1}. Pass the number of all features, selected or not."
        )
    if n_runs < 2:
        return math.nan
    counts = np.zeros(n_features)
    for selection in known:
        counts[selection] += 1
    frequency = counts / n_runs
    mean_share = float(frequency.sum()) / n_features
    chance = mean_share * (1 - mean_share)
    if chance == 0:
        return math.nan
    variance = float(np.mean(frequency * (1 - frequency))) * n_runs / (n_runs - 1)
    return 1 - variance / chance


def stability_interval(
    selections: Sequence[Array], n_features: int, *, level: float = 0.95
) -> Estimate:
    """Return the agreement of several selections beyond chance, with its interval.

    Parameters
    ----------
    selections : sequence of int arrays
        Indices of the features that each selection chose.
    n_features : int
        Number of features to choose from.
    level : float, default=0.95

    Returns
    -------
    estimate : Estimate
        `stability` as its mean. The interval is not cut off at 1. All three are NaN where
        the stability is.

    Notes
    -----
    The asymptotic interval of Nogueira, Sechidis and Brown (2018), for selections from
    independent resamples of the data. Random splits of one data set overlap, so the interval
    shows how much the value depends on the splits and not how much it depends on the samples.
    With few selections it is too narrow: dozens are needed for the stated coverage. It has no
    width if every selection agrees equally well with the others, for example if all are equal.

    Examples
    --------
    >>> from perturbfs.evaluation import stability_interval
    >>> found = stability_interval([[0, 1, 2], [0, 1, 3], [0, 1, 2]], n_features=100)
    >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
    (0.65, 0.77, 0.89)
    """
    check_level(level)
    value = stability(selections, n_features)
    if math.isnan(value):
        return Estimate(value, value, value)
    n_runs = len(selections)
    chosen = [np.unique(np.asarray(selection, dtype=int)) for selection in selections]
    frequency = np.bincount(np.concatenate(chosen), minlength=n_features) / n_runs
    share = np.array([len(features) for features in chosen]) / n_features
    mean_share = float(share.mean())
    shared = np.array([frequency[features].sum() for features in chosen]) / n_features
    expected = share * mean_share
    influence = (shared - expected + value / 2 * (2 * expected - share - mean_share + 1)) / (
        mean_share * (1 - mean_share)
    )
    variance = 4 / n_runs**2 * float(np.sum((influence - influence.mean()) ** 2))
    half = float(normal.ppf(0.5 + level / 2)) * math.sqrt(variance)
    return Estimate(value, value - half, value + half)
