import numpy as np
import pytest

from perturbfs.baselines import StabilitySelector
from perturbfs.baselines._stability_selection import draw_halves, first_to_enter
from perturbfs.datasets import make_wide_regression


def test_halves_are_complementary_and_split_each_class_evenly():
    y = np.repeat([0, 1, 2], [9, 4, 6])
    halves = draw_halves(y, task="classification", random_state=np.random.RandomState(0))
    assert sorted(np.concatenate(halves)) == list(range(19))
    counts = [np.bincount(y[half], minlength=3) for half in halves]
    assert np.abs(counts[0] - counts[1]).max() <= 1
    assert abs(len(halves[0]) - len(halves[1])) <= 1


def test_a_feature_that_is_the_outcome_enters_every_time():
    X = np.random.default_rng(0).standard_normal((40, 30))
    selector = StabilitySelector(n_pairs=3, n_entering=2, random_state=0).fit(X, X[:, 4])
    assert selector.scores_[4] == 1
    assert selector.ranking_[4] == 1
    assert selector.scores_.sum() <= 2 + 1e-12


def test_scores_are_shares_of_the_halves_and_the_threshold_selects():
    data = make_wide_regression(60, 100, n_informative=2, n_copies=0, random_state=0)
    selector = StabilitySelector(n_pairs=5, random_state=0).fit(data.X, data.y)
    assert selector.n_entering_ == 8
    assert np.array_equal(selector.support_, selector.scores_ >= 0.6)
    assert selector.scores_[data.informative] == pytest.approx(1)
    assert selector.scores_ * 10 == pytest.approx(np.round(selector.scores_ * 10))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_no_feature_enters_where_the_outcome_does_not_vary(task):
    assert not len(first_to_enter(np.eye(3), np.ones(3), 2, task=task))
