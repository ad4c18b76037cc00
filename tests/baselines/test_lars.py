import numpy as np
import pytest
from sklearn.linear_model import lars_path
from sklearn.preprocessing import scale

from perturbfs.baselines import LARSSelector
from perturbfs.baselines._lars import follow_least_angle


@pytest.fixture
def problem():
    random = np.random.default_rng(0)
    features = scale(random.standard_normal((25, 40)))
    target = features[:, 3] - features[:, 8] + random.standard_normal(25)
    return features, target - target.mean()


def join_by_least_angle(features, target):
    """Return the features that join, in order, and their correlations when they do."""
    entry, joins = follow_least_angle(features, target)
    joined = np.argsort(entry)[: joins.sum()]
    return joined, -entry[joined]


def test_orthogonal_features_join_by_their_correlation():
    features = np.array([[1.0, 1, 1, 1], [-1, 1, -1, 1], [1, -1, -1, 1], [-1, -1, 1, 1]])[:, :3]
    joined, correlations = join_by_least_angle(features, features @ [1.0, -3.0, 2.0])
    assert joined.tolist() == [1, 2, 0]
    assert correlations == pytest.approx([12, 8, 4])


def slow_least_angle(features, target, n_steps):
    """Towards least squares on what has joined, until another correlates as much."""
    fit, joined = np.zeros_like(target), []
    for _ in range(n_steps):
        correlation = features.T @ (target - fit)
        others = [j for j in range(features.shape[1]) if j not in joined]
        joined.append(max(others, key=lambda j: abs(correlation[j])))
        largest = abs(correlation[joined[-1]])
        chosen = features[:, joined]
        direction = chosen @ np.linalg.lstsq(chosen, target - fit)[0]
        pull = features.T @ direction
        steps = [1.0]
        for j in set(others) - set(joined):
            for sign in (-1, 1):
                step = (largest + sign * correlation[j]) / (largest + sign * pull[j])
                steps += [step] if step > 0 else []
        fit = fit + min(steps) * direction
    return joined


def test_order_agrees_with_the_obvious_algorithm(problem):
    joined, _ = join_by_least_angle(*problem)
    assert joined[:22].tolist() == slow_least_angle(*problem, 22)


def test_order_is_that_of_scikit_learn_with_more_samples_than_features(problem):
    features, target = problem
    _, active, _ = lars_path(features[:, :12], target, method="lar")
    assert join_by_least_angle(features[:, :12], target)[0].tolist() == active


def test_signs_of_features_do_not_matter(problem):
    features, target = problem
    signs = np.random.default_rng(1).choice([-1, 1], features.shape[1])
    expected, _ = join_by_least_angle(features, target)
    assert np.array_equal(join_by_least_angle(features * signs, target)[0], expected)


def test_one_feature_less_than_samples_joins_and_copies_do_not(problem):
    features, target = problem
    joined, correlations = join_by_least_angle(np.hstack([features, features]), target)
    assert len(joined) == len(target) - 1
    assert len(set(joined % 40)) == len(joined)
    assert np.all(np.diff(correlations) < 0)


def test_indicators_rank_more_features_than_codes():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((20, 100)), np.arange(20) % 3
    codes = LARSSelector().fit(X, y).support_.sum()
    assert codes == 19
    assert LARSSelector(target_coding="indicators").fit(X, y).support_.sum() > codes
