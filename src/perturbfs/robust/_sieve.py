"""Find the few features that robust paths can need, in a few passes over all of them.

Preparing all features at once takes at least twice the memory of the data. So a first pass
compares every feature with the outcome and keeps the nearest ones. The path is followed among
these. A second pass compares every other feature with each step of the path, all at once. If one
would have been chosen, or is as good, it is kept too and the path is recomputed. When
nothing changes any more, the path among the kept features is the path among all.

Arrays as long as the features stay in the namespace of the features. The few features that are
kept come to the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import (
    Array,
    Block,
    BlockFunction,
    FeatureBlocks,
    kth_largest,
    namespace_of,
    to_host,
)

from ._path import angles_to_span
from ._problem import PathProblem, Plans, Pool
from ._rivals import find_rivals, quota


@dataclass(frozen=True, slots=True)
class Sieved:
    """The features that are kept, and results for all features.

    Attributes
    ----------
    features : array of int of shape (n_left,)
        Increasing.
    columns : array of shape (n_samples, n_left)
        Their values, as in the data.
    angles : array of shape (n_features,)
        Angle of every feature to the targets of the first problem, in degrees.
    n_passes : int
        Number of passes over the data.
    """

    features: Array
    columns: Array
    angles: Array
    n_passes: int


def sieve_features(
    blocks: FeatureBlocks,
    problems: Sequence[PathProblem],
    *,
    n_kept: int,
    least_cosine: float,
    keeps_moments: bool = True,
    on_part: Callable[[float], None] | None = None,
) -> Sieved:
    """Return features among which every path is the same as among all.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values.
    problems : sequence of PathProblem
    n_kept : int
        Features nearest to the targets that are always kept for each problem.
    least_cosine : float
        Features with a larger absolute cosine with one of the path are kept too.
    keeps_moments : bool
        Whether to store three numbers per feature and problem, so that later passes need not sort.
    on_part : callable, optional
        Called after each block with its share of the features.

    Returns
    -------
    sieved : Sieved
    """
    xp = blocks.xp
    moved = tuple(problem.moved_to(xp) for problem in problems)

    def walk(function: BlockFunction, *arrays: Any) -> Iterator[tuple[slice, Any]]:
        for span, found in blocks.map(function, *arrays):
            yield span, found
            if on_part is not None:
                on_part((span.stop - span.start) / blocks.shape[1])

    pool, angles, moments = _screen(blocks, walk, moved, n_kept, keeps_moments)
    plans, n_passes = pool.plan(problems), 1
    while True:
        to_beat = [each.moved_to(xp) for each in plans]
        check = _Check(moved, to_beat, n_kept / blocks.shape[1], least_cosine)
        is_known = np.zeros(blocks.shape[1], dtype=bool)
        is_known[pool.features] = True
        offers = [
            offer for _, offer in walk(check, xp.asarray(is_known), *moments) if offer is not None
        ]
        n_passes += 1
        if not offers:
            break
        pool = pool.joined(offers)
        found = pool.plan(problems)
        if [each.paths for each in found] == [each.paths for each in plans]:
            break
        plans = found
    return Sieved(pool.features, pool.columns, to_host(angles), n_passes)


def _screen(
    blocks: FeatureBlocks,
    walk: Callable[[BlockFunction], Iterator[tuple[slice, Any]]],
    problems: Sequence[PathProblem],
    n_kept: int,
    keeps_moments: bool,
) -> tuple[Pool, Array, list[Array | None]]:
    """Find the features nearest to the targets of each problem, in a first pass.

    Also return the angles of `Sieved`, and per problem the moments of all features, if kept.
    """
    xp, (n_samples, n_features) = blocks.xp, blocks.shape
    moments: list[Any] = [xp.empty((n_features, 3)) if keeps_moments else None for _ in problems]
    products, angles = xp.empty((len(problems), n_features)), xp.empty(n_features)
    pool = Pool(np.empty(0, dtype=np.int64), np.empty((n_samples, 0)))
    offers: list[Pool] = []
    n_offered, most_offered = 0, 2 * n_kept * len(problems)
    function = _Screen(tuple(problems), n_kept / n_features, keeps_moments)
    for span, (offer, found, found_angles, found_moments) in walk(function):
        products[:, span], angles[span] = found, found_angles
        for held, part in zip(moments, found_moments, strict=True):
            if held is not None:
                held[span, :] = part
        offers.append(offer)
        n_offered += len(offer.features)
        if n_offered > most_offered:
            pool = pool.joined(offers).only(_best(products[:, : span.stop], n_kept))
            offers, n_offered = [], 0
    wanted = _best(products, n_kept)
    pool = pool.only(wanted).joined([offer.only(wanted) for offer in offers])
    missing = np.setdiff1d(wanted, pool.features)
    if len(missing):  # a block offers no more than its quota
        pool = pool.joined([Pool(missing, to_host(blocks.take(missing)))])
    return pool, angles, moments


def _best(products: Array, n_kept: int) -> Array:
    """Return the features with the largest products for any problem."""
    n_features = products.shape[1]
    if n_kept >= n_features:
        return np.arange(n_features)
    # One problem after the other, because each copies the products.
    return np.unique([_largest(products[each, :], n_kept) for each in range(products.shape[0])])


@dataclass(frozen=True, slots=True)
class _Screen:
    """Process a block in the first pass."""

    problems: tuple[PathProblem, ...]
    share: float  # of the features that are kept
    keeps_moments: bool

    def __call__(self, block: Block) -> tuple[Pool, Array, Array, list[Array | None]]:
        products, moments, angles = [], [], None
        for problem in self.problems:
            rows, found = problem.preparation.with_moments(block)
            projections = rows @ problem.targets
            xp = namespace_of(projections)
            products.append(xp.linalg.vector_norm(projections, axis=1))
            moments.append(found if self.keeps_moments else None)
            if angles is None:
                angles = angles_to_span(projections, problem.targets, xp=xp)
        most = quota(self.share, products[0].shape[0])
        best = np.unique([_largest(each, most) for each in products])
        return _offer(block, best), xp.stack(products), angles, moments


@dataclass(frozen=True, slots=True)
class _Check:
    """Process a block in a later pass: offer the features that may belong to a path."""

    problems: tuple[PathProblem, ...]
    plans: list[Plans]
    share: float
    least_cosine: float

    def __call__(self, block: Block, is_known: Array, *moments: Array | None) -> Pool | None:
        xp, found = namespace_of(is_known), []
        for problem, plans, known in zip(self.problems, self.plans, moments, strict=True):
            rows, _ = problem.preparation.with_moments(block, known)
            found.append(
                find_rivals(
                    rows,
                    is_known,
                    plans,
                    max_correlation=problem.max_correlation,
                    share=self.share,
                    least_cosine=self.least_cosine if problem.is_explained else None,
                    xp=xp,
                )
            )
        offered = np.unique(np.concatenate(found))
        return _offer(block, offered) if len(offered) else None


def _largest(values: Array, count: int) -> Array:
    """Return the positions of the largest values on the host; ties go to the first."""
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
