import numpy as np
import pytest

from perturbfs.arrays import solve_lower, solve_upper, triangle


@pytest.mark.parametrize("shape", [(9, 4), (3, 5)])
def test_triangle_has_the_gram_matrix_of_the_original(xp, shape):
    a = np.random.default_rng(0).standard_normal(shape)
    r = np.asarray(triangle(xp.asarray(a), xp=xp))
    assert r.shape == (min(shape), shape[1])
    np.testing.assert_array_equal(r, np.triu(r))
    np.testing.assert_allclose(r.T @ r, a.T @ a, atol=1e-13)


def test_triangular_systems_are_solved(xp):
    rng = np.random.default_rng(0)
    lower = np.tril(rng.standard_normal((5, 5))) + 5 * np.eye(5)
    right = rng.standard_normal((5, 2))
    x = np.asarray(solve_lower(xp.asarray(lower), xp.asarray(right), xp=xp))
    np.testing.assert_allclose(lower @ x, right)
    x = np.asarray(solve_upper(xp.asarray(lower.T), xp.asarray(right), xp=xp))
    np.testing.assert_allclose(lower.T @ x, right)
