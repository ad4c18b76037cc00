import numpy as np
import pytest
from sklearn.linear_model import MultiTaskLasso
from sklearn.preprocessing import scale

from perturbfs.baselines import GroupLassoSelector


@pytest.fixture
def problem():
    random = np.random.default_rng(0)
    features = scale(random.standard_normal((40, 120)))
    y = np.argmax(features[:, :3] + 0.5 * random.standard_normal((40, 3)), axis=1)
    indicators = np.eye(3)[y]
    return features, indicators - indicators.mean(axis=0), y


@pytest.mark.parametrize("fraction", [0.7, 0.3])
def test_path_ends_with_the_features_of_a_multi_task_lasso(problem, fraction):
    features, targets, y = problem
    largest = np.linalg.norm(features.T @ targets, axis=1).max() / len(targets)
    slow = MultiTaskLasso(alpha=fraction * largest, tol=1e-8, max_iter=10**5)
    expected = np.flatnonzero(slow.fit(features, targets).coef_.any(axis=0))
    selector = GroupLassoSelector(n_penalties=20, eps=fraction).fit(features, y)
    assert selector.get_support(indices=True).tolist() == expected.tolist()


def test_first_to_enter_has_the_largest_product_with_the_targets(problem):
    features, targets, y = problem
    expected = np.linalg.norm(features.T @ targets, axis=1).argmax()
    assert GroupLassoSelector(1).fit(features, y).get_support(indices=True) == [expected]


def test_order_of_samples_and_of_classes_does_not_matter(problem):
    features, _, y = problem
    expected = GroupLassoSelector(5).fit(features, y).support_
    again = GroupLassoSelector(5).fit(features[::-1], 2 - y[::-1]).support_
    assert np.array_equal(again, expected)
