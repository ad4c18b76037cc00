"""The released program's perturbation: one random number a sample, so of rank two at most.

With N the scaled features, W = [u 1] over the samples and C over the features, the perturbed
features are N + W C'. How the coefficients change follows from the factor of N N' alone; the
perturbed matrix is never formed. The identity behind all three cases is that of Wedin,

    B+ - N+ = -B+ E N+  +  (B'B)+ E' (I - N N+)  +  (I - B+ B) E' (N N')+,    B = N + E,

in which every term carries E: no two large vectors are subtracted. In all cases the change
of the coefficients comes back as ``C @ weights - N' @ dual``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from perturbfs.arrays import Array, Namespace, solve_lower, solve_upper, triangle

from ._least_squares import Solution, System, left_singular, rank_cutoff

FIRST_RUN_DIVISOR = 1e6  # c_l of the paper
UPPER_DIVISOR = 1e5  # c_u of the paper
# The Woodbury formula loses twice as many digits as this has. Well-conditioned data, whose
# factor comes from the Gram matrix, never get there.
MAX_RELATIVE_SIZE = 100.0


@dataclass(frozen=True, slots=True)
class RowNoiseChange:
    """How the coefficients move: C @ weights - N' @ dual; runs lie side by side."""

    dual: Array  # (n_rows, n_runs * n_columns)
    along: Array  # C, (n_features, 2)
    weights: Array  # (2, n_runs * n_columns)

    def lift(self, span: slice, along: Array) -> Array:  # noqa: ARG002
        """The part of the change that is not in the span of the samples."""
        return along @ self.weights


def bound_mixing(lower_divisor: float, *, xp: Namespace) -> Array:
    """Matrix that turns [largest, smallest] of a feature into its row of C.

    The entries of the perturbation of feature j lie between ``smallest_j / lower_divisor`` and
    ``largest_j / 1e5``; C holds the width of that interval and its lower end.
    """
    upper, lower = 1.0 / UPPER_DIVISOR, 1.0 / lower_divisor
    return xp.asarray([[upper, 0.0], [-lower, lower]], dtype=xp.float64)


def changes_by_row_noise(
    system: System, solution: Solution, noise: Array, *, mixing: Array, extremes: Array
) -> list[RowNoiseChange]:
    """Change of the coefficients for each of several row noises, from one factorization.

    Parameters
    ----------
    system : System
    solution : Solution
    noise : array of shape (n_rows, 1 + n_runs)
        The vector of ones and then one noise vector a run, in the system's coordinates.
    mixing : array of shape (2, 2)
        From `bound_mixing`.
    extremes : array of shape (n_features, 2)

    Returns
    -------
    changes : list of RowNoiseChange
        Of one run, or of several at once.
    """
    xp = system.rows.xp
    bounds = extremes @ mixing
    size = xp.linalg.vector_norm(noise[:, :2]) * xp.linalg.vector_norm(bounds)
    smallest = system.singular_values[system.rank - 1]
    is_small = system.factor_extremes is None or size <= MAX_RELATIVE_SIZE * smallest
    if system.has_full_row_rank and is_small:
        return [_with_full_row_rank(system, solution, noise, system.joint @ mixing, bounds)]
    if system.has_full_column_rank and is_small:
        return _with_full_column_rank(system, solution, noise, bounds)
    small_bounds = system.factor_extremes @ mixing
    square, joint = bounds.T @ bounds, system.joint @ mixing
    return [
        _with_any_rank(system, solution, w, joint, small_bounds, bounds, square)
        for w in _pairs(noise, xp=xp)
    ]


def _with_full_row_rank(
    system: System, solution: Solution, noise: Array, joint: Array, bounds: Array
) -> RowNoiseChange:
    """N = L Q' with L square: B = L J Q', and J = [I 0] + (L^-1 W) (Q'C)' is well conditioned.

    All runs at once: for each of them the work is tiny, and calls would cost more than it.
    """
    xp, lower = system.rows.xp, system.lower
    half = solve_lower(lower, solution.fitted, xp=xp)
    d, square = solve_lower(lower, joint, xp=xp), bounds.T @ bounds
    v = xp.stack(_pairs(solve_lower(lower, noise, xp=xp), xp=xp))
    d = xp.broadcast_to(d, (v.shape[0], *d.shape))
    v_t, d_t = xp.matrix_transpose(v), xp.matrix_transpose(d)
    alpha, beta = v_t @ half, d_t @ half
    right = v @ (beta + square @ alpha) + d @ alpha
    h = _solve_near_identity(v, d, square, right, xp=xp)
    dual = solve_upper(lower.T, _side_by_side(h, xp=xp), xp=xp)
    return RowNoiseChange(dual, bounds, _side_by_side(alpha - v_t @ h, xp=xp))


