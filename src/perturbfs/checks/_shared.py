"""Find samples that are in two tables, such as patients in both cohorts of a study."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

from ._twins import FEWEST_FEATURES, twin_sets

FEWEST_SHARED_FEATURES = 3  # with fewer, samples are equal by chance
# Largest difference of a feature, in standard deviations: files round their values.
SAME = 0.01
MORE_OFTEN = 10.0  # pairs in two tables over pairs within the tables, per possible pair


def shared_samples(
    first: Array, second: Array, classes: tuple[Array, Array] | None = None
) -> list[tuple[int, int]]:
    """Return pairs of samples of two tables that are nearly identical.

    Parameters
    ----------
    first : array of shape (n_first, n_features)
        Without missing values.
    second : array of shape (n_second, n_features)
    classes : (array of shape (n_first,), array of shape (n_second,)) or None
        Classes in both tables, so that a class is not taken for a set of near-identical samples.

    Returns
    -------
    pairs : list of (int, int)
        Position in each table, sorted. At most one pair for each sample of the second table.

    Notes
    -----
    Samples are nearly identical if no feature differs by more than a hundredth of its standard
    deviation. Coarse values make different samples equal: if samples of one table are equal
    nearly as often as samples of two tables, no pairs are returned. With at least twenty
    features, the near-identical samples of `twin_sets` that are in both tables are pairs too.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.checks import shared_samples
    >>> values = np.random.default_rng(0).standard_normal((30, 5))
    >>> shared_samples(values[:20], values[18:])
    [(18, 0), (19, 1)]
    """
    first, second = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if first.shape[1] < FEWEST_SHARED_FEATURES:
        return []
    spread = np.vstack([first, second]).std(axis=0)
    varies = spread > 0
    if varies.sum() < FEWEST_SHARED_FEATURES:
        return []
    scaled = [each[:, varies] / spread[varies] for each in (first, second)]
    between = _equal_pairs(*scaled)
    n_within = sum(len(_equal_pairs(each, each)) - len(each) for each in scaled) / 2
    n_possible = sum(len(each) * (len(each) - 1) for each in scaled) / 2
    is_rare = n_within * len(first) * len(second) * MORE_OFTEN <= len(between) * n_possible
    found = {j: i for i, j in reversed(between)} if is_rare else {}
    if varies.sum() >= FEWEST_FEATURES:
        found |= _near_pairs(scaled[0], scaled[1], classes)
    return sorted((i, j) for j, i in found.items())


def _equal_pairs(first: Array, second: Array) -> list[tuple[int, int]]:
    """Return the pairs of rows whose features all differ by at most `SAME`."""
    order = np.argsort(second[:, 0], kind="stable")
    ordered = second[order, 0]
    pairs = []
    for i, row in enumerate(first):
        start, end = np.searchsorted(ordered, [row[0] - SAME, row[0] + SAME], side="left")
        near = order[start : end + 1]
        is_equal = np.all(np.abs(second[near] - row) <= SAME, axis=1)
        pairs += [(i, int(j)) for j in near[is_equal]]
    return sorted(pairs)


def _near_pairs(
    first: Array, second: Array, classes: tuple[Array, Array] | None
) -> dict[int, int]:
    """Return a near-identical row of `first` for each row of `second` that has one."""
    n_first = len(first)
    # The two tables may be shifted against each other, which says nothing about single samples.
    kinds = np.repeat([0, 1], [n_first, len(second)])
    if classes is not None:
        kinds = 2 * np.unique(np.concatenate(classes), return_inverse=True)[1] + kinds
    found: dict[int, int] = {}
    for each in twin_sets(np.vstack([first, second]), kinds):
        mine = each[each < n_first].tolist()
        if mine:
            found |= dict.fromkeys((each[each >= n_first] - n_first).tolist(), mine[0])
    return found
