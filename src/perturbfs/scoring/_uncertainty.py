"""How far a mean over overlapping splits can be trusted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from perturbfs.arrays import Array


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval."""

    mean: float
    low: float
    high: float


def corrected_interval(scores: Array, *, test_share: float, level: float = 0.95) -> Estimate:
    """Mean of scores over repeated splits and its confidence interval.

    Parameters
    ----------
    scores : array of shape (n_splits,)
        One score a split.
    test_share : float
        Test samples over training samples of a split.
    level : float, default=0.95

    Returns
    -------
    estimate : Estimate
        The interval is (-inf, inf) for a single split.

    Notes
    -----
    The splits share samples, so their scores vary less than independent ones would. Nadeau and
    Bengio (2003) replace 1 / n_splits in the variance of the mean by 1 / n_splits + test_share.

    Examples
    --------
    >>> from perturbfs.evaluation import corrected_interval
    >>> found = corrected_interval([0.7, 0.8, 0.9], test_share=0.25)
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2)
    (0.8, 0.47, 1.13)
    """
    scores = np.asarray(scores, dtype=np.float64)
    mean, n_splits = float(np.mean(scores)), len(scores)
    if n_splits < 2:
        return Estimate(mean, -math.inf, math.inf)
    variance = float(np.var(scores, ddof=1)) * (1 / n_splits + test_share)
    half = float(student.ppf(0.5 + level / 2, n_splits - 1)) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)
