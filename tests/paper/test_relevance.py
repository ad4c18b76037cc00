import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import as_blocks
from perturbfs.paper import characterize, code_target, correlate_outcome, perturbation_signatures


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 200)) + 5.0, rng.integers(0, 3, 30)
    X[:, 7] = 1.0
    X[:, 8] = -2.0 * X[:, 9]
    return X, y


def scaling_of(X, y):
    return characterize(X, y, random_state=0).scaling


def test_correlation_with_codes_is_that_of_numpy(table):
    X, y = table
    found = correlate_outcome(as_blocks(X), scaling_of(X, y), code_target(y))
    varies = np.arange(200) != 7
    expected = np.abs(np.corrcoef(X[:, varies].T, y)[-1, :-1])
    np.testing.assert_allclose(found[varies], expected, rtol=1e-9)
    assert found[7] == 0


def test_correlation_with_classes_is_the_root_of_explained_variance(table):
    X, y = table
    target = code_target(y, coding="indicators")
    found = correlate_outcome(as_blocks(X), scaling_of(X, y), target)
    means = np.stack([X[y == label].mean(axis=0) for label in range(3)])[y]
    expected = means.std(axis=0)[:7] / X.std(axis=0)[:7]
    np.testing.assert_allclose(found[:7], expected, rtol=1e-9)


def test_signatures_are_as_far_apart_as_unit_rows_of_the_projection(table):
    X, y = table
    found = perturbation_signatures(as_blocks(X), scaling_of(X, y))
    N = X / np.linalg.norm(X, axis=0) * (np.arange(200) != 7)
    P = np.linalg.pinv(N) @ N
    lengths = np.linalg.norm(P, axis=1, keepdims=True)
    rows = np.where(lengths > 1e-9, P / lengths, 0.0)
    np.testing.assert_allclose(found @ found.T, rows @ rows.T, atol=1e-9)


def test_copies_of_samples_leave_a_smaller_row_space(table):
    X, y = table
    X, y = np.vstack([X, X[:5]]), np.r_[y, y[:5]]
    found = perturbation_signatures(as_blocks(X), scaling_of(X, y))
    assert np.linalg.matrix_rank(found, tol=1e-6) == 30


def test_sparse_features_have_the_same_relevance_and_signatures(table):
    X, y = table
    X = np.where(X > 5.0, X, 0.0)
    scaling, target = scaling_of(X, y), code_target(y)
    dense, sparse = as_blocks(X), as_blocks(scipy.sparse.csc_array(X))
    np.testing.assert_allclose(
        correlate_outcome(sparse, scaling, target),
        correlate_outcome(dense, scaling, target),
        atol=1e-12,
    )
    np.testing.assert_allclose(
        perturbation_signatures(sparse, scaling),
        perturbation_signatures(dense, scaling),
        atol=1e-10,
    )
