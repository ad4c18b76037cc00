"""The features to search among: all of them, or those that a sieve keeps of a large table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse

from perturbfs._support.progress import Steps
from perturbfs.arrays import Array, as_blocks, is_blocks
from perturbfs.scoring import Samples, Splits

from ._problem import PathProblem
from ._search import SearchPlan
from ._sieve import sieve_features

# A table is large if its prepared features would take more bytes than this.
LARGE_BYTES = 2**29
LARGE_SPARSE_BYTES = 2**24  # preparing fills the zeros in
# Features nearest to the outcome that are always kept for each path. With more of them, fewer
# passes must be repeated; this many take a few megabytes.
MOST_KEPT, FEWEST_KEPT = 2000, 200
KEPT_BYTES = 2**28
MOMENT_BYTES = 2**28
PASS_STEPS = 6  # steps of the progress that a pass counts for; it prepares every feature
PREPARED_SHARE = 8  # memory that preparing a table takes, as a multiple of its prepared features


@dataclass(frozen=True, slots=True)
class SearchTable:
    """Samples with the features to search among.

    Attributes
    ----------
    samples : Samples
    features : array of int of shape (n_left,)
        Positions of these features among all.
    angles : array of shape (n_features,) or None
        Angle of every feature to the targets in degrees, if the table was sieved.
    n_seen : int or None
        Features that trees may see; None for all.
    """

    samples: Samples
    features: Array
    angles: Array | None = None
    n_seen: int | None = None


def in_memory_if_small(X: Array) -> Array:
    """Return the values of a table on disk if they can be prepared within its limit, else X."""
    limit = getattr(X, "memory", 0)  # blocks that are not in files have no limit
    if not is_blocks(X) or PREPARED_SHARE * 8 * X.shape[0] * X.shape[1] > limit:
        return X
    return X.take(np.arange(X.shape[1])).astype(_precision(X), copy=False)


def make_table(
    samples: Samples, plan: SearchPlan, splits: Splits, *, least_cosine: float, steps: Steps
) -> SearchTable:
    """Return the samples with all features, or a large table with those that any path needs.

    Parameters
    ----------
    samples : Samples
        X may be an array, a sparse matrix or blocks.
    plan : SearchPlan
    splits : list of (train, test)
    least_cosine : float
        As in `sieve_features`.
    steps : Steps
        Told of every pass over a large table, as of `PASS_STEPS` steps.

    Returns
    -------
    table : SearchTable
        A sieved table has columns in the precision of X. Every path in it is the same as in the
        whole table.
    """
    X = samples.X
    if not is_large(X):
        return SearchTable(samples, np.arange(X.shape[1]))
    problems = path_problems(plan, samples, splits)
    fitting = KEPT_BYTES // (8 * X.shape[0] * len(problems))
    n_kept = max(FEWEST_KEPT, min(MOST_KEPT, fitting))
    sieved = sieve_features(
        as_blocks(X),
        problems,
        n_kept=n_kept,
        least_cosine=least_cosine,
        keeps_moments=16 * X.shape[1] * len(problems) <= MOMENT_BYTES,
        on_part=lambda share: steps.done(PASS_STEPS * share),
    )
    columns = sieved.columns.astype(_precision(X), copy=False)
    return SearchTable(replace(samples, X=columns), sieved.features, sieved.angles, n_kept)


def path_problems(plan: SearchPlan, samples: Samples, splits: Splits) -> list[PathProblem]:
    """Return the paths that the search may follow, that of all samples first."""
    whole = dict.fromkeys(plan.noises, plan.n_wanted)
    within = dict.fromkeys(plan.noises, plan.n_inner)
    settings, everyone = plan.settings, np.arange(len(samples.y))
    inner = [settings.problem(samples, train, within) for train, _ in splits]
    return [replace(settings.problem(samples, everyone, whole), is_explained=True), *inner]


def is_large(X: Array) -> bool:
    """Return whether preparing all features at once would take too much memory."""
    if is_blocks(X):
        return True
    limit = LARGE_SPARSE_BYTES if scipy.sparse.issparse(X) else LARGE_BYTES
    return bool(8 * X.shape[0] * X.shape[1] > limit)


def _precision(X: Array) -> type:
    return np.float32 if X.dtype == np.float32 else np.float64
