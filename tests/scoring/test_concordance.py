"""Harrell's concordance counts the pairs that its definition names."""

import numpy as np
import pytest
from made_survival import make_survival

from perturbfs.arrays import survival_outcome
from perturbfs.scoring import _concordance, concordance


def slow_concordance(y, risk, weights):
    """The definition, one pair after the other."""
    hits = pairs = 0.0
    for (event, time), mine, weight in zip(y.tolist(), risk, weights, strict=True):
        for (other_event, other_time), other, also in zip(y.tolist(), risk, weights, strict=True):
            if event and (time < other_time or (time == other_time and not other_event)):
                pairs += weight * also
                hits += weight * also * (1.0 if mine > other else 0.5 if mine == other else 0.0)
    return hits / pairs


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_share_of_the_definition(ties, weighted, monkeypatch):
    monkeypatch.setattr(_concordance, "MOST_PAIRS", 500)  # several pieces
    X, y = make_survival(50, 3, 2, ties=ties)
    rng = np.random.default_rng(1)
    weights = rng.uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    for risk in (X[:, 0], np.round(X[:, 0]), rng.standard_normal(len(y))):
        expected = slow_concordance(y, risk, weights)
        assert concordance(y, risk, weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("ties", [False, True])
def test_it_agrees_with_scikit_survival(ties):
    metrics = pytest.importorskip("sksurv.metrics")
    X, y = make_survival(ties=ties)
    for risk in (X[:, 0], np.round(X[:, 0], 1)):
        expected = metrics.concordance_index_censored(y["event"], y["time"], risk)[0]
        assert concordance(y, risk) == pytest.approx(expected, abs=1e-12)


def test_a_perfect_order_is_1_its_reverse_0_and_equal_risks_are_a_half():
    _, y = make_survival(30, 3, 1)
    assert concordance(y, -y["time"]) == 1
    assert concordance(y, y["time"]) == 0
    assert concordance(y, np.zeros(len(y))) == 0.5


def test_samples_that_cannot_be_compared_give_a_half():
    y = survival_outcome([False, True], [1.0, 2.0])
    assert concordance(y, np.array([1.0, 0.0])) == 0.5
