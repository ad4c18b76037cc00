import numpy as np
import pytest
import slow
from made_tables import KINDS, SHAPES, make_table

from perturbfs.arrays import as_blocks
from perturbfs.paper import Target, characterize_runs
from perturbfs.paper._least_squares import numeric_rank, reduce_system, solve_least_squares
from perturbfs.paper._prepare import survey


def make(shape, kind="full"):
    X, _, _ = make_table(shape, kind, spread=1e-5)
    return X, np.linalg.qr(np.random.default_rng(1).standard_normal((shape[0], 2)))[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_solution_is_that_of_the_pseudo_inverse(xp, shape, kind):
    X, target = make(shape, kind)
    [found] = characterize_runs(
        as_blocks(xp.asarray(X)), Target(target, 1.0), perturbation="expected"
    )
    N = slow.unit(X)
    values = np.linalg.svdvals(N)
    assert found.rank == np.linalg.matrix_rank(N)
    np.testing.assert_allclose(np.asarray(found.singular_values), values, atol=1e-12 * values[0])
    expected = np.linalg.pinv(N, rcond=1e-13) @ target
    # Error of either way: condition number times rounding.
    atol = 1e-14 * values[0] / values[found.rank - 1] * np.linalg.norm(expected)
    np.testing.assert_allclose(np.asarray(found.coefficients), expected, rtol=0, atol=atol)
    residual = np.linalg.norm(target - N @ expected) / np.linalg.norm(target)
    assert np.sin(np.radians(found.base_angle)) == pytest.approx(residual, abs=1e-8)


def test_residual_and_fit_add_up_to_the_target_and_are_orthogonal():
    X, target = make((30, 8))
    blocks = as_blocks(X)
    system = reduce_system(blocks, survey(blocks, with_gram=False), target)
    solution = solve_least_squares(system, system.extra)
    np.testing.assert_allclose(solution.fitted + solution.residual, system.extra, atol=1e-14)
    np.testing.assert_allclose(solution.fitted.T @ solution.residual, 0, atol=1e-12)


def test_rank_counts_singular_values_above_rounding():
    assert numeric_rank(np.array([1.0, 1e-3, 1e-20]), (3, 10), xp=np) == 2
    assert numeric_rank(np.array([4.0, 4e-16]), (2, 2), xp=np) == 1
