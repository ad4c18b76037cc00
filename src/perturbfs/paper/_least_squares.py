"""The least-squares problem of the scaled features, reduced to its smaller side.

All later steps work on the same small system. Wide data (more features than samples) keep
their samples and need a factor F with F F' = N N'. Tall data are rotated so that only
n_features + n_extra rows are left; the rotation preserves lengths and angles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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

from ._prepare import Scaling, Survey, Target, survey

# The Gram matrix squares the condition number. Up to this one its relative error in the
# sensitivities stays below 1e-11; beyond it the triangle of a QR decomposition is used.
MAX_GRAM_CONDITION = 200.0
HELD_AT_ONCE = 4  # results of blocks that are held before they are joined


@dataclass(frozen=True, slots=True)
class System:
    """The scaled features N, reduced to a small factor, and vectors in the same coordinates."""

    shape: tuple[int, int]  # of the data, before any rotation
    rows: FeatureBlocks  # N as blocks: the data, or the rotated rows of tall data
    scaling: Scaling | None  # of the blocks; None if they are scaled already
    extra: Array  # (n_rows, n_extra): target columns and row noise in the same coordinates
    factor: Array  # F with F F' = N N'; square, or with further columns for the extremes
    factor_extremes: Array | None  # extremes in the coordinates of F's columns, if known
    joint: Array  # N times extremes, n_rows x 2
    singular_values: Array  # of N, largest first
    rank: int

    @property
    def has_full_row_rank(self) -> bool:
        """Whether the samples are linearly independent."""
        return self.rank == self.shape[0]

    @property
    def has_full_column_rank(self) -> bool:
        """Whether the features are linearly independent."""
        return self.rank == self.shape[1]

    @property
    def lower(self) -> Array:
        """The square lower triangle of the factor of wide data."""
        return self.factor[:, : self.factor.shape[0]]

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """Make one pass over N; see `FeatureBlocks.map`."""
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
    xp, (n_samples, n_features) = blocks.xp, blocks.shape
    if n_samples > n_features:
        r = _rotate_samples(blocks, surveyed.scaling, extra)
        factor, extra = r[:, :n_features], r[:, n_features:]
        rows, scaling = as_blocks(factor), None
        factor_extremes, joint = surveyed.extremes, factor @ surveyed.extremes
        values = xp.linalg.svdvals(factor[:n_features, :])
    else:
        rows, scaling, joint = blocks, surveyed.scaling, surveyed.joint
        factor, factor_extremes, values = _factor_gram(blocks, surveyed)
    return System(
        shape=blocks.shape,
        rows=rows,
        scaling=scaling,
        extra=extra,
        factor=factor,
        factor_extremes=factor_extremes,
        joint=joint,
        singular_values=values,
        rank=numeric_rank(values, blocks.shape, xp=xp),
    )


def numeric_rank(singular_values: Array, shape: tuple[int, int], *, xp: Namespace) -> int:
    """Return the number of singular values above max(shape) * spacing(largest)."""
    return int(xp.count_nonzero(singular_values > rank_cutoff(singular_values[0], shape, xp=xp)))


def rank_cutoff(largest: Array, shape: tuple[int, int], *, xp: Namespace) -> Array:
    """Return the value that singular values must exceed to count, given the largest."""
    return max(shape) * 2.0**-52 * 2.0 ** xp.floor(xp.log2(largest))


def _factor_gram(blocks: FeatureBlocks, surveyed: Survey) -> tuple[Array, Array | None, Array]:
    """Return the factor of wide data, the extremes in its coordinates, and singular values."""
    xp, n_samples = blocks.xp, blocks.shape[0]
    squares = xp.flip(xp.linalg.eigvalsh(surveyed.gram))
    if squares[-1] * MAX_GRAM_CONDITION**2 > squares[0]:
        return xp.linalg.cholesky(surveyed.gram), None, xp.sqrt(squares)
    r = _feature_triangle(blocks, surveyed)
    factor = r[:, :n_samples].T
    return factor, r[:, n_samples:], xp.linalg.svdvals(factor)


def _feature_triangle(blocks: FeatureBlocks, surveyed: Survey) -> Array:
    """Return R of the QR decomposition of [N' extremes], computed block by block."""
    passed = surveyed.scaling.map(
        blocks, _block_triangle, surveyed.extremes, combine=join_triangles
    )
    return join_triangles(lower for _, lower in passed).T


def _block_triangle(block: Block, extremes: Array) -> Array:
    xp = namespace_of(extremes)
    # Concatenated with samples as rows: transposed, it lies in memory as LAPACK needs it.
    return triangle(xp.concat([block.dense(), extremes.T]).T, xp=xp).T


def join_triangles(lowers: Iterable[Array]) -> Array:
    """Return the transposed R of stacked rows from the transposed R of each part of them."""
    return join_in_turn(lowers, _join_few)


def _join_few(lowers: Sequence[Array]) -> Array:
    if len(lowers) == 1:
        return lowers[0]
    xp = namespace_of(lowers[0])
    return triangle(xp.concat(lowers, axis=1).T, xp=xp).T


def join_in_turn(parts: Iterable[Any], join: Callable[[Sequence[Any]], Any]) -> Any:
    """Join the results of many blocks, a few at a time, so that only a few are held."""
    held: list[Any] = []
    for part in parts:
        held.append(part)
        if len(held) > HELD_AT_ONCE:
            held = [join(held)]
    return join(held)


def _rotate_samples(blocks: FeatureBlocks, scaling: Scaling, extra: Array) -> Array:
    """Return R of the QR decomposition of [N extra], computed from chunks of samples."""
    xp = blocks.xp
    r = xp.zeros((0, blocks.shape[1] + extra.shape[1]))
    for span, features in scaling.row_chunks(blocks):
        r = triangle(xp.concat([r, xp.concat([features, extra[span, :]], axis=1)]), xp=xp)
    return r


@dataclass(frozen=True, slots=True)
class Solution:
    """Least-squares fit of some target columns; the coefficients are N' dual."""

    dual: Array  # (n_rows, n_columns): pseudo-inverse of N N' times target
    fitted: Array  # the target projected on the features
    residual: Array  # the target minus `fitted`


@dataclass(frozen=True, slots=True)
class Change:
    """How the coefficients move under perturbations: lift(span, along) - N' dual.

    Runs lie side by side, each with one column per column of the target.
    """

    dual: Array  # (n_rows, n_runs * n_columns)
    along: Array  # (n_features, ...): what `lift` needs to know of each feature
    lift: Callable[[slice, Array], Array]  # gets a span of features and its part of `along`


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
        n_features = system.shape[1]
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
    """Return left singular vectors of a small matrix and their singular values, up to its rank.

    `shape` is the shape of the data that the matrix stands for, which sets the cut-off.
    """
    left, values, _ = xp.linalg.svd(factor, full_matrices=False)
    rank = numeric_rank(values, shape, xp=xp)
    return left[:, :rank], values[:rank]


def gram_solver(
    factor: Array, shape: tuple[int, int], *, xp: Namespace
) -> Callable[[Array], Array]:
    """Return a function that multiplies by the pseudo-inverse of factor times its transpose."""
    left, values = left_singular(factor, shape, xp=xp)
    return lambda right: left @ ((left.T @ right) / values[:, None] ** 2)


@dataclass(frozen=True, slots=True)
class Problem:
    """The data, their survey, and the least-squares fit of the target."""

    blocks: FeatureBlocks
    target: Target
    surveyed: Survey
    system: System
    solution: Solution
    row_noise: Array  # (n_rows, 1 + n_runs): ones and row noise, in the system's coordinates

    @property
    def scaling(self) -> Scaling:
        """How the features are scaled."""
        return self.surveyed.scaling


def pose_problem(
    blocks: FeatureBlocks, target: Target, *, scaling: str = "unit", row_noise: Array | None = None
) -> Problem:
    """Survey the features and fit the target.

    Parameters
    ----------
    blocks : FeatureBlocks
        Finite values, at least one feature that varies.
    target : Target
    scaling : {"unit", "minmax"}
    row_noise : array of shape (n_samples, n_runs), optional
        Noise over the samples that is needed in the system's coordinates.

    Returns
    -------
    problem : Problem
    """
    xp, (n_samples, n_features) = blocks.xp, blocks.shape
    surveyed = survey(blocks, scaling=scaling, with_gram=n_samples <= n_features)
    if not xp.any(surveyed.scaling.informative):
        raise ValueError(
            f"All {n_features} features of X are constant. At least one feature that differs "
            "between samples is needed; check that the right columns were read."
        )
    extra = [xp.asarray(target.columns)]
    if row_noise is not None:
        extra += [xp.ones((n_samples, 1)), xp.asarray(row_noise)]
    system = reduce_system(blocks, surveyed, xp.concat(extra, axis=1))
    n_columns = target.columns.shape[1]
    solution = solve_least_squares(system, system.extra[:, :n_columns])
    return Problem(blocks, target, surveyed, system, solution, system.extra[:, n_columns:])
