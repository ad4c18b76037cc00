"""One random number per sample, as in the released program and the paper's algorithm box.

The perturbation lies between two bounds for each feature, so its rank is at most two.

With N the scaled features, W = [u 1] over the samples and C over the features, the perturbed
features are N + W C'. How the coefficients change follows from the factor of N N' alone; the
perturbed matrix is never formed. The identity behind all three cases is that of Wedin,

    B+ - N+ = -B+ E N+  +  (B'B)+ E' (I - N N+)  +  (I - B+ B) E' (N N')+,    B = N + E,

in which every term carries E: no two large vectors are subtracted. In all cases the change
of the coefficients is ``C @ weights - N' @ dual``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from perturbfs.arrays import Array, Namespace, solve_lower, solve_upper, triangle

from ._least_squares import Change, Problem, Solution, System, gram_solver, rank_cutoff

LOWER_DIVISOR = 1e6  # c_l of the paper
UPPER_DIVISOR = 1e5  # c_u of the paper
# The Woodbury formula loses twice as many digits as this has. Well-conditioned data, whose
# factor comes from the Gram matrix, never get there.
MAX_RELATIVE_SIZE = 100.0
# A perturbation of more than this share of the largest singular value changes the solution
# altogether. The identity would then subtract vectors larger than both solutions.
MIN_DIRECT_SHARE = 0.01


def bound_mixing(
    lower_divisor: float,
    upper_divisor: float = UPPER_DIVISOR,
    *,
    from_minimum: bool = False,
    xp: Namespace,
) -> Array:
    """Return the matrix that turns [largest, smallest] of a feature into its row of C.

    C holds the width of the interval in which the perturbation of feature j lies, which is
    ``largest_j / upper_divisor - smallest_j / lower_divisor``, and its lower end. That is
    ``smallest_j / lower_divisor``, or, as the algorithm box has it, ``smallest_j``.
    """
    upper, lower = 1.0 / upper_divisor, 1.0 / lower_divisor
    start = 1.0 if from_minimum else lower
    return xp.asarray([[upper, 0.0], [-lower, start]], dtype=xp.float64)


def changes_by_row_noise(problem: Problem, mixing: Array) -> list[Change]:
    """Return the changes of the coefficients for all row noises of a problem.

    Parameters
    ----------
    problem : Problem
    mixing : array of shape (2, 2)
        As `bound_mixing` returns it.

    Returns
    -------
    changes : list of Change
        One change for all runs, or one per run.
    """
    system, solution, noise = problem.system, problem.solution, problem.row_noise
    xp = system.rows.xp
    bounds, joint = problem.surveyed.extremes @ mixing, system.joint @ mixing
    square = bounds.T @ bounds
    size = xp.linalg.vector_norm(noise[:, :2]) * xp.linalg.vector_norm(bounds)
    smallest = system.singular_values[system.rank - 1]
    is_small = system.factor_extremes is None or size <= MAX_RELATIVE_SIZE * smallest
    if system.has_full_row_rank and is_small:
        found = [_with_full_row_rank(system, solution, noise, joint, square)]
    elif system.has_full_column_rank and is_small:
        k = solve_lower(system.factor[: system.shape[1], :].T, bounds, xp=xp)
        found = [_with_full_column_rank(system, solution, w, k) for w in _pairs(noise, xp=xp)]
    else:
        small_bounds = system.factor_extremes @ mixing
        pairs = _pairs(noise, xp=xp)
        if size > MIN_DIRECT_SHARE * system.singular_values[0]:
            found = [_by_difference(system, solution, w, small_bounds) for w in pairs]
        else:
            found = [
                _with_any_rank(system, solution, w, joint, square, small_bounds) for w in pairs
            ]
    return [
        Change(dual, bounds, partial(_lift_by_weights, weights=weights)) for dual, weights in found
    ]


def _lift_by_weights(_: slice, bounds: Array, *, weights: Array) -> Array:
    """Return the part of the change that is not in the span of the samples."""
    return bounds @ weights


def _with_full_row_rank(
    system: System, solution: Solution, noise: Array, joint: Array, square: Array
) -> tuple[Array, Array]:
    """Return dual and weights for N = L Q' with L square.

    B = L J Q', and J = [I 0] + (L^-1 W) (Q'C)' is well conditioned. All runs are done at once:
    the work of each is tiny, and one call per run would cost more.
    """
    xp, lower = system.rows.xp, system.lower
    half = solve_lower(lower, solution.fitted, xp=xp)
    d = solve_lower(lower, joint, xp=xp)
    v = xp.stack(_pairs(solve_lower(lower, noise, xp=xp), xp=xp))
    d = xp.broadcast_to(d, (v.shape[0], *d.shape))
    v_t, d_t = xp.matrix_transpose(v), xp.matrix_transpose(d)
    alpha, beta = v_t @ half, d_t @ half
    right = v @ (beta + square @ alpha) + d @ alpha
    h = _solve_near_identity(v, d, square, right, xp=xp)
    dual = solve_upper(lower.T, _side_by_side(h, xp=xp), xp=xp)
    return dual, _side_by_side(alpha - v_t @ h, xp=xp)


def _side_by_side(stacked: Array, *, xp: Namespace) -> Array:
    """From (n_runs, n_rows, n_columns) to (n_rows, n_runs * n_columns)."""
    return xp.reshape(xp.permute_dims(stacked, (1, 0, 2)), (stacked.shape[1], -1))


def _with_full_column_rank(
    system: System, solution: Solution, w: Array, k: Array
) -> tuple[Array, Array]:
    """Return dual and weights of one run for N = Q R with R square; k is R^-T C.

    B = Q H R, and H = [I; 0] + W (R^-T C)' is well conditioned.
    """
    xp, n_features = system.rows.xp, system.shape[1]
    r = system.factor[:n_features, :]
    beta = k.T @ solution.fitted[:n_features, :]
    top, square = w[:n_features, :], w.T @ w
    right = k @ (w.T @ solution.residual - square @ beta) - top @ beta
    moved = solve_upper(r, _solve_near_identity(k, top, square, right, xp=xp), xp=xp)
    rest = xp.zeros_like(solution.fitted[n_features:, :])
    dual = xp.concat([-solve_lower(r.T, moved, xp=xp), rest])
    return dual, xp.zeros_like(beta)


def _with_any_rank(
    system: System, solution: Solution, w: Array, joint: Array, square: Array, small_bounds: Array
) -> tuple[Array, Array]:
    """Return dual and weights of one run from a factorization of the small perturbed factor.

    Needed where dependent features or samples let the perturbation lift a singular value from
    zero, which is the mechanism of the paper's theorem, and where the perturbation is large.
    """
    solve = _solver(system.factor + w @ small_bounds.T, system.shape, xp=system.rows.xp)
    alpha, beta = w.T @ solution.dual, joint.T @ solution.dual
    moved = joint + w @ square
    dual = solve(w @ beta + moved @ alpha - solve(moved @ (w.T @ solution.residual)))
    return dual, alpha - w.T @ dual


def _by_difference(
    system: System, solution: Solution, w: Array, small_bounds: Array
) -> tuple[Array, Array]:
    """Return dual and weights of one run, where the perturbation is large: B+ b - N+ b itself."""
    solve = _solver(system.factor + w @ small_bounds.T, system.shape, xp=system.rows.xp)
    perturbed = solve(solution.fitted + solution.residual)
    return solution.dual - perturbed, w.T @ perturbed


def _solver(factor: Array, shape: tuple[int, int], *, xp: Namespace) -> Callable[[Array], Array]:
    """Return a function that multiplies by the pseudo-inverse of factor times its transpose.

    It uses a triangle if the rows are independent beyond doubt, else singular vectors, which
    take several times as long. The norm of a triangle's inverse bounds its singular values.
    """
    n_rows, n_columns = factor.shape
    if n_rows <= n_columns:
        upper = triangle(factor.T, xp=xp)
        if xp.min(xp.abs(xp.linalg.diagonal(upper))) > 0.0:
            inverse = solve_upper(upper, xp.eye(n_rows), xp=xp)
            smallest = 1.0 / xp.linalg.vector_norm(inverse)
            largest = xp.linalg.vector_norm(upper)
            if smallest > rank_cutoff(largest, shape, xp=xp):
                return lambda right: solve_upper(upper, solve_lower(upper.T, right, xp=xp), xp=xp)
    return gram_solver(factor, shape, xp=xp)


def _pairs(noise: Array, *, xp: Namespace) -> list[Array]:
    """Return W = [u 1] of each run."""
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
