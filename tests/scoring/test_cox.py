"""The ridge Cox model maximizes the penalized partial likelihood of its definition."""

import numpy as np
import pytest
from made_survival import make_survival
from scipy.optimize import minimize

from perturbfs.scoring import RidgeCox, default_predictors, fit_cox


def slow_loss(coefficients, X, y, weights, penalty):
    """The negative log partial likelihood with the ties of Breslow, one event after the other."""
    risk = X @ coefficients
    loss = penalty / 2 * coefficients @ coefficients
    for row in np.flatnonzero(y["event"]):
        at_risk = y["time"] >= y["time"][row]
        total = np.log(np.sum(weights[at_risk] * np.exp(risk[at_risk])))
        loss += weights[row] * (total - risk[row])
    return loss


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_features", [1, 4, 40])  # more features than samples too
def test_no_other_coefficients_are_more_likely(ties, weighted, n_features):
    X, y = make_survival(30, n_features, 1, ties=ties)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    known = (X, y, weights, 2.0)
    found = fit_cox(X, y, penalty=2.0, weights=weights)
    least = slow_loss(found, *known)
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = rng.standard_normal(n_features)
        step *= 1e-3 / np.linalg.norm(step)
        # At the minimum a step costs at least the penalty of its length.
        assert slow_loss(found + step, *known) >= least + 0.9e-6
    if n_features == 4:
        expected = minimize(slow_loss, np.zeros(n_features), args=known, tol=1e-10).x
        assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("penalty", [0.1, 20.0])
def test_the_coefficients_are_those_of_scikit_survival(ties, penalty):
    models = pytest.importorskip("sksurv.linear_model")
    X, y = make_survival(80, 12, ties=ties)
    expected = models.CoxPHSurvivalAnalysis(alpha=penalty, tol=1e-12, n_iter=500).fit(X, y).coef_
    assert fit_cox(X, y, penalty=penalty) == pytest.approx(expected, abs=1e-6)


def test_a_weight_of_two_is_a_sample_that_is_there_twice():
    X, y = make_survival(40, 3, 2, ties=True)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = fit_cox(np.repeat(X, counts, axis=0), np.repeat(y, counts), penalty=1.0)
    assert fit_cox(X, y, penalty=1.0, weights=counts) == pytest.approx(repeated, abs=1e-9)


def test_a_turn_of_the_features_turns_the_coefficients():
    X, y = make_survival(30, 50)
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((50, 50)))[0]
    turned = fit_cox(X @ turn, y, penalty=3.0)
    assert turn @ turned == pytest.approx(fit_cox(X, y, penalty=3.0), abs=1e-9)


def test_huge_risks_stay_finite():
    X, y = make_survival(30, 2, 1)
    coefficients = fit_cox(1e4 * X, y, penalty=1e-6)
    assert np.all(np.isfinite(coefficients))


def test_without_features_all_risks_are_equal():
    X, y = make_survival(20, 3, 1)
    model = RidgeCox().fit(X[:, :0], y)
    assert model.predict(X[:, :0]).tolist() == [0.0] * 20


def test_the_penalty_grows_with_the_features():
    X, y = make_survival(60, 6)
    model = RidgeCox(penalty=0.5).fit(X, y)
    assert model.coef_ == pytest.approx(fit_cox(X, y, penalty=3.0))


def test_the_default_predictor_takes_weights():
    X, y = make_survival(60, 6)
    [(name, model)] = default_predictors("survival").items()
    risk = model.fit(X, y, ridgecox__sample_weight=np.ones(60)).predict(X)
    assert name == "cox"
    assert risk == pytest.approx(model.fit(X, y).predict(X))
