"""Paired comparison of methods on the same splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import rankdata
from scipy.stats import t as student

from perturbfs.arrays import Array
from perturbfs.scoring import corrected_error, corrected_interval

ROUNDING = 1e-12  # scores that differ by less, relative to the largest, are equal


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two methods, with its interval and p-value."""

    mean: float
    low: float
    high: float
    p_value: float


def compare_paired(
    first: Array, second: Array, *, test_share: float, level: float = 0.95
) -> Difference:
    """Return the difference of two methods' scores on the same splits, with a paired test.

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
        split the interval is (-inf, inf) and the p-value 1. If all splits give the
        same difference, the p-value is 0, or 1 if that difference is zero.

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
    is_finite = np.isfinite(first).all() and np.isfinite(second).all()
    if first.shape != second.shape or first.ndim != 1 or not first.size or not is_finite:
        raise ValueError(
            f"The scores have the shapes {first.shape} and {second.shape}, but both methods need "
            "one number for each of the same splits. Score both on all splits."
        )
    differences = first - second
    largest = max(np.abs(first).max(), np.abs(second).max())
    # Rounding in sums must not look like a constant difference.
    differences[np.abs(differences) <= ROUNDING * largest] = 0.0
    found = corrected_interval(differences, test_share=test_share, level=level)
    p_value = _p_value(differences, test_share)
    return Difference(found.mean, found.low, found.high, p_value)


def _p_value(differences: Array, test_share: float) -> float:
    n_splits, mean = len(differences), float(np.mean(differences))
    if n_splits < 2 or mean == 0:
        return 1.0
    error = corrected_error(differences, test_share=test_share)
    if error <= ROUNDING * abs(mean):
        return 0.0
    return float(2 * student.sf(abs(mean) / error, n_splits - 1))


def holm_adjusted(p_values: Array) -> Array:
    """Return p-values adjusted for the number of comparisons.

    Parameters
    ----------
    p_values : array of shape (n_comparisons,)

    Returns
    -------
    adjusted : array of shape (n_comparisons,)
        Values of at most `alpha` are those that Holm's step-down procedure (1979) rejects: the
        probability of any false alarm is then at most `alpha`.

    Examples
    --------
    >>> from perturbfs.evaluation import holm_adjusted
    >>> holm_adjusted([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = np.asarray(p_values, dtype=float)
    if p_values.ndim != 1 or not np.all((p_values >= 0) & (p_values <= 1)):
        raise ValueError(
            f"The p-values have the shape {p_values.shape}, and there must be one number from 0 "
            "to 1 for each comparison. Leave out comparisons without a p-value."
        )
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1.0)
    return adjusted


@dataclass(frozen=True, slots=True)
class Pair:
    """Two methods on the same splits."""

    first: str
    second: str
    difference: Difference  # first minus second
    p_adjusted: float  # allowing for all pairs of the comparison


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several methods compared on the same splits.

    Attributes
    ----------
    mean_ranks : dict of str to float
        1 is the best in every split; equal scores share their ranks. Best first.
    pairs : tuple of Pair
        The better of the two first.
    groups : tuple of tuples of str
        The largest sets of methods with no significant difference between any two. Every
        method is in at least one set, and it can be in several.
    level : float
    """

    mean_ranks: dict[str, float]
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]
    level: float


def compare_methods(
    scores: Mapping[str, Array], *, test_share: float, level: float = 0.95
) -> Comparison:
    """Test all pairs of methods on the same splits.

    Parameters
    ----------
    scores : mapping of str to array of shape (n_splits,)
        Scores of each method, in the same order of splits; larger is better.
    test_share : float
        Test samples over training samples of a split.
    level : float, default=0.95
        Two methods differ if their p-value, adjusted by `holm_adjusted` for the number of
        pairs, is at most 1 - `level`. The intervals of the differences are of this level and
        not adjusted.

    Returns
    -------
    comparison : Comparison

    Notes
    -----
    The result holds what a critical-difference diagram (Demsar, 2006) shows: mean ranks, and bars
    over methods without significant differences. Sharing a group does not mean that methods are
    equal: few splits of few samples can show only large differences.

    Examples
    --------
    >>> from perturbfs.evaluation import compare_methods
    >>> scores = {"a": [0.9, 0.8, 0.9, 0.8], "b": [0.8, 0.9, 0.8, 0.9], "c": [0.5, 0.4, 0.5, 0.4]}
    >>> found = compare_methods(scores, test_share=0.1)
    >>> found.groups
    (('a', 'b'), ('c',))
    >>> found.mean_ranks
    {'a': 1.5, 'b': 1.5, 'c': 3.0}
    """
    scores = {name: np.asarray(each, dtype=float) for name, each in scores.items()}
    shapes = {each.shape for each in scores.values()}
    if len(shapes) > 1 or any(
        each.ndim != 1 or not each.size or not np.isfinite(each).all() for each in scores.values()
    ):
        raise ValueError(
            f"The scores have the shapes {sorted(shapes)}, but a comparison needs one number of "
            "each method for each of the same splits. Score all methods on all splits."
        )
    ranks = _mean_ranks(scores)
    tested = [
        (
            *pair,
            compare_paired(*(scores[name] for name in pair), test_share=test_share, level=level),
        )
        for pair in combinations(ranks, 2)
    ]
    adjusted = holm_adjusted([difference.p_value for _, _, difference in tested]).tolist()
    pairs = tuple(_better_first(*row, p) for row, p in zip(tested, adjusted, strict=True))
    alike: dict[str, set[str]] = {name: set() for name in ranks}
    for pair in pairs:
        if pair.p_adjusted > 1 - level:
            alike[pair.first].add(pair.second)
            alike[pair.second].add(pair.first)
    position = {name: place for place, name in enumerate(ranks)}
    groups = [sorted(group, key=position.__getitem__) for group in _cliques(alike)]
    groups.sort(key=lambda group: [position[name] for name in group])
    return Comparison(ranks, pairs, tuple(map(tuple, groups)), level)


def _mean_ranks(scores: Mapping[str, Array]) -> dict[str, float]:
    if not scores:
        return {}
    # Scores that differ by rounding alone share a rank.
    table = np.round(np.stack(list(scores.values())), 12)
    means = rankdata(-table, axis=0).mean(axis=1).tolist()
    return dict(sorted(zip(scores, means, strict=True), key=lambda pair: pair[1]))


def _better_first(first: str, second: str, found: Difference, p_adjusted: float) -> Pair:
    if found.mean < 0:
        found = Difference(-found.mean, -found.high, -found.low, found.p_value)
        first, second = second, first
    return Pair(first, second, found, p_adjusted)


def _cliques(
    alike: Mapping[str, set[str]],
    members: frozenset[str] = frozenset(),
    open_to: set[str] | None = None,
    done: set[str] | None = None,
) -> list[frozenset[str]]:
    """Return the maximal sets in which every two are alike (Bron and Kerbosch, 1973)."""
    open_to = set(alike) if open_to is None else set(open_to)
    done = set() if done is None else set(done)
    if not open_to and not done:
        return [members] if members else []
    found = []
    for name in sorted(open_to):
        near = alike[name]
        found += _cliques(alike, members | {name}, open_to & near, done & near)
        open_to.remove(name)
        done.add(name)
    return found
