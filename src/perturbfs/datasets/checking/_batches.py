"""Find sets of samples that differ in many features at once, as batches do."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

LEAST_SHARE = 0.3  # of the features must differ between batches
LEAST_EXPLAINED = 0.25  # share of the variance of a feature that the batches explain
FEWEST_IN_BATCH = 5
LARGEST_T = 5.0
LEAST_PURITY = 0.95  # share of the samples whose nearest sample is of the same batch


def explained_share(values: Array, codes: Array) -> float:
    """Return the share of the features of which a grouping explains a quarter of the variance.

    Parameters
    ----------
    values : array of shape (n_samples, n_features)
        Standardized within the classes of the outcome.
    codes : array of int of shape (n_samples,)

    Returns
    -------
    share : float
    """
    members = np.eye(int(codes.max()) + 1)[codes]
    sizes = members.sum(axis=0)
    means = (members.T @ values) / sizes[:, None]
    explained = (sizes @ means**2) / np.maximum(np.sum(values**2, axis=0), 1e-300)
    # Many groups explain a part of any feature.
    by_chance = (len(sizes) - 1) / max(len(values) - 1, 1)
    return float(np.mean(explained >= LEAST_EXPLAINED + by_chance))


def find_break(values: Array) -> tuple[int, float] | None:
    """Return where the order of the samples falls into two blocks that differ clearly, or None.

    Parameters
    ----------
    values : array of shape (n_samples, n_features)
        Standardized within the classes of the outcome, samples in the order of the file.

    Returns
    -------
    found : (n_first, share) or None
        Samples in the first block, and the share of the features that differ. The blocks must
        differ in three tenths of the features (t above 5), and the nearest sample must be of the
        same block for 95 % of the samples of each block.
    """
    n_samples = len(values)
    if n_samples < 4 * FEWEST_IN_BATCH:
        return None
    sizes = np.arange(FEWEST_IN_BATCH, n_samples - FEWEST_IN_BATCH + 1)
    sums = np.cumsum(values, axis=0)[sizes - 1]
    errors = np.sqrt(sizes * (n_samples - sizes) / n_samples)
    shares = np.mean(np.abs(sums) > LARGEST_T * errors[:, None], axis=1)
    best = int(np.argmax(shares))
    if shares[best] < LEAST_SHARE or not _are_pure(values, int(sizes[best])):
        return None
    return int(sizes[best]), float(shares[best])


def _are_pure(values: Array, n_first: int) -> bool:
    """Return whether the nearest sample of nearly every sample is of the same block."""
    products = values @ values.T
    lengths = np.diagonal(products)
    squares = lengths[:, None] + lengths - 2 * products
    np.fill_diagonal(squares, np.inf)
    is_first = np.arange(len(values)) < n_first
    is_same = is_first[np.argmin(squares, axis=1)] == is_first
    shares = is_same[is_first].mean(), is_same[~is_first].mean()
    return bool(min(shares) >= LEAST_PURITY)
