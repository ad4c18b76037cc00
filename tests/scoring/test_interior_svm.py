import numpy as np
import pytest
from sklearn.svm import SVC

from perturbfs.scoring._interior_svm import fit_linear_svm


def overlapping(n_samples, n_features, *, shift, seed=0):
    rng = np.random.default_rng(seed)
    signs = np.where(rng.uniform(size=n_samples) < 0.3, 1.0, -1.0)
    return rng.standard_normal((n_samples, n_features)) + shift * signs[:, None], signs


def objective(X, signs, weights, intercept, cost):
    missed = np.maximum(0, 1 - signs * (X @ weights + intercept))
    return weights @ weights / 2 + cost * missed.sum()


@pytest.mark.parametrize("cost", [0.1, 1.0])
@pytest.mark.parametrize(("n_features", "shift"), [(1, 0.3), (4, 0.2), (12, 0.0), (5, 2.0)])
def test_it_is_the_plane_that_scikit_learn_comes_near_to(n_features, shift, cost):
    X, signs = overlapping(100, n_features, shift=shift)
    weights, intercept = fit_linear_svm(X, signs, cost=cost)
    other = SVC(kernel="linear", C=cost, tol=1e-4, max_iter=10**6).fit(X, signs)
    np.testing.assert_allclose(weights, other.coef_[0], atol=1e-3)
    ours = objective(X, signs, weights, intercept, cost)
    theirs = objective(X, signs, other.coef_[0], other.intercept_[0], cost)
    assert ours <= theirs * (1 + 1e-7)


def test_equal_features_and_equal_samples_do_no_harm():
    X, signs = overlapping(40, 2, shift=0.3)
    X, signs = np.hstack([X, X[:, :1], np.zeros((40, 1))]), signs
    weights, _ = fit_linear_svm(np.vstack([X, X]), np.append(signs, signs), cost=0.5)
    once, _ = fit_linear_svm(X, signs, cost=1.0)
    np.testing.assert_allclose(weights, once, atol=1e-6)
    assert weights[0] == pytest.approx(weights[2], abs=1e-6)
    assert weights[3] == pytest.approx(0, abs=1e-9)


def test_no_contrast_gives_no_weights():
    X = np.zeros((30, 2))
    weights, _ = fit_linear_svm(X, np.repeat([1.0, -1.0], 15))
    np.testing.assert_allclose(weights, 0, atol=1e-9)
