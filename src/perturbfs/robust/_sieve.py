"""The few features that robust paths can need, found in a few passes over all of them.

Preparing all features at once takes twice the memory of the data, or more. So a first pass
compares every feature with the outcome and keeps the best. The path is followed among these, and
a second pass holds every other feature against each of its steps, all at once: where one would
have been taken, or is as good, it is kept too, and the path is followed again. When that
changes nothing, the path among the features kept is that among all.

What is known of all features stays beside them. The few that are kept come to the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import (
    Array,
    Block,
    FeatureBlocks,
    Namespace,
    kth_largest,
    namespace_of,
    to_host,
)

from ._path_plan import PathProblem, Plan, Pool
from ._prepare import TIE

# Products of one pass agree with those of another up to rounding only. Whatever comes as near as
# this to a limit is kept, and the path among the kept features decides.
SLACK = 1e-9
# Of the features a block may offer, as a multiple of its share of those that are kept.
QUOTA = 4


@dataclass(frozen=True, slots=True)
class Sieved:
    """What is left of the features, and what is known of all.

    Attributes
    ----------
    features : array of int of shape (n_left,)
        Growing.
    columns : array of shape (n_samples, n_left)
        Their values, as in the data.
    lengths : array of shape (n_features,)
        Length of the projection of every feature on the targets of the first problem.
    n_kept : int
        Features nearest to the targets that are left for each problem.
    n_passes : int
        How often the data were walked over.
    """

    features: Array
    columns: Array
    lengths: Array
    n_kept: int
    n_passes: int


def sieve_features(
    blocks: FeatureBlocks,
    problems: Sequence[PathProblem],
    *,
    n_kept: int,
    least_cosine: float,
    keeps_moments: bool = True,
) -> Sieved:
    """Features among which every path is the same as among all.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values.
    problems : sequence of PathProblem
    n_kept : int
        Features nearest to the targets that are kept for each problem, in any case.
    least_cosine : float
        How much a feature must resemble one of the path to explain it.
    keeps_moments : bool
        Whether to hold two numbers a feature and problem, which saves sorting in later passes.

    Returns
    -------
    sieved : Sieved
    """
    xp = blocks.xp
    beside = tuple(problem.beside(xp) for problem in problems)
    screened = _screen(blocks, beside, n_kept, keeps_moments)
    pool, n_passes = screened.pool, 1
    plans = pool.plan(problems)
    while True:
        held_against = [[plan.beside(xp) for plan in each] for each in plans]
        check = _Check(beside, held_against, n_kept / blocks.shape[1], least_cosine)
        is_known = np.zeros(blocks.shape[1], dtype=bool)
        is_known[pool.features] = True
        offers = [
            offer
            for _, offer in blocks.map(check, xp.asarray(is_known), *screened.moments)
            if offer is not None
        ]
        n_passes += 1
        if not offers:
            break
        pool = pool.joined(offers)
        found = pool.plan(problems)
        if _paths(found) == _paths(plans):
            break
        plans = found
    return Sieved(pool.features, pool.columns, to_host(screened.lengths), n_kept, n_passes)


def _paths(plans: list[list[Plan]]) -> list[list[tuple[int, ...]]]:
    return [[plan.path for plan in each] for each in plans]


@dataclass(frozen=True, slots=True)
class _Screened:
    """What the first pass tells."""

    pool: Pool
    lengths: Array
    moments: list[Array | None]  # for each problem (n_features, 2)


def _screen(
    blocks: FeatureBlocks, problems: Sequence[PathProblem], n_kept: int, keeps_moments: bool
) -> _Screened:
    """The first pass: the features nearest to the targets of each problem."""
    xp, (n_samples, n_features) = blocks.xp, blocks.shape
    moments: list[Any] = [xp.empty((n_features, 2)) if keeps_moments else None for _ in problems]
    products, lengths = xp.empty((len(problems), n_features)), xp.empty(n_features)
    pool = Pool(np.empty(0, dtype=np.int64), np.empty((n_samples, 0)))
    offers: list[Pool] = []
    n_offered, most_offered = 0, 2 * n_kept * len(problems)
    function = _Screen(tuple(problems), n_kept / n_features, keeps_moments)
    for span, (offer, found, found_lengths, found_moments) in blocks.map(function):
        products[:, span], lengths[span] = found, found_lengths
        for held, part in zip(moments, found_moments, strict=True):
            if held is not None:
                held[span, :] = part
        offers.append(offer)
        n_offered += len(offer.features)
        if n_offered > most_offered:
            pool = pool.joined(offers).only(_best(products[:, : span.stop], n_kept))
            offers, n_offered = [], 0
    wanted = _best(products, n_kept)
    pool = pool.joined(offers).only(wanted)
    missing = np.setdiff1d(wanted, pool.features)
    if len(missing):  # several in a block that offers only so many
        pool = pool.joined([Pool(missing, to_host(blocks.take(missing)))])
    return _Screened(pool, lengths, moments)


def _best(products: Array, n_kept: int) -> Array:
    """The features with the largest products for some problem."""
    n_features = products.shape[1]
    if n_kept >= n_features:
        return np.arange(n_features)
    # One problem after the other, since each takes another copy of the products.
    return np.unique([_largest(products[each, :], n_kept) for each in range(products.shape[0])])


@dataclass(frozen=True, slots=True)
class _Screen:
    """What is done with a block in the first pass."""

    problems: tuple[PathProblem, ...]
    share: float  # of the features that are kept
    keeps_moments: bool

    def __call__(self, block: Block) -> tuple[Pool, Array, Array, list[Array | None]]:
        products, moments, lengths = [], [], None
        for problem in self.problems:
            rows, found = problem.preparation.with_moments(block)
            projections = rows @ problem.targets
            xp = namespace_of(projections)
            products.append(xp.linalg.vector_norm(projections, axis=1))
            moments.append(found if self.keeps_moments else None)
            if lengths is None:
                units = projections / xp.linalg.vector_norm(problem.targets, axis=0)
                lengths = xp.linalg.vector_norm(units, axis=1)
        quota = _quota(self.share, products[0].shape[0])
        best = np.unique([_largest(each, quota) for each in products])
        return _offer(block, best), xp.stack(products), lengths, moments


@dataclass(frozen=True, slots=True)
class _Check:
    """What is done with a block in the later passes: which features belong into the paths."""

    problems: tuple[PathProblem, ...]
    plans: list[list[Plan]]
    share: float
    least_cosine: float

    def __call__(self, block: Block, is_known: Array, *moments: Array | None) -> Pool | None:
        xp = namespace_of(is_known)
        is_offered = xp.zeros(is_known.shape[0], dtype=xp.bool)
        for problem, plans, known in zip(self.problems, self.plans, moments, strict=True):
            rows, _ = problem.preparation.with_moments(block, known)
            is_open = xp.any(rows != 0, axis=1) & ~is_known
            for plan in plans:
                products = rows @ plan.vectors
                likeness = xp.abs(products[:, products.shape[1] - len(plan.path) :])
                rivals = self._rivals(products, likeness, plan, is_open, xp=xp)
                is_offered = is_offered if rivals is None else is_offered | rivals
                if problem.is_explained and plan.path:
                    is_near = xp.max(likeness, axis=1) >= self.least_cosine - SLACK
                    is_offered = is_offered | (is_near & ~is_known)
        if not bool(xp.any(is_offered)):
            return None
        return _offer(block, np.flatnonzero(to_host(is_offered)))

    def _rivals(
        self, products: Array, likeness: Array, plan: Plan, is_open: Array, *, xp: Namespace
    ) -> Array | None:
        """Which features are at least as good as one that was taken; None if there are none."""
        n_features, n_checks = products.shape[0], plan.best.shape[0]
        residual = xp.reshape(products @ plan.steps, (n_features, n_checks, -1))
        scores = xp.linalg.vector_norm(residual, axis=2)
        # Multiples of a feature are not taken after it.
        seen = xp.astype(likeness >= 1 - TIE / 2, xp.int64)[:, : n_checks - 1]
        before = xp.zeros((n_features, 1), dtype=xp.int64)
        is_multiple = xp.cumulative_sum(xp.concat([before, seen], axis=1), axis=1) > 0
        may = is_open[:, None] & ~is_multiple
        is_rival = may & (scores >= plan.best * (1 - SLACK))
        if not bool(xp.any(is_rival)):
            return None
        # Those as good as the one taken decide by their values, so all are needed. Of better
        # ones the best of each step, and a few more that may spare a pass.
        excess = xp.where(is_rival, scores / xp.clip(plan.best, SLACK, None), 0.0)
        is_best = excess == xp.max(excess, axis=0, keepdims=True)
        is_needed = is_best | (scores <= plan.best * (1 + SLACK))
        most = xp.max(excess, axis=1)
        least = kth_largest(most, _quota(self.share, n_features), xp=xp)
        return xp.any(is_rival & is_needed, axis=1) | ((most > 0) & (most >= least))


def _quota(share: float, n_features: int) -> int:
    return min(n_features, 16 + int(QUOTA * share * n_features))


def _largest(values: Array, count: int) -> Array:
    """Positions of the largest values, on the host; of equal ones at the limit the first."""
    xp = namespace_of(values)
    least = kth_largest(values, count, xp=xp)
    above = to_host(xp.nonzero(values > least)[0])
    equal = to_host(xp.nonzero(values == least)[0])
    return np.concatenate([above, equal[: count - len(above)]])


def _offer(block: Block, features: Array) -> Pool:
    values = block.dense()
    xp = namespace_of(values)
    return Pool(
        block.span.start + features, to_host(xp.take(values, xp.asarray(features), axis=1))
    )
