"""Find the features that would have been taken by a path among fewer features."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array, Namespace, kth_largest, to_host

from ._prepare import TIE
from ._problem import Plan, Plans

# Products of two passes agree up to rounding only. A feature this near to a limit is kept, and
# the path among the kept features decides.
SLACK = 1e-9
# Features that a block may offer, as a multiple of its share of those that are kept.
QUOTA = 4


def find_rivals(
    rows: Array,
    is_known: Array,
    plans: Plans,
    *,
    max_correlation: float,
    share: float,
    least_cosine: float | None,
    xp: Namespace,
) -> Array:
    """Return the positions of the features that may belong to one of the paths, on the host.

    Parameters
    ----------
    rows : array of shape (n_features, n_used)
        Prepared features.
    is_known : array of bool of shape (n_features,)
        Features that the paths were followed among.
    plans : Plans
    max_correlation : float
        As in `OpenFeatures`.
    share : float
        Share of all features that the paths are followed among.
    least_cosine : float or None
        Features with a larger absolute cosine with one of a path are returned too.
    xp : module
    """
    products, found = rows @ plans.vectors, []
    for plan in plans.plans:
        own = xp.take(products, plan.columns, axis=1)
        likeness = xp.abs(own[:, own.shape[1] - len(plan.path) :])
        found.append(
            _rivals_of(own, likeness, plan, rows, is_known, max_correlation, share, xp=xp)
        )
        if least_cosine is not None and plan.path:
            is_near = (xp.max(likeness, axis=1) >= least_cosine - SLACK) & ~is_known
            found.append(np.flatnonzero(to_host(is_near)))
    return np.unique(np.concatenate(found))


def _rivals_of(
    products: Array,
    likeness: Array,
    plan: Plan,
    rows: Array,
    is_known: Array,
    limit: float,
    share: float,
    *,
    xp: Namespace,
) -> Array:
    """Return the features that are at least as good as one that was taken."""
    n_checks = plan.best.shape[0]
    scores = _scores(products @ plan.steps, n_checks, xp=xp)
    to_beat = xp.where(plan.goes_on, 0.0, plan.best) * (1 - SLACK)
    [some] = xp.nonzero(xp.any(scores >= to_beat, axis=1) & ~is_known)
    if some.shape[0] == 0:
        return to_host(some)
    scores, likeness = xp.take(scores, some, axis=0), xp.take(likeness, some, axis=0)
    varies = xp.any(xp.take(rows, some, axis=0) != 0, axis=1)
    is_multiple = _is_earlier(likeness >= 1 - TIE / 2, n_checks, xp=xp)
    is_near = _is_earlier(likeness >= limit - TIE / 2, n_checks, xp=xp)
    may = varies[:, None] & ~is_multiple & (plan.goes_on | ~is_near)
    # If a path goes on beyond the limit, any feature within the limit should have come first.
    to_beat = xp.where(plan.goes_on & ~is_near, 0.0, plan.best)
    is_rival = may & (scores >= to_beat * (1 - SLACK))
    # Ties are decided by the values, so all tied features are needed. Of better features,
    # the best of each step and a few more, which may save a pass.
    excess = xp.where(is_rival, scores / xp.clip(to_beat, SLACK, None), 0.0)
    is_best = excess == xp.max(excess, axis=0, keepdims=True)
    is_needed = is_best | (scores <= to_beat * (1 + SLACK))
    most = xp.max(excess, axis=1)
    least = kth_largest(most, min(quota(share, rows.shape[0]), most.shape[0]), xp=xp)
    is_offered = xp.any(is_rival & is_needed, axis=1) | ((most > 0) & (most >= least))
    return to_host(some)[to_host(is_offered)]


def _scores(residual: Array, n_checks: int, *, xp: Namespace) -> Array:
    """Return the score of each feature at each step."""
    if residual.shape[1] == n_checks:
        return xp.abs(residual)
    by_target = xp.reshape(residual * residual, (residual.shape[0], -1, n_checks))
    return xp.sqrt(xp.sum(by_target, axis=1))


def _is_earlier(seen: Array, n_checks: int, *, xp: Namespace) -> Array:
    """Return for each feature and check whether it was seen with any earlier step of the path."""
    before = xp.zeros((seen.shape[0], 1), dtype=xp.int64)
    counts = xp.concat([before, xp.astype(seen, xp.int64)[:, : n_checks - 1]], axis=1)
    return xp.cumulative_sum(counts, axis=1) > 0


def quota(share: float, n_features: int) -> int:
    """Return how many of a block's features may be offered."""
    return min(n_features, 16 + int(QUOTA * share * n_features))
