"""When a table is too large to be prepared as a whole, and what the robust selector does then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array, as_blocks, is_blocks

from ._search import Search
from ._sieve import Sieved, sieve_features

# Bytes that all features would take once prepared, from which on only the promising ones are.
LARGE_BYTES = 2**29
LARGE_SPARSE_BYTES = 2**24  # preparing fills the zeros in
# Features nearest to the outcome that are kept for each path in any case. With more, fewer
# passes have to be repeated; so many take a few megabytes.
MOST_KEPT, FEWEST_KEPT = 2000, 200
KEPT_BYTES = 2**28
MOMENT_BYTES = 2**28
PREPARED_SHARE = 8  # of the limit that all prepared features of a table on disk may take


def is_large(X: Array) -> bool:
    """Whether preparing all features at once would take too much memory."""
    if is_blocks(X):
        return True
    limit = LARGE_SPARSE_BYTES if scipy.sparse.issparse(X) else LARGE_BYTES
    return bool(8 * X.shape[0] * X.shape[1] > limit)


def in_memory_if_small(X: Array) -> Array:
    """The values of a table on disk where preparing them fits into its limit, else X itself."""
    # The values, the prepared features and what is made of them on the way.
    limit = getattr(X, "memory", 0)  # blocks elsewhere have none
    if not is_blocks(X) or PREPARED_SHARE * 8 * X.shape[0] * X.shape[1] > limit:
        return X
    dtype = np.float32 if X.dtype == np.float32 else np.float64
    return X.take(np.arange(X.shape[1])).astype(dtype, copy=False)


def n_kept(n_samples: int, n_problems: int) -> int:
    """How many features are kept for each path."""
    fitting = KEPT_BYTES // (8 * n_samples * n_problems)
    return max(FEWEST_KEPT, min(MOST_KEPT, fitting))


def sieve_table(X: Array, search: Search, *, least_cosine: float) -> Sieved:
    """The features that any path of the search needs, found in a few passes over X.

    Parameters
    ----------
    X : array, scipy.sparse matrix or FeatureBlocks
    search : Search
        With the samples; its features are not looked at.
    least_cosine : float
        As in `sieve_features`.

    Returns
    -------
    sieved : Sieved
        Columns in the precision of X.
    """
    problems = search.problems()
    sieved = sieve_features(
        as_blocks(X),
        problems,
        n_kept=n_kept(X.shape[0], len(problems)),
        least_cosine=least_cosine,
        keeps_moments=16 * X.shape[1] * len(problems) <= MOMENT_BYTES,
    )
    dtype = np.float32 if X.dtype == np.float32 else np.float64
    return replace(sieved, columns=sieved.columns.astype(dtype, copy=False))
