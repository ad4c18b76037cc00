"""The expected effect of independent noise, in closed form: nothing is drawn."""

from __future__ import annotations

import math

from perturbfs.arrays import Array, Block, namespace_of

from ._least_squares import Problem, left_singular
from ._perturb_iid import noise_size
from ._prepare import BlockPartial


def expected_sensitivity(problem: Problem, strength: float) -> Array:
    """Return how far each coefficient is expected to move under small independent noise.

    Parameters
    ----------
    problem : Problem
    strength : float
        The norm of the noise is 10^-strength times the smallest singular value.

    Returns
    -------
    sensitivity : array of shape (n_features,)
        For one target column the expected absolute change. For several, the length of a row
        of changes has no closed mean: the root of its expected square is taken.

    Notes
    -----
    With N = U S V' and noise of standard deviation s, the change of coefficient j is to first
    order normal with mean zero and variance

        s^2 (|X|^2 |V_j / S|^2 + |residual|^2 |V_j / S^2|^2 + |dual|^2 (1 - |V_j|^2)),

    the three terms of Wedin's identity, which are uncorrelated. Where dependent features or
    samples leave N with a smaller rank, this is the change by noise that keeps the rank.
    """
    system, solution, xp = problem.system, problem.solution, problem.blocks.xp
    left, values = left_singular(system.factor, system.shape, xp=xp)
    parts = left.T @ solution.dual
    norm = xp.linalg.vector_norm
    # The expected absolute value of a normal number over its standard deviation.
    mean_factor = math.sqrt(2.0 / math.pi) if solution.dual.shape[1] == 1 else 1.0
    look = BlockPartial(
        _block_deviations,
        directions=left / values,
        values=values,
        norms=(
            float(norm(values[:, None] * parts)),
            float(norm(solution.residual)),
            float(norm(solution.dual)),
        ),
    )
    deviations = xp.concat([found for _, found in system.map(look)])
    moves = mean_factor * noise_size(problem, strength) * deviations
    return xp.where(problem.scaling.informative, moves, 0.0) * problem.target.scale


def _block_deviations(
    block: Block, *, directions: Array, values: Array, norms: tuple[float, float, float]
) -> Array:
    """Return the standard deviation of each coefficient for noise of standard deviation 1.

    `norms` are those of the coefficients, the residual and the dual solution.
    """
    of_coefficients, of_residual, of_dual = norms
    squares = block.project(directions) ** 2
    xp = namespace_of(squares)
    inverse = 1.0 / values**2
    variances = (
        of_coefficients**2 * (squares @ inverse)
        + of_residual**2 * (squares @ inverse**2)
        + of_dual**2 * xp.clip(1.0 - xp.sum(squares, axis=1), 0.0, None)
    )
    return xp.sqrt(variances)
