import numpy as np
import pytest

from perturbfs.arrays import as_blocks
from perturbfs.paper._least_squares import numeric_rank, reduce_system, solve_least_squares
from perturbfs.paper._survey import survey

SHAPES = [(8, 30), (30, 8), (12, 12)]


def solve(xp, X, target):
    blocks = as_blocks(xp.asarray(X))
    surveyed = survey(blocks, with_gram=X.shape[0] <= X.shape[1])
    system = reduce_system(blocks, surveyed, xp.asarray(target))
    solution = solve_least_squares(system, system.extra)
    products = [np.asarray(each) for _, each in system.map(lambda b: b.project(solution.dual))]
    return system, solution, np.concatenate(products)


def make(shape, kind):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape)
    if kind == "dependent features":
        X[:, 5] = X[:, 1] + X[:, 2]
    if kind == "repeated sample":
        X[3] = X[4]
    if kind == "ill-conditioned":
        X[:, 1:] = X[:, :1] + 1e-5 * X[:, 1:]
    return X, rng.standard_normal((shape[0], 2))


@pytest.mark.parametrize(
    "kind", ["full", "dependent features", "repeated sample", "ill-conditioned"]
)
@pytest.mark.parametrize("shape", SHAPES)
def test_solution_is_that_of_the_pseudo_inverse(xp, shape, kind):
    X, target = make(shape, kind)
    system, solution, coefficients = solve(xp, X, target)
    N = X / np.linalg.norm(X, axis=0)
    values = np.linalg.svdvals(N)
    assert system.rank == np.linalg.matrix_rank(N)
    np.testing.assert_allclose(np.asarray(system.singular_values), values, atol=1e-12 * values[0])
    expected = np.linalg.pinv(N, rcond=1e-13) @ target
    # Error of either way: condition number times rounding.
    atol = 1e-14 * values[0] / values[system.rank - 1] * np.linalg.norm(expected)
    np.testing.assert_allclose(coefficients, expected, rtol=0, atol=atol)
    residual = np.linalg.norm(target - N @ expected)
    assert float(xp.linalg.vector_norm(solution.residual)) == pytest.approx(residual, abs=1e-8)


def test_residual_and_fit_add_up_to_the_target_and_are_orthogonal():
    X, target = make((30, 8), "full")
    system, solution, _ = solve(np, X, target)
    np.testing.assert_allclose(solution.fitted + solution.residual, system.extra, atol=1e-14)
    np.testing.assert_allclose(solution.fitted.T @ solution.residual, 0, atol=1e-12)


def test_rank_counts_singular_values_above_rounding():
    assert numeric_rank(np.array([1.0, 1e-3, 1e-20]), (3, 10), xp=np) == 2
    assert numeric_rank(np.array([4.0, 4e-16]), (2, 2), xp=np) == 1


def test_well_conditioned_data_need_one_pass_before_the_last():
    """The Gram matrix serves; only ill-conditioned data are read again."""
    passes = []

    class Counted:
        def __init__(self, blocks):
            self.blocks, self.shape, self.xp = blocks, blocks.shape, blocks.xp

        def map(self, function, *arrays, **options):
            passes.append(1)
            return self.blocks.map(function, *arrays, **options)

    for kind, expected in [("full", 1), ("ill-conditioned", 2)]:
        passes.clear()
        X, target = make((8, 30), kind)
        blocks = Counted(as_blocks(X))
        reduce_system(blocks, survey(blocks), target)
        assert len(passes) == expected
