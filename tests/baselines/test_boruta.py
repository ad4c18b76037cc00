import numpy as np

from perturbfs.baselines import BorutaSelector
from perturbfs.baselines._boruta import draw_shadows, judge
from perturbfs.datasets import make_wide_classification


def test_verdict_follows_the_binomial_test():
    # 10 of 10 by tossing a coin has probability 1/1024, and so has 0 of 10.
    assert judge(np.array([10, 5, 0]), 10, alpha=1 / 1000).tolist() == [0, 1, 2]
    assert judge(np.array([10, 5, 0]), 10, alpha=1 / 1100).tolist() == [1, 1, 1]


def test_shadows_hold_the_values_of_their_feature_and_are_five_at_least():
    features = np.arange(14.0).reshape(7, 2)
    shadows = draw_shadows(features, np.random.RandomState(0))
    assert shadows.shape == (7, 6)
    assert np.array_equal(np.sort(shadows, axis=0), np.tile(features, (1, 3)))
    assert not np.array_equal(shadows, np.tile(features, (1, 3)))


def test_confirmed_features_are_selected_and_carry_signal():
    data = make_wide_classification(80, 60, n_informative=2, random_state=0)
    selector = BorutaSelector(n_estimators=30, max_iter=25, random_state=0).fit(data.X, data.y)
    is_confirmed = selector.verdict_ == "confirmed"
    assert np.array_equal(selector.support_, is_confirmed)
    assert is_confirmed.sum() >= 5
    assert (data.groups[is_confirmed] >= 0).all()
    assert (selector.verdict_[data.groups < 0] == "rejected").mean() > 0.5
    assert selector.hits_.max() <= selector.n_iter_ <= 25


def test_nothing_is_confirmed_in_noise():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((50, 30)), np.arange(50) % 2
    selector = BorutaSelector(n_estimators=10, max_iter=15, random_state=0).fit(X, y)
    assert not np.any(selector.verdict_ == "confirmed")
    assert selector.support_.any()


def test_constant_features_are_rejected():
    X = np.column_stack([np.ones(20), np.arange(20.0)])
    selector = BorutaSelector(n_estimators=10, max_iter=10, random_state=0)
    assert selector.fit(X, np.arange(20) > 9).verdict_.tolist() == ["rejected", "confirmed"]
