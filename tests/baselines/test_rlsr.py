import numpy as np
import pytest

from perturbfs.baselines import RLSRSelector


def make_data(seed=0, n_samples=30, n_features=20, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = np.arange(n_samples) % n_classes
    X[:, 4] += 2 * y
    X[:, 9] -= 2 * (y == 1)
    return X, y


def rescale_slowly(X, Y, gamma, n_steps):
    """The same steps by the normal equations of all features."""
    theta = np.full(X.shape[1], 1 / X.shape[1])
    objectives = []
    for _ in range(n_steps):
        W = np.linalg.solve(X.T @ X + gamma * np.diag(1 / theta), X.T @ Y)
        norms = np.sqrt(np.sum(W**2, axis=1))
        objectives.append(np.sum((X @ W - Y) ** 2) + gamma * norms.sum() ** 2)
        theta = norms / norms.sum()
    return theta, objectives


@pytest.mark.parametrize("gamma", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("n_features", [8, 60])
def test_factors_and_objective_are_those_of_a_slow_obvious_version(gamma, n_features):
    X, y = make_data(n_features=max(n_features, 10))
    X, Y = X - X.mean(axis=0), np.eye(3)[y] - 1 / 3
    selector = RLSRSelector(gamma=gamma, max_iter=8, tol=0).fit(X, y)
    theta, objectives = rescale_slowly(X, Y, gamma, 8)
    assert selector.scores_ == pytest.approx(theta, abs=1e-8)
    assert selector.objectives_ == pytest.approx(objectives, rel=1e-8)


def test_one_feature_is_worked_by_hand():
    selector = RLSRSelector(gamma=2.0, max_iter=5).fit([[1.0], [-1.0]], [0.5, -0.5])
    # w = x'y / (x'x + gamma) = 1 / 4, hence 2 (1/2 - 1/4)^2 + 2 (1/4)^2.
    assert selector.objectives_ == pytest.approx([0.25, 0.25])
    assert selector.scores_ == pytest.approx([1.0])


@pytest.mark.parametrize("seed", range(4))
def test_the_objective_never_rises(seed):
    X, y = make_data(seed, n_features=200)
    selector = RLSRSelector(tol=0, max_iter=200).fit(X, y)
    # Rounding of a sum of squares of order 10.
    assert np.all(np.diff(selector.objectives_) <= 1e-12)
    assert selector.scores_.sum() == pytest.approx(1.0)


def test_permuting_features_permutes_the_answer():
    X, y = make_data()
    order = np.random.default_rng(1).permutation(X.shape[1])
    plain, moved = RLSRSelector(5).fit(X, y), RLSRSelector(5).fit(X[:, order], y)
    assert moved.support_.tolist() == plain.support_[order].tolist()


def test_informative_features_come_first():
    X, y = make_data(n_samples=90)
    assert RLSRSelector(2).fit(X, y).get_support(indices=True).tolist() == [4, 9]


def test_constant_features_come_last_and_copies_share_alike():
    X, y = make_data(n_samples=90)
    X = np.hstack([np.full((90, 1), 0.1), X, X[:, [4]]])
    selector = RLSRSelector(3).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [5, 10, 21]
    assert selector.scores_[5] == pytest.approx(selector.scores_[21])
    assert selector.ranking_[0] == X.shape[1]


def test_features_without_any_relation_get_equal_factors():
    selector = RLSRSelector(max_iter=9, tol=0).fit(np.zeros((6, 3)), [0, 0, 1, 1, 2, 2])
    assert selector.scores_ == pytest.approx([1 / 3] * 3)


def test_a_quantity_is_an_outcome_too():
    X, _ = make_data(n_samples=60)
    assert RLSRSelector(2).fit(X, X[:, 3] - X[:, 8]).support_[[3, 8]].all()


def test_wide_data_give_one_feature_less_than_samples_by_default():
    X, y = make_data(n_features=2000)
    assert RLSRSelector().fit(X, y).support_.sum() == 29
    assert RLSRSelector(47).fit(X, y).support_.sum() == 47
    assert RLSRSelector().fit(X[:, :10], y).support_.sum() == 10
