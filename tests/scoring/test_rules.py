import numpy as np
import pytest

from perturbfs.scoring import Candidate, choose, measure


def candidate(n_features, score, standard_error=0.0):
    return Candidate(n_features, np.arange(n_features), score, 0.0, standard_error)


CANDIDATES = [
    candidate(2, 0.80),
    candidate(5, 0.90),
    candidate(9, 0.94, 0.05),
    candidate(12, 0.94),
]


@pytest.mark.parametrize(("rule", "k"), [("accuracy", 9), ("measure", 2), ("one_se", 5)])
def test_each_rule_takes_its_candidate(rule, k):
    assert choose(CANDIDATES, rule=rule).k == k


@pytest.mark.parametrize("rule", ["accuracy", "measure", "one_se"])
def test_the_order_of_candidates_does_not_matter(rule):
    assert choose(CANDIDATES[::-1], rule=rule).k == choose(CANDIDATES, rule=rule).k


def test_measure_is_percent_per_feature():
    # The paper's table: 91.58 percent with 29.8 features is 3.07 per feature.
    assert measure(0.9158, 29.8) == pytest.approx(3.073, abs=1e-3)


@pytest.mark.parametrize("score", [-0.5, 0.5])
def test_fewer_features_are_better_whatever_the_sign_of_the_score(score):
    assert measure(score, 3) > measure(score, 4)
    assert measure(score + 0.1, 3) > measure(score, 3)
