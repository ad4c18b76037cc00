"""What independent noise changes on average: the same answer every time, nothing drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

from perturbfs.arrays import Array, Block, namespace_of

from ._least_squares import Solution, System, left_singular


@dataclass(frozen=True, slots=True)
class ExpectedChange:
    """Expected size of the change of each coefficient under small independent noise.

    With N = U S V' and noise of standard deviation s, the change of coefficient j is to first
    order normal with mean zero and variance

        s^2 (|X|^2 |V_j / S|^2 + |residual|^2 |V_j / S^2|^2 + |dual|^2 (1 - |V_j|^2)),

    the three terms of Wedin's identity, which are uncorrelated. Where dependent features or
    samples leave N with a smaller rank, this is the change by noise that keeps the rank.
    """

    directions: Array  # U / S, (n_rows, rank)
    values: Array  # S
    size: float
    coefficients_norm: float
    residual_norm: float
    dual_norm: float
    mean_factor: float  # expected absolute value over standard deviation

    def __call__(self, block: Block) -> Array:
        """Expected change of the coefficients of a block of scaled features."""
        squares = block.project(self.directions) ** 2
        xp = namespace_of(squares)
        inverse = 1.0 / self.values**2
        variances = (
            self.coefficients_norm**2 * (squares @ inverse)
            + self.residual_norm**2 * (squares @ inverse**2)
            + self.dual_norm**2 * xp.clip(1.0 - xp.sum(squares, axis=1), 0.0, None)
        )
        return self.mean_factor * self.size * xp.sqrt(variances)


def expected_change(system: System, solution: Solution, *, size: float) -> ExpectedChange:
    """Closed form of the sensitivity to independent noise.

    Parameters
    ----------
    system : System
    solution : Solution
    size : float
        Standard deviation of the noise.

    Returns
    -------
    change : ExpectedChange
        For one target column the expected absolute change. For several, the length of a row
        of changes has no closed mean: the root of its expected square is taken.
    """
    xp = system.rows.xp
    left, values = left_singular(system.factor, system.shape, xp=xp)
    parts = left.T @ solution.dual
    norm = xp.linalg.vector_norm
    return ExpectedChange(
        directions=left / values,
        values=values,
        size=size,
        coefficients_norm=float(norm(values[:, None] * parts)),
        residual_norm=float(norm(solution.residual)),
        dual_norm=float(norm(solution.dual)),
        mean_factor=math.sqrt(2.0 / math.pi) if solution.dual.shape[1] == 1 else 1.0,
    )
