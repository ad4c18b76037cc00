"""How the features of two cohorts differ, beyond what a different mix of classes explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import combine_pvalues, ks_2samp

from perturbfs.arrays import Array
from perturbfs.evaluation import holm_adjusted

FEWEST = 3  # samples of a class in each cohort; fewer are not compared
LEVEL = 0.05
LEAST_DISTANCE = 0.1  # smaller differences are not worth a warning, however many samples show them
MOST_RANGES = 5  # of a quantity
MOST_EXACT = 200  # samples of a class in a cohort with which p-values are exact


@dataclass(frozen=True, slots=True)
class Shift:
    """How the values of a feature differ between two cohorts.

    Attributes
    ----------
    name : str
    distance : float
        Largest distance of the two distribution functions (Kolmogorov and Smirnov), as the mean
        over the classes.
    p_value, p_adjusted : float
        Of the test, and corrected for the number of features (Holm).
    mean_difference : float or None
        Mean of the second cohort minus that of the first, in standard deviations within the
        classes, as the mean over the classes. None if nothing varies within the classes.
    sd_ratio : float or None
        Standard deviation within the classes, that of the second cohort over that of the first.
    """

    name: str
    distance: float
    p_value: float
    p_adjusted: float
    mean_difference: float | None
    sd_ratio: float | None

    @property
    def is_shifted(self) -> bool:
        """Whether the difference is significant at the 5 % level, and not tiny."""
        return self.p_adjusted <= LEVEL and self.distance >= LEAST_DISTANCE


@dataclass(frozen=True, slots=True)
class Strata:
    """The samples of both cohorts that can be compared with each other.

    Attributes
    ----------
    first, second : list of array of int
        Positions of the samples of each class, or range of a quantity, that both cohorts have.
    outcomes : tuple of array or None
        The quantity in both cohorts: what a straight line in it explains of a feature is left
        out of the comparison. None for classes.
    """

    first: list[Array]
    second: list[Array]
    outcomes: tuple[Array, Array] | None = None


def comparable_samples(y_first: Array, y_second: Array, *, task: str) -> Strata:
    """Return which samples of two cohorts can be compared.

    Parameters
    ----------
    y_first, y_second : array of shape (n_samples,)
    task : {"classification", "regression"}
        A quantity is divided into two to five ranges, which are treated as classes. Classes with
        fewer than three samples in a cohort are left out.

    Returns
    -------
    strata : Strata
    """
    outcomes = (y_first, y_second) if task == "regression" else None
    parts = (y_first, y_second) if outcomes is None else _ranges(y_first, y_second)
    pairs = [
        (np.flatnonzero(parts[0] == label), np.flatnonzero(parts[1] == label))
        for label in np.intersect1d(*parts)
    ]
    kept = [pair for pair in pairs if min(map(len, pair)) >= FEWEST]
    return Strata([first for first, _ in kept], [second for _, second in kept], outcomes)


def _ranges(y_first: Array, y_second: Array) -> tuple[Array, Array]:
    """Return the range of each quantity: two to five, with as many samples of both cohorts."""
    n_ranges = min(max(min(len(y_first), len(y_second)) // 10, 2), MOST_RANGES)
    limits = np.quantile(np.concatenate([y_first, y_second]), np.arange(1, n_ranges) / n_ranges)
    return np.searchsorted(limits, y_first), np.searchsorted(limits, y_second)


def compare_features(
    first: Array, second: Array, strata: Strata, names: Sequence[str]
) -> tuple[Shift, ...]:
    """Compare the values of every feature in two cohorts.

    Parameters
    ----------
    first, second : array of shape (n_samples, n_features)
    strata : Strata
        From `comparable_samples`.
    names : sequence of str

    Returns
    -------
    shifts : tuple of Shift
        One per feature; empty if no samples can be compared.

    Notes
    -----
    Features differ between classes, so another mix of classes alone would change their
    distributions. The cohorts are therefore compared within each class by the test of Kolmogorov
    and Smirnov, and the p-values of the classes, which are independent, are combined by Fisher's
    method. A quantity is divided into ranges; within them, the residuals of a straight line in it
    are compared, whose slope is the same in both cohorts.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import comparable_samples, compare_features
    >>> y = np.repeat(["ill", "well"], 20)
    >>> values = np.random.default_rng(0).standard_normal((40, 2))
    >>> strata = comparable_samples(y, y, task="classification")
    >>> [shift.is_shifted for shift in compare_features(values, values + [0, 3], strata, "ab")]
    [False, True]
    """
    if not strata.first:
        return ()
    columns = [
        _without_outcome(*pair, strata.outcomes) for pair in zip(first.T, second.T, strict=True)
    ]
    tested = [_test(*pair, strata) for pair in columns]
    adjusted = holm_adjusted(np.array([p_value for _, p_value in tested])).tolist()
    return tuple(
        Shift(str(name), distance, p_value, p_adjusted, *_moments(*pair, strata))
        for name, (distance, p_value), p_adjusted, pair in zip(
            names, tested, adjusted, columns, strict=True
        )
    )


def _without_outcome(
    first: Array, second: Array, outcomes: tuple[Array, Array] | None
) -> tuple[Array, Array]:
    """Return a feature without what a straight line in the outcome explains of it."""
    if outcomes is None:
        return first, second
    centered = np.concatenate([each - each.mean() for each in outcomes])
    values = np.concatenate([each - each.mean() for each in (first, second)])
    slope = float(centered @ values) / float(centered @ centered)
    # A common origin: only the slope is fitted, so a shift of the feature stays.
    origin = outcomes[0].mean()
    return first - slope * (outcomes[0] - origin), second - slope * (outcomes[1] - origin)


def _test(first: Array, second: Array, strata: Strata) -> tuple[float, float]:
    """Return the mean distance over the classes, and the combined p-value."""
    found = []
    for mine, others in zip(strata.first, strata.second, strict=True):
        method = "exact" if max(len(mine), len(others)) <= MOST_EXACT else "asymp"
        found.append(ks_2samp(first[mine], second[others], method=method))
    p_values = np.clip([float(each.pvalue) for each in found], 1e-300, 1.0)
    combined = combine_pvalues(p_values, method="fisher").pvalue if len(found) > 1 else p_values[0]
    return float(np.mean([each.statistic for each in found])), float(combined)


def _moments(first: Array, second: Array, strata: Strata) -> tuple[float | None, float | None]:
    """Return the difference of means in standard deviations, and the ratio of these."""
    pairs = [
        (first[mine], second[others])
        for mine, others in zip(strata.first, strata.second, strict=True)
    ]
    variances = np.array([[each.var(ddof=1) for each in pair] for pair in pairs]).mean(axis=0)
    apart = float(np.mean([others.mean() - mine.mean() for mine, others in pairs]))
    pooled = math.sqrt(float(variances.mean()))
    ratio = math.sqrt(variances[1] / variances[0]) if variances.min() > 0 else None
    return (apart / pooled if pooled > 0 else None), ratio
