"""The least-squares problem of the scaled features, reduced to its smaller side.

Every feature count works with the same small system. Wide data (more features than samples)
keep their samples and need a factor F with F F' = N N'. Tall data are rotated so that only
n_features + n_extra rows are left; lengths and angles do not notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from perturbfs.arrays import (
    Array,
    Block,
    BlockFunction,
    Combine,
    FeatureBlocks,
    Namespace,
    as_blocks,
    namespace_of,
    solve_lower,
    solve_upper,
    triangle,
)

from ._survey import Scaling, Survey

# The Gram matrix squares the condition number. Up to this one its relative error in the
# sensitivities stays below 1e-11; beyond it the triangle of a QR decomposition is used.
MAX_GRAM_CONDITION = 200.0
TRIANGLES_AT_ONCE = 4  # of blocks, joined by one more decomposition


@dataclass(frozen=True, slots=True)
class System:
    """Scaled features N and the vectors that go with them, in coordinates that fit both."""

    shape: tuple[int, int]  # of the data, before any rotation
    rows: FeatureBlocks  # N as blocks: the data, or the rotated rows of tall data
    scaling: Scaling | None  # how the blocks are scaled; None where they are already
    extra: Array  # (n_rows, n_extra): target columns and row noise in the same coordinates
    factor: Array  # F with F F' = N N'; square, or with columns that hold the extremes too
    factor_extremes: Array | None  # extremes in the coordinates of F's columns, where known
    joint: Array  # N times extremes, n_rows x 2
    singular_values: Array  # of N, largest first
    rank: int
    has_full_row_rank: bool
    has_full_column_rank: bool

    @property
    def lower(self) -> Array:
        """The square lower triangle of the factor of wide data."""
        return self.factor[:, : self.factor.shape[0]]

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """One pass over N; see `FeatureBlocks.map`."""
        if self.scaling is None:
            return self.rows.map(function, *arrays, combine=combine)
        return self.scaling.map(self.rows, function, *arrays, combine=combine)


def reduce_system(blocks: FeatureBlocks, surveyed: Survey, extra: Array) -> System:
    """Reduce the data to a system as large as the smaller of its sides.

    Parameters
    ----------
    blocks : FeatureBlocks
    surveyed : Survey
        With the Gram matrix for wide data.
    extra : array of shape (n_samples, n_extra)
        Vectors over the samples that are needed later.

    Returns
    -------
    system : System
    """
    n_samples, n_features = blocks.shape
    if n_samples > n_features:
        return _reduce_tall(blocks, surveyed, extra)
    return _reduce_wide(blocks, surveyed, extra)


def numeric_rank(singular_values: Array, shape: tuple[int, int], *, xp: Namespace) -> int:
    """Number of singular values above the usual cut-off, max(shape) * spacing(largest)."""
    return int(xp.count_nonzero(singular_values > rank_cutoff(singular_values[0], shape, xp=xp)))


def rank_cutoff(largest: Array, shape: tuple[int, int], *, xp: Namespace) -> Array:
    """What singular values must exceed to count, given the largest."""
    return max(shape) * 2.0**-52 * 2.0 ** xp.floor(xp.log2(largest))


def _reduce_wide(blocks: FeatureBlocks, surveyed: Survey, extra: Array) -> System:
    xp, (n_samples, _) = blocks.xp, blocks.shape
    squares = xp.flip(xp.linalg.eigvalsh(surveyed.gram))
    is_well_conditioned = squares[-1] * MAX_GRAM_CONDITION**2 > squares[0]
    if is_well_conditioned:
        factor, factor_extremes = xp.linalg.cholesky(surveyed.gram), None
        values, rank = xp.sqrt(squares), n_samples
    else:
        r = _feature_triangle(blocks, surveyed)
        factor, factor_extremes = r[:, :n_samples].T, r[:, n_samples:]
        values = xp.linalg.svdvals(factor)
        rank = numeric_rank(values, blocks.shape, xp=xp)
    return System(
        shape=blocks.shape,
        rows=blocks,
        scaling=surveyed.scaling,
        extra=extra,
        factor=factor,
        factor_extremes=factor_extremes,
        joint=surveyed.joint,
        singular_values=values,
        rank=rank,
        has_full_row_rank=rank == n_samples,
        has_full_column_rank=False,
    )


def _feature_triangle(blocks: FeatureBlocks, surveyed: Survey) -> Array:
    """R of the QR decomposition of [N' extremes], one block of features after the other."""
    found = surveyed.scaling.map(blocks, _block_triangle, surveyed.extremes, combine=_one_triangle)
    return join_triangles((lower for _, lower in found), xp=blocks.xp)


def _block_triangle(block: Block, extremes: Array) -> Array:
    xp = namespace_of(extremes)
    # Samples in rows up to here: transposed, it lies in memory as LAPACK wants it.
    return triangle(xp.concat([block.dense(), extremes.T]).T, xp=xp).T


def _one_triangle(lowers: Sequence[Array]) -> Array:
    return join_triangles(lowers, xp=namespace_of(lowers[0])).T


def join_triangles(lowers: Iterable[Array], *, xp: Namespace) -> Array:
    """R of rows that lie in blocks, from the transposed R of each block."""
    held: list[Array] = []
    for lower in lowers:
        held.append(lower)
        if len(held) > TRIANGLES_AT_ONCE:
            held = [triangle(xp.concat(held, axis=1).T, xp=xp).T]
    if len(held) > 1:
        held = [triangle(xp.concat(held, axis=1).T, xp=xp).T]
    return held[0].T


def _reduce_tall(blocks: FeatureBlocks, surveyed: Survey, extra: Array) -> System:
    xp, n_features = blocks.xp, blocks.shape[1]
    r, start = xp.zeros((0, n_features + extra.shape[1])), 0
    for chunk in blocks.row_chunks():
        stop = start + chunk.shape[0]
        columns = xp.concat([surveyed.scaling.of_columns(chunk), extra[start:stop, :]], axis=1)
        r, start = triangle(xp.concat([r, columns]), xp=xp), stop
    features = r[:, :n_features]
    values = xp.linalg.svdvals(features[:n_features, :])
    rank = numeric_rank(values, blocks.shape, xp=xp)
    return System(
        shape=blocks.shape,
        rows=as_blocks(features),
        scaling=None,
        extra=r[:, n_features:],
        factor=features,
        factor_extremes=surveyed.extremes,
        joint=features @ surveyed.extremes,
        singular_values=values,
        rank=rank,
        has_full_row_rank=False,
        has_full_column_rank=rank == n_features,
    )


@dataclass(frozen=True, slots=True)
class Solution:
    """Least squares for some target columns; the coefficients are N' dual."""

    dual: Array  # (n_rows, n_columns): pseudo-inverse of N N' times target
    fitted: Array  # the target projected on the features
    residual: Array  # what is left of the target


def solve_least_squares(system: System, target: Array) -> Solution:
    """Fit target columns by all features at once, with the smallest coefficients.

    Parameters
    ----------
    system : System
    target : array of shape (n_rows, n_columns)

    Returns
    -------
    solution : Solution
    """
    xp = system.rows.xp
    if system.has_full_row_rank:
        half = solve_lower(system.lower, target, xp=xp)
        dual = solve_upper(system.lower.T, half, xp=xp)
        return Solution(dual, target, xp.zeros_like(target))
    if system.has_full_column_rank:
        n_features = system.factor.shape[1]
        r, top = system.factor[:n_features, :], target[:n_features, :]
        coefficients = solve_upper(r, top, xp=xp)
        rest = xp.zeros_like(target[n_features:, :])
        dual = xp.concat([solve_lower(r.T, coefficients, xp=xp), rest])
        fitted = xp.concat([top, rest])
        return Solution(dual, fitted, target - fitted)
    left, values = left_singular(system.factor, system.shape, xp=xp)
    parts = left.T @ target
    fitted = left @ parts
    return Solution(left @ (parts / values[:, None] ** 2), fitted, target - fitted)


def left_singular(factor: Array, shape: tuple[int, int], *, xp: Namespace) -> tuple[Array, Array]:
    """Left singular vectors of a small matrix and their singular values, up to its rank.

    `shape` is that of the data the matrix stands for, which sets the cut-off.
    """
    left, values, _ = xp.linalg.svd(factor, full_matrices=False)
    rank = numeric_rank(values, shape, xp=xp)
    return left[:, :rank], values[:rank]
