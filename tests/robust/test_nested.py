from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import check_scoring

from perturbfs.robust import NestedScorer
from perturbfs.scoring import Panel, Samples


def panel(score=None):
    model = LinearRegression()
    return Panel({"linear": model}, {"linear": score or check_scoring(model, "r2")})


def samples():
    X = np.random.default_rng(0).standard_normal((40, 6))
    return Samples(X, X[:, 0] + 0.5 * X[:, 1], np.ones(40))


def scorer(**data):
    return NestedScorer(replace(samples(), **data), SPLITS, panel(), task="regression")


SPLITS = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]
ORDERS = [np.arange(6), np.arange(6)]


def test_an_order_is_scored_on_the_test_samples_by_its_first_features():
    found = scorer().score(ORDERS, [1, 2])
    np.testing.assert_allclose(found.by_split(2), 1.0)
    assert np.all(found.by_split(1) < 1)
    data = samples()
    model = LinearRegression().fit(data.X[:20, :1], data.y[:20])
    assert found.by_split(1)[0] == pytest.approx(model.score(data.X[20:, :1], data.y[20:]))


def test_each_split_has_its_own_order():
    found = scorer().score([np.array([0, 1]), np.array([5, 4])], [2])
    assert found.by_split(2)[0] == pytest.approx(1.0)
    assert found.by_split(2)[1] < 0.5


def test_fewer_orders_than_splits_score_the_first_splits():
    assert scorer().score(ORDERS[:1], [1, 2]).scores.shape == (1, 1, 2)


def test_candidates_carry_mean_and_deviation():
    found = scorer().score(ORDERS, [1])
    [candidate] = found.candidates(np.array([4, 2]))
    assert candidate.features.tolist() == [4]
    assert candidate.score == pytest.approx(found.scores.mean())
    assert candidate.standard_error == pytest.approx(found.scores.std(ddof=1) / np.sqrt(2))


def test_a_short_order_is_used_whole():
    found = scorer().score([np.array([0])] * 2, [1, 5])
    np.testing.assert_array_equal(found.by_split(1), found.by_split(5))


def test_samples_of_weight_zero_take_no_part():
    weights = np.ones(40)
    weights[:10] = 0
    data = samples()
    hidden = data.X.copy()
    hidden[:10] = 1e6
    found = scorer(weights=weights).score(ORDERS, [1])
    np.testing.assert_array_equal(
        found.scores, scorer(weights=weights, X=hidden).score(ORDERS, [1]).scores
    )
    model = LinearRegression().fit(data.X[10:20, :1], data.y[10:20])
    assert found.by_split(1)[0] == pytest.approx(model.score(data.X[20:, :1], data.y[20:]))


def test_nothing_is_scored_twice():
    n_scored = []

    def counted(model, X, y):
        n_scored.append(X.shape[1])
        return model.score(X, y)

    nested = NestedScorer(samples(), SPLITS, panel(counted), task="regression")
    first = nested.score(ORDERS, [1])
    second = nested.score(ORDERS, [1, 2])
    assert n_scored == [1, 1, 2, 2]
    np.testing.assert_array_equal(first.by_split(1), second.by_split(1))
