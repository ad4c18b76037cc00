"""The second pass over the features: coefficients, angles and how far the coefficients move."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from perturbfs.arrays import Array, Block, namespace_of

from ._angles import angle_to_span, angle_without_feature, cosines_and_sines
from ._characteristics import Characteristics
from ._least_squares import Change, Problem
from ._prepare import BlockPartial


def compare_features(
    problem: Problem, changes: Sequence[Change], definition: str
) -> list[Characteristics]:
    """Return the characteristics of each run, from one pass over the features.

    Parameters
    ----------
    problem : Problem
    changes : sequence of Change
        The changes of the coefficients in all runs.
    definition : {"paper", "released", "released-late"}

    Returns
    -------
    runs : list of Characteristics
        They differ in sensitivity only. Without changes, one run of sensitivity 0.
    """
    system, solution, scale = problem.system, problem.solution, problem.target.scale
    xp, n_columns = system.rows.xp, solution.dual.shape[1]
    fitted_norm, residual_norm = _norm(solution.fitted), _norm(solution.residual)
    # Orthonormal columns to take angles to: the target, and the fit where it differs.
    bases = [system.extra[:, :n_columns]]
    if n_columns == 1 and fitted_norm > 0 and residual_norm > 0:
        bases.append(solution.fitted / fitted_norm)
    duals = [solution.dual, *(change.dual for change in changes)]
    n_features = system.shape[1]
    n_runs = sum(change.dual.shape[1] for change in changes) // n_columns
    look = BlockPartial(
        _look_at_block,
        vectors=xp.concat([*bases, *duals], axis=1),
        n_bases=len(bases),
        n_columns=n_columns,
        fitted_norm=fitted_norm,
        residual_norm=residual_norm,
        lifts=[change.lift for change in changes],
    )
    along = [change.along for change in changes]
    for span, (found, both_angles, moved) in system.map(look, problem.scaling.norms, *along):
        if span.start == 0:
            # Filled block by block: for many runs, lists to be joined would double the memory.
            # Allocated after the first block, so that the block is not the last thing on the
            # heap: freed there, its memory would go back to the system, and the next call
            # would wait for new pages.
            angles = xp.empty((2, n_features))
            coefficients = xp.empty((n_features, n_columns))
            moves = xp.empty((n_runs, n_features))
        coefficients[span, :] = found * scale
        angles[:, span] = both_angles
        moves[:, span] = moved.T * scale
    first = Characteristics(
        coefficients=coefficients[:, 0] if n_columns == 1 else coefficients,
        sensitivity=xp.zeros(n_features),
        angle_to_target=angles[0, :],
        angle_without=angles[1, :],
        base_angle=math.degrees(math.atan2(residual_norm, fitted_norm)),
        rank=system.rank,
        singular_values=system.singular_values,
        scaling=problem.scaling,
        definition=definition,
    )
    return [replace(first, sensitivity=moves[run, :]) for run in range(n_runs)] or [first]


def _look_at_block(
    block: Block,
    norms: Array,
    *along: Array,
    vectors: Array,
    n_bases: int,
    n_columns: int,
    fitted_norm: float,
    residual_norm: float,
    lifts: Sequence[Callable[[slice, Array], Array]],
) -> tuple[Array, Array, Array]:
    """Return coefficients, both angles (two rows), and moves of the coefficients in each run."""
    xp = namespace_of(vectors)
    # One product per block with all that the features are compared with.
    products = block.project(vectors)
    views = []
    for start in range(0, n_bases * n_columns, n_columns):
        basis = slice(start, start + n_columns)
        views.append(cosines_and_sines(block, norms, vectors[:, basis], products[:, basis], xp=xp))
    (cosines, sines), (_, sines_to_fit) = views[0], views[-1]
    stop = (n_bases + 1) * n_columns
    coefficients = products[:, stop - n_columns : stop]
    angle_without = angle_without_feature(
        coefficients * norms[:, None],
        cosines,
        sines_to_fit,
        fitted_norm=fitted_norm,
        residual_norm=residual_norm,
        xp=xp,
    )
    angles = xp.stack([angle_to_span(cosines, sines, xp=xp), angle_without])
    lifted = [lift(block.span, part) for lift, part in zip(lifts, along, strict=True)]
    return coefficients, angles, _lengths_of_moves(lifted, products[:, stop:], n_columns)


def _lengths_of_moves(lifted: Sequence[Array], products: Array, n_columns: int) -> Array:
    """Return how far the coefficients of each feature move, one column per run."""
    xp = namespace_of(products)
    if not lifted:
        return xp.zeros((products.shape[0], 0))
    moves = xp.concat(lifted, axis=1) - products
    if n_columns == 1:
        return xp.abs(moves)
    by_run = xp.reshape(moves, (moves.shape[0], -1, n_columns))
    return xp.linalg.vector_norm(by_run, axis=2)


def _norm(values: Array) -> float:
    return float(namespace_of(values).linalg.vector_norm(values))
