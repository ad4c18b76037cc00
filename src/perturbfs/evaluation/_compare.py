"""Which of two methods is better, judged on the same splits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from perturbfs.backends import Array

from ._uncertainty import corrected_interval

ROUNDING = 1e-12  # scores that differ by less, relative to the largest, are equal


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better the first of two methods is, with its interval."""

    mean: float
    low: float
    high: float
    p_value: float


def compare_paired(
    first: Array, second: Array, *, test_share: float, level: float = 0.95
) -> Difference:
    """Difference of two methods' scores on the same splits, and whether chance explains it.

    Parameters
    ----------
    first, second : arrays of shape (n_splits,)
        Scores of the two methods, in the same order of splits.
    test_share : float
        Test samples over training samples of a split; 0 if the splits share no samples.
    level : float, default=0.95
        Of the interval.

    Returns
    -------
    difference : Difference
        Mean of `first` minus `second`, its interval, and the two-sided p-value. With a single
        split the interval is (-inf, inf) and the p-value 1. Where all splits give the same
        difference the p-value is 0, or 1 if that difference is none.

    Notes
    -----
    The corrected resampled t-test of Nadeau and Bengio (2003): the splits share samples, so the
    variance of the mean difference is taken (1 / n_splits + test_share) times that of the
    differences.

    Examples
    --------
    >>> from perturbfs.evaluation import compare_paired
    >>> found = compare_paired([0.8, 0.9, 0.7, 0.8], [0.5, 0.7, 0.5, 0.7], test_share=3 / 7)
    >>> round(found.mean, 2), round(found.low, 2), round(found.high, 2), round(found.p_value, 3)
    (0.2, -0.01, 0.41, 0.059)
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or first.ndim != 1 or not first.size:
        raise ValueError(
            f"The scores have the shapes {first.shape} and {second.shape}, but both methods need "
            "one score for each of the same splits. Score both on all splits."
        )
    differences = first - second
    largest = max(np.abs(first).max(), np.abs(second).max())
    # Sums in another order must not look like a difference that is the same in all splits.
    differences[np.abs(differences) <= ROUNDING * largest] = 0.0
    found = corrected_interval(differences, test_share=test_share, level=level)
    p_value = _p_value(differences, test_share)
    return Difference(found.mean, found.low, found.high, p_value)


def _p_value(differences: Array, test_share: float) -> float:
    n_splits, mean = len(differences), float(np.mean(differences))
    if n_splits < 2 or mean == 0:
        return 1.0
    error = math.sqrt(float(np.var(differences, ddof=1)) * (1 / n_splits + test_share))
    if error <= ROUNDING * abs(mean):
        return 0.0
    return float(2 * student.sf(abs(mean) / error, n_splits - 1))


def holm_adjusted(p_values: Array) -> Array:
    """P-values that allow for the number of comparisons made.

    Parameters
    ----------
    p_values : array of shape (n_comparisons,)

    Returns
    -------
    adjusted : array of shape (n_comparisons,)
        Those at most `alpha` are the ones that Holm's step-down procedure (1979) rejects: with
        probability of at least 1 - `alpha` none of them is a false alarm.

    Examples
    --------
    >>> from perturbfs.evaluation import holm_adjusted
    >>> holm_adjusted([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted
