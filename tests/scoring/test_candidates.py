import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from perturbfs.scoring import (
    Candidate,
    Judge,
    choose,
    measure,
    resolve_scorer,
    score_candidates,
)


class CountingTree(DecisionTreeClassifier):
    n_fits = 0

    def fit(self, X, y, sample_weight=None, check_input=True):
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight, check_input)


@pytest.fixture
def setting():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 6)), rng.integers(0, 2, 40)
    splits = list(StratifiedKFold(4).split(X, y))
    tree = CountingTree(random_state=0)
    CountingTree.n_fits = 0
    return X, Judge(
        tree, resolve_scorer("accuracy", tree, task="classification"), y, splits, {}, {}
    )


def test_scores_are_those_of_cross_validation(setting):
    X, judge = setting
    known = np.array([0, 2, 5])
    [found] = score_candidates([Candidate(2, np.array([2, 5]))], known, X[:, known], judge)
    expected = cross_val_score(judge.estimator, X[:, [2, 5]], judge.y, cv=judge.splits)
    assert found.score == pytest.approx(expected.mean())
    assert found.deviation == pytest.approx(expected.std(ddof=1))
    assert found.standard_error == pytest.approx(expected.std(ddof=1) / 2)


def test_equal_subsets_are_scored_once(setting):
    X, judge = setting
    candidates = [Candidate(k, np.array([0, 1])) for k in (2, 3, 4)]
    found = score_candidates(candidates, np.array([0, 1]), X[:, :2], judge)
    assert CountingTree.n_fits == len(judge.splits)
    assert [each.k for each in found] == [2, 3, 4]
    assert len({each.score for each in found}) == 1


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
