"""The uncertainty of the score of a fixed predictor on independent samples.

A predictor that was trained elsewhere is scored once, so there are no splits to take a mean over.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binomtest, norm, rankdata

from perturbfs.arrays import Array

from ._scorers import mean_recall, r2
from ._uncertainty import Estimate

N_RESAMPLES = 2000
N_PERMUTATIONS = 1999
Z = float(norm.ppf(0.975))  # of all intervals here, which are 95 % intervals


def exact_share(n_hits: int, n_samples: int) -> Estimate:
    """Return a share of samples with its exact interval (Clopper and Pearson, 1934)."""
    found = binomtest(n_hits, n_samples).proportion_ci(method="exact")
    return Estimate(n_hits / n_samples, float(found.low), float(found.high))


def balanced_accuracy_interval(y: Array, predicted: Array) -> Estimate:
    """Return the balanced accuracy of predictions with its interval.

    Parameters
    ----------
    y, predicted : arrays of shape (n_samples,)
        A class that is missing from `y` does not count.

    Returns
    -------
    estimate : Estimate

    Notes
    -----
    It is the mean of independent shares, one per class. Wilson's intervals of the shares are
    combined as Zou, Huang and Zhang (2009) do. With a single class that is Wilson's interval.
    Unlike a bootstrap interval, it has a width even if every sample is predicted correctly.
    """
    below, above = 0.0, 0.0
    labels = np.unique(y)
    for label in labels:
        is_hit = predicted[y == label] == label
        found = binomtest(int(is_hit.sum()), len(is_hit)).proportion_ci(method="wilson")
        share = float(is_hit.mean())
        below += (share - found.low) ** 2
        above += (found.high - share) ** 2
    mean = mean_recall(y, predicted)
    low, high = mean - math.sqrt(below) / len(labels), mean + math.sqrt(above) / len(labels)
    return Estimate(mean, max(low, 0.0), min(high, 1.0))


def auc_interval(is_positive: Array, decision: Array) -> Estimate:
    """Return the area under the ROC curve with its interval.

    Parameters
    ----------
    is_positive : array of bool of shape (n_samples,)
        Both values must occur.
    decision : array of shape (n_samples,)
        Larger values for positive samples; ties count half.

    Returns
    -------
    estimate : Estimate

    Notes
    -----
    The interval is method 5 of Newcombe (2006), from the variance of Hanley and McNeil (1982). It
    has a width even if all samples are in the right order.
    """
    n_positive, n_negative = int(is_positive.sum()), int((~is_positive).sum())
    ranks = float(rankdata(decision)[is_positive].sum())
    area = (ranks - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)
    more = (n_positive + n_negative) / 2 - 1

    def gap(value: float) -> float:
        spread = 1 + more * (1 - value) / (2 - value) + more * value / (1 + value)
        variance = value * (1 - value) * spread / (n_positive * n_negative)
        return float((area - value) ** 2 - Z**2 * variance)

    # The variance is zero at 0 and 1, so these are never the ends that are looked for.
    low = 0.0 if area <= 0 else float(brentq(gap, 0.0, min(area, 1 - 1e-9)))
    high = 1.0 if area >= 1 else float(brentq(gap, max(area, 1e-9), 1.0))
    return Estimate(area, low, high)


def r2_interval(y: Array, predicted: Array, *, random_state: int | None = 0) -> Estimate:
    """Return R^2 of predictions with the percentile interval of 2000 bootstrap samples.

    Parameters
    ----------
    y, predicted : arrays of shape (n_samples,)
        `y` must vary.
    random_state : int or None

    Returns
    -------
    estimate : Estimate
    """
    rng = np.random.default_rng(random_state)
    found = []
    for _ in range(N_RESAMPLES):
        rows = rng.integers(0, len(y), len(y))
        if np.any(y[rows] != y[rows[0]]):
            found.append(r2(y[rows], predicted[rows]))
    low, high = np.quantile(found, [0.025, 0.975])
    return Estimate(r2(y, predicted), float(low), float(high))


def correlation_interval(y: Array, predicted: Array) -> Estimate | None:
    """Return the correlation with its interval by Fisher's z, or None if it is not defined.

    Parameters
    ----------
    y, predicted : arrays of shape (n_samples,)

    Returns
    -------
    estimate : Estimate or None
        None with fewer than four samples, and where one of the arrays does not vary.
    """
    if len(y) < 4 or np.ptp(y) == 0 or np.ptp(predicted) == 0:
        return None
    value = float(np.clip(np.corrcoef(y, predicted)[0, 1], -1.0, 1.0))
    if abs(value) > 1 - 1e-12:
        value = math.copysign(1.0, value)
        return Estimate(value, value, value)
    center, half = math.atanh(value), Z / math.sqrt(len(y) - 3)
    return Estimate(value, math.tanh(center - half), math.tanh(center + half))


def permutation_p_value(
    score: Callable[[Array], float], y: Array, *, random_state: int | None = 0
) -> float:
    """Return the probability that predictions score as well on an outcome in random order.

    Parameters
    ----------
    score : callable
        Maps an outcome to the score of the predictions.
    y : array of shape (n_samples,)
    random_state : int or None

    Returns
    -------
    p_value : float
        One-sided, from 1999 permutations of the outcome; at least 1/2000.
    """
    rng = np.random.default_rng(random_state)
    # Sums in another order differ by rounding.
    least = score(y) - 1e-12
    n_as_good = sum(score(rng.permutation(y)) >= least for _ in range(N_PERMUTATIONS))
    return (1 + n_as_good) / (1 + N_PERMUTATIONS)
