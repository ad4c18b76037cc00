"""Characteristics for any number of perturbations from one factorization.

Two passes over the features: one to survey them, one to compare them with the few vectors
that the small system yields. A third lies between where the Gram matrix is too ill
conditioned, and two more a run for independent noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from perturbfs.arrays import Array, Block, FeatureBlocks, namespace_of

from ._angles import angle_to_span, angle_without_feature, cosines_and_sines
from ._characteristics import Characteristics
from ._expected import expected_change
from ._iid import change_by_tall_noise, change_by_wide_noise, noise_size
from ._least_squares import Solution, System, reduce_system, solve_least_squares
from ._rank2 import FIRST_RUN_DIVISOR, bound_mixing, changes_by_row_noise
from ._survey import Survey, survey
from ._target import Target


class _Change(Protocol):
    """How the coefficients move in one run or in several: lift - N' dual.

    Runs lie side by side, each with a column for every column of the target.
    """

    @property
    def dual(self) -> Array: ...

    @property
    def along(self) -> Array:
        """What `lift` needs to know of each feature; it gets the part of its span."""

    def lift(self, span: slice, along: Array) -> Array: ...


@dataclass(frozen=True, slots=True)
class Problem:
    """The data, what is known of them and the least-squares fit of the target."""

    blocks: FeatureBlocks
    surveyed: Survey
    target: Target
    system: System
    solution: Solution
    target_rows: Array  # the target in the system's coordinates
    noise_rows: Array  # ones and row noise in the system's coordinates


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
        Noise over the samples that is wanted in the system's coordinates.

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
    target_rows = system.extra[:, :n_columns]
    return Problem(
        blocks=blocks,
        surveyed=surveyed,
        target=target,
        system=system,
        solution=solve_least_squares(system, target_rows),
        target_rows=target_rows,
        noise_rows=system.extra[:, n_columns:],
    )


def characterize_by_row_noise(problem: Problem, *, definition: str) -> list[Characteristics]:
    """Characteristics under the released perturbation, one a column of row noise."""
    is_late = definition == "released-late"
    divisor = float(problem.system.rank) if is_late else FIRST_RUN_DIVISOR
    changes = changes_by_row_noise(
        problem.system,
        problem.solution,
        problem.noise_rows,
        mixing=bound_mixing(divisor, xp=problem.blocks.xp),
        extremes=problem.surveyed.extremes,
    )
    return _with_changes(problem, changes, definition)


def characterize_by_independent_noise(
    problem: Problem, *, seeds: Sequence[int], strength: float, definition: str
) -> list[Characteristics]:
    """Characteristics with every entry perturbed by itself, one a seed."""
    xp, is_tall = problem.blocks.xp, problem.blocks.shape[0] > problem.blocks.shape[1]
    sizes = _noise_size(problem, strength) * xp.astype(
        problem.surveyed.scaling.informative, xp.float64
    )
    changes: list[_Change] = []
    for seed in seeds:
        if is_tall:
            change: _Change = change_by_tall_noise(
                problem.blocks,
                problem.surveyed.scaling,
                problem.system,
                problem.solution,
                xp.asarray(problem.target.columns),
                seed=seed,
                sizes=sizes,
            )
        else:
            change = change_by_wide_noise(problem.system, problem.solution, seed=seed, sizes=sizes)
        changes.append(change)
    return _with_changes(problem, changes, definition)


def characterize_by_expectation(
    problem: Problem, *, strength: float, definition: str
) -> Characteristics:
    """Characteristics with the expected effect of independent noise."""
    xp = problem.blocks.xp
    size = _noise_size(problem, strength)
    expected = expected_change(problem.system, problem.solution, size=size)
    moves = xp.concat([found for _, found in problem.system.map(expected)])
    moves = xp.where(problem.surveyed.scaling.informative, moves, 0.0)
    [still] = _with_changes(problem, [], definition)
    return replace(still, sensitivity=moves * problem.target.scale)


def _noise_size(problem: Problem, strength: float) -> float:
    n_informative = int(problem.blocks.xp.count_nonzero(problem.surveyed.scaling.informative))
    return noise_size(problem.system, strength, n_informative)


@dataclass(frozen=True, slots=True)
class _Views:
    """What the second pass sees of some features."""

    coefficients: Array  # (n_features, n_columns)
    angle_to_target: Array
    angle_without: Array
    moves: Array  # (n_features, n_runs): length of the move of the coefficients


def _with_changes(
    problem: Problem, changes: Sequence[_Change], definition: str
) -> list[Characteristics]:
    """Second pass over the features."""
    xp, solution, scale = problem.blocks.xp, problem.solution, problem.target.scale
    bases = _bases(problem)
    duals = [solution.dual, *(change.dual for change in changes)]
    n_features, n_columns = problem.blocks.shape[1], solution.dual.shape[1]
    n_runs = sum(change.dual.shape[1] for change in changes) // n_columns
    look = _Look(
        vectors=xp.concat([*bases, *duals], axis=1),
        n_bases=len(bases),
        n_columns=n_columns,
        fitted_norm=_norm(solution.fitted),
        residual_norm=_norm(solution.residual),
        changes=[_without_features(change) for change in changes],
    )
    along = [change.along for change in changes]
    for span, view in problem.system.map(look, problem.surveyed.scaling.norms, *along):
        if span.start == 0:
            # Filled block by block: for many runs, lists to be joined would double the memory.
            # Made after the first block, which else would be the last thing on the heap: freed,
            # it would go back to the system, and the next call would wait for new pages.
            angles = xp.empty((2, n_features))
            coefficients = xp.empty((n_features, n_columns))
            moves = xp.empty((n_runs, n_features))
        coefficients[span, :] = view.coefficients * scale
        angles[0, span] = view.angle_to_target
        angles[1, span] = view.angle_without
        moves[:, span] = view.moves.T * scale
    first = Characteristics(
        coefficients=coefficients[:, 0] if n_columns == 1 else coefficients,
        sensitivity=xp.zeros(n_features),
        angle_to_target=angles[0, :],
        angle_without=angles[1, :],
        base_angle=math.degrees(math.atan2(_norm(solution.residual), _norm(solution.fitted))),
        rank=problem.system.rank,
        singular_values=problem.system.singular_values,
        scaling=problem.surveyed.scaling,
        definition=definition,
    )
    return [replace(first, sensitivity=moves[run, :]) for run in range(n_runs)] or [first]


def _bases(problem: Problem) -> list[Array]:
    """Orthonormal columns that angles are taken to: the target, and the fit where it differs."""
    solution, bases = problem.solution, [problem.target_rows]
    fitted_norm = _norm(solution.fitted)
    if solution.dual.shape[1] == 1 and fitted_norm > 0 and _norm(solution.residual) > 0:
        bases.append(solution.fitted / fitted_norm)
    return bases


def _without_features(change: _Change) -> _Change:
    """The change with nothing in it that is as long as the features."""
    light: _Change = replace(change, along=None)  # type: ignore[type-var]
    return light


@dataclass(frozen=True, slots=True)
class _Look:
    """What is found of a scaled block in the second pass."""

    vectors: Array  # bases, dual solution and duals of the changes side by side
    n_bases: int
    n_columns: int
    fitted_norm: float
    residual_norm: float
    changes: Sequence[_Change]

    def __call__(self, block: Block, norms: Array, *along: Array) -> _Views:
        xp = namespace_of(self.vectors)
        # One product a block with all that the features are compared with.
        products = block.project(self.vectors)
        n_columns, stop = self.n_columns, self.n_bases * self.n_columns
        cosines, sines = self._angles(block, norms, products, 0)
        sines_to_fit = sines
        if self.n_bases > 1:
            _, sines_to_fit = self._angles(block, norms, products, n_columns)
        coefficients = products[:, stop : stop + n_columns]
        return _Views(
            coefficients=coefficients,
            angle_to_target=angle_to_span(cosines, sines, xp=xp),
            angle_without=angle_without_feature(
                coefficients * norms[:, None],
                cosines,
                sines_to_fit,
                fitted_norm=self.fitted_norm,
                residual_norm=self.residual_norm,
                xp=xp,
            ),
            moves=self._moves(block.span, products[:, stop + n_columns :], along),
        )

    def _angles(
        self, block: Block, norms: Array, products: Array, start: int
    ) -> tuple[Array, Array]:
        xp, stop = namespace_of(self.vectors), start + self.n_columns
        basis = self.vectors[:, start:stop]
        return cosines_and_sines(block, norms, basis, products=products[:, start:stop], xp=xp)

    def _moves(self, span: slice, products: Array, along: Sequence[Array]) -> Array:
        """How far the coefficients of some features move in each run."""
        xp = namespace_of(self.vectors)
        if not self.changes:
            return xp.zeros((products.shape[0], 0))
        pairs = zip(self.changes, along, strict=True)
        lifts = [change.lift(span, part) for change, part in pairs]
        moves = xp.concat(lifts, axis=1) - products
        if self.n_columns == 1:
            return xp.abs(moves)
        by_run = xp.reshape(moves, (moves.shape[0], -1, self.n_columns))
        return xp.linalg.vector_norm(by_run, axis=2)


def _norm(values: Array) -> float:
    return float(namespace_of(values).linalg.vector_norm(values))
