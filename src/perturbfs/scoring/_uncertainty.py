"""The uncertainty of a mean over splits that share samples."""

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


def check_level(level: float) -> None:
    """Raise an error if the level of an interval is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(
            f"level={level} is not between 0 and 1. Pass 0.95 for an interval of 95 %."
        )


def corrected_error(scores: Array, *, test_share: float) -> float:
    """Return the standard error of the mean of scores over at least two splits.

    Parameters
    ----------
    scores : array of shape (n_splits,)
    test_share : float
        Test samples over training samples of a split.

    Returns
    -------
    error : float

    Notes
    -----
    The splits share samples, so their scores vary less than independent ones would. Nadeau and
    Bengio (2003) replace 1 / n_splits in the variance of the mean by 1 / n_splits + test_share.
    """
    return math.sqrt(float(np.var(scores, ddof=1)) * (1 / len(scores) + test_share))


def corrected_interval(scores: Array, *, test_share: float, level: float = 0.95) -> Estimate:
    """Return the mean of scores over repeated splits and its confidence interval.

    Parameters
    ----------
    scores : array of shape (n_splits,)
        One score per split.
    test_share : float
        Test samples over training samples of a split.
    level : float, default=0.95

    Returns
    -------
    estimate : Estimate
        With the standard error of `corrected_error`. The interval is (-inf, inf) for a single
        split.

    Examples
    --------
    >>> from perturbfs.evaluation import corrected_interval
    >>> found = corrected_interval([0.7, 0.8, 0.9], test_share=0.25)
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2)
    (0.8, 0.47, 1.13)
    """
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim != 1 or not scores.size or not np.isfinite(scores).all():
        raise ValueError(
            f"The scores have the shape {scores.shape}, and there must be one number for each of "
            "the splits. Leave out splits without a score."
        )
    check_level(level)
    if not 0 <= test_share < math.inf:
        raise ValueError(
            f"test_share={test_share} is not a share. Pass the number of test samples divided by "
            "that of training samples."
        )
    mean, n_splits = float(np.mean(scores)), len(scores)
    if n_splits < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = float(student.ppf(0.5 + level / 2, n_splits - 1))
    half *= corrected_error(scores, test_share=test_share)
    return Estimate(mean, mean - half, mean + half)


def is_clearly_better(
    rival: Array, ours: Array, *, test_share: float, n_errors: float = 1.0
) -> bool:
    """Return whether a rival is better by more than one standard error of the difference.

    Parameters
    ----------
    rival, ours : arrays of shape (n_splits,)
        Scores on the same splits.
    test_share : float
        Test samples over training samples of a split.
    n_errors : float, default=1.0
        How many standard errors to ask for. A negative number asks that the rival is not clearly
        worse.
    """
    difference = np.asarray(rival) - np.asarray(ours)
    if len(difference) < 2:
        return False
    least = n_errors * corrected_error(difference, test_share=test_share)
    return float(difference.mean()) > least