def _side_by_side(stacked: Array, *, xp: Namespace) -> Array:
    """From (n_runs, n_rows, n_columns) to (n_rows, n_runs * n_columns)."""
    n_runs, n_rows, n_columns = stacked.shape
    return xp.reshape(xp.permute_dims(stacked, (1, 0, 2)), (n_rows, n_runs * n_columns))


def _with_full_column_rank(
    system: System, solution: Solution, noise: Array, bounds: Array
) -> list[RowNoiseChange]:
    """N = Q R with R square, so B = Q H R and H = [I; 0] + W (R^-T C)' is well conditioned."""
    xp, n_features = system.rows.xp, system.factor.shape[1]
    r = system.factor[:n_features, :]
    k = solve_lower(r.T, bounds, xp=xp)
    beta = k.T @ solution.fitted[:n_features, :]
    rest = xp.zeros_like(solution.fitted[n_features:, :])
    changes = []
    for w in _pairs(noise, xp=xp):
        top, square = w[:n_features, :], w.T @ w
        right = k @ (w.T @ solution.residual - square @ beta) - top @ beta
        moved = solve_upper(r, _solve_near_identity(k, top, square, right, xp=xp), xp=xp)
        dual = xp.concat([-solve_lower(r.T, moved, xp=xp), rest])
        changes.append(RowNoiseChange(dual, bounds, xp.zeros_like(beta)))
    return changes


def _with_any_rank(
    system: System,
    solution: Solution,
    w: Array,
    joint: Array,
    small_bounds: Array,
    bounds: Array,
    square: Array,
) -> RowNoiseChange:
    """The identity as it stands, on a factorization of the small perturbed factor.

    Needed where dependent features or samples let the perturbation lift a singular value from
    zero, which is the mechanism of the paper's theorem, and where it is not a small one.
    """
    solve = _solver(system.factor + w @ small_bounds.T, system.shape, xp=system.rows.xp)
    alpha, beta = w.T @ solution.dual, joint.T @ solution.dual
    moved = joint + w @ square
    dual = solve(w @ beta + moved @ alpha - solve(moved @ (w.T @ solution.residual)))
    return RowNoiseChange(dual, bounds, alpha - w.T @ dual)


def _solver(factor: Array, shape: tuple[int, int], *, xp: Namespace) -> Callable[[Array], Array]:
    """How to apply the pseudo-inverse of factor times its transpose to some columns.

    By a triangle where the rows are independent beyond doubt, else by singular vectors, which
    take several times as long. The norm of a triangle's inverse bounds its singular values.
    """
    n_rows, n_columns = factor.shape
    if n_rows <= n_columns:
        upper = triangle(factor.T, xp=xp)
        diagonal = xp.abs(xp.linalg.diagonal(upper))
        if xp.min(diagonal) > 0.0:
            inverse = solve_upper(upper, xp.eye(n_rows), xp=xp)
            smallest = 1.0 / xp.linalg.vector_norm(inverse)
            largest = xp.linalg.vector_norm(upper)
            if smallest > rank_cutoff(largest, shape, xp=xp):
                return lambda right: solve_upper(upper, solve_lower(upper.T, right, xp=xp), xp=xp)
    left, values = left_singular(factor, shape, xp=xp)
    return lambda right: left @ ((left.T @ right) / values[:, None] ** 2)


def _pairs(noise: Array, *, xp: Namespace) -> list[Array]:
    """W = [u 1] of each run."""
    return [xp.stack([noise[:, run], noise[:, 0]], axis=1) for run in range(1, noise.shape[1])]


def _solve_near_identity(
    v: Array, d: Array, square: Array, right: Array, *, xp: Namespace
) -> Array:
    """Solve (I + v d' + d v' + v square v') x = right by a 4 x 4 system (Woodbury)."""
    z = xp.concat([v, d], axis=-1)
    z_t = xp.matrix_transpose(z)
    eye, zero = xp.eye(2), xp.zeros((2, 2))
    inner = xp.concat([xp.concat([zero, eye], axis=1), xp.concat([eye, -square], axis=1)])
    return right - z @ xp.linalg.solve(inner + z_t @ z, z_t @ right)
