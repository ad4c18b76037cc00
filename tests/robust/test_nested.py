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


def score(rank, sizes):
    [found] = NestedScorer(samples(), SPLITS, panel()).score([rank], sizes)
    return found


SPLITS = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]


def test_order_is_found_in_training_samples_alone():
    seen = []

    def rank(X, y, weights):
        seen.append(X)
        return np.arange(6)

    found = score(rank, [1, 2])
    np.testing.assert_array_equal(seen[0], samples().X[:20])
    np.testing.assert_allclose(found.by_split(2), 1.0)
    assert np.all(found.by_split(1) < 1)


def test_candidates_carry_mean_and_deviation():
    found = score(lambda *_: np.arange(6), [1])
    [candidate] = found.candidates(np.array([4, 2]))
    assert candidate.features.tolist() == [4]
    assert candidate.score == pytest.approx(found.scores.mean())
    assert candidate.standard_error == pytest.approx(found.scores.std(ddof=1) / np.sqrt(2))


def test_a_short_order_is_used_whole():
    found = score(lambda *_: np.array([0]), [1, 5])
    np.testing.assert_array_equal(found.by_split(1), found.by_split(5))


def test_samples_of_weight_zero_take_no_part():
    data = samples()
    data.weights[:10] = 0
    part = data.part(np.arange(20))
    assert len(part.y) == 10


def test_nothing_is_ranked_twice():
    n_calls = []

    def rank(X, y, weights):
        n_calls.append(1)
        return np.arange(6)

    scorer = NestedScorer(samples(), SPLITS, panel())
    [first] = scorer.score([rank], [1])
    [second] = scorer.score([rank], [1, 2])
    assert len(n_calls) == len(SPLITS)
    np.testing.assert_array_equal(first.by_split(1), second.by_split(1))
