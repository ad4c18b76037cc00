import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.preprocessing import scale

from perturbfs.baselines import L1LogisticSelector
from perturbfs.baselines._l1_logistic import LogisticModel, shares_of


@pytest.fixture
def problem():
    random = np.random.default_rng(0)
    features = scale(random.standard_normal((30, 4)))
    y = np.argmax(features[:, :3] + random.standard_normal((30, 3)), axis=1)
    return features, np.eye(3)[y]


def test_solution_minimizes_the_penalized_loss(problem):
    features, indicators = problem

    def loss(parameters):
        # Positive and negative parts make the penalty smooth.
        positive, negative, intercept = np.split(parameters, [12, 24])
        linear = features @ (positive - negative).reshape(4, 3) + intercept
        penalty = 0.05 * np.sum(positive + negative)
        return penalty - np.mean(np.sum(indicators * log_softmax(linear, axis=1), axis=1))

    bounds = [(0, None)] * 24 + [(None, None)] * 3
    slow = minimize(loss, np.zeros(27), bounds=bounds, options={"maxiter": 5000, "maxfun": 10**6})
    model = LogisticModel(features, indicators)
    model.tol = 1e-6
    model.minimize(np.arange(4), penalty=0.05)
    # L-BFGS-B with numerical gradients is good to about 1e-4.
    expected = (slow.x[:12] - slow.x[12:24]).reshape(4, 3)
    assert model.coefficients == pytest.approx(expected, abs=1e-3)


def test_shares_are_those_of_softmax_and_do_not_overflow():
    linear = np.array([[1e4, 0.0, -1e4], [0.1, 0.2, 0.3]])
    assert shares_of(linear) == pytest.approx(softmax(linear, axis=1))


def test_first_to_enter_has_the_steepest_loss(problem):
    features, indicators = problem
    error = indicators.mean(axis=0) - indicators
    expected = np.abs(features.T @ error).max(axis=1).argmax()
    y = indicators.argmax(axis=1)
    assert L1LogisticSelector(1).fit(features, y).get_support(indices=True) == [expected]


def test_screening_changes_nothing():
    random = np.random.default_rng(3)
    features = scale(random.standard_normal((30, 80)))
    y = (features[:, 0] + 0.5 * random.standard_normal(30) > 0).astype(int)
    # One long step makes the strong rule keep everything.
    at_once = L1LogisticSelector(n_penalties=2, eps=0.2).fit(features, y)
    stepwise = L1LogisticSelector(n_penalties=30, eps=0.2).fit(features, y)
    assert np.array_equal(at_once.support_, stepwise.support_)
