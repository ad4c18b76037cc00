import numpy as np
import pytest
from sklearn.preprocessing import minmax_scale

from perturbfs.baselines import ReliefFSelector
from perturbfs.baselines._relieff import to_unit_interval


def slow_relieff(X, y, k):
    classes, counts = np.unique(y, return_counts=True)
    shares = dict(zip(classes, counts / len(y), strict=True))
    scores = np.zeros(X.shape[1])
    for i in range(len(y)):
        for label in classes:
            others = [j for j in range(len(y)) if j != i and y[j] == label]
            others.sort(key=lambda j: sum(abs(X[i] - X[j])))
            near = others[:k]
            for j in near:
                for feature in range(X.shape[1]):
                    change = abs(X[i, feature] - X[j, feature]) / (len(y) * len(near))
                    if label == y[i]:
                        scores[feature] -= change
                    else:
                        scores[feature] += shares[label] / (1 - shares[y[i]]) * change
    return scores


def slow_rrelieff(X, y, k):
    n = len(y)
    y = (y - y.min()) / (y.max() - y.min())
    scores = np.zeros(X.shape[1])
    for feature in range(X.shape[1]):
        n_dc = n_da = n_dcda = 0.0
        for i in range(n):
            others = sorted((j for j in range(n) if j != i), key=lambda j: sum(abs(X[i] - X[j])))
            for j in others[:k]:
                n_dc += abs(y[i] - y[j]) / k
                n_da += abs(X[i, feature] - X[j, feature]) / k
                n_dcda += abs(y[i] - y[j]) * abs(X[i, feature] - X[j, feature]) / k
        scores[feature] = n_dcda / n_dc - (n_da - n_dcda) / (n - n_dc)
    return scores


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("n_neighbors", [1, 3, 50])
def test_relieff_agrees_with_the_obvious_loop(n_classes, n_neighbors):
    random = np.random.default_rng(0)
    X, y = minmax_scale(random.standard_normal((25, 5))), random.integers(n_classes, size=25)
    scores = ReliefFSelector(n_neighbors=n_neighbors).fit(X, y).scores_
    # Sums of 25 terms of size 1: rounding is of the order of 1e-15.
    assert scores == pytest.approx(slow_relieff(X, y, n_neighbors), abs=1e-13)


def test_rrelieff_agrees_with_the_obvious_loop():
    random = np.random.default_rng(0)
    X = minmax_scale(random.standard_normal((20, 4)))
    y = X[:, 0] + 0.1 * random.standard_normal(20)
    scores = ReliefFSelector(n_neighbors=4).fit(X, y).scores_
    assert scores == pytest.approx(slow_rrelieff(X, y, 4), abs=1e-13)
    assert scores.argmax() == 0


def test_scores_of_two_classes_are_those_of_skrebate():
    random = np.random.default_rng(7)
    X = random.standard_normal((30, 6)).round(3)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * random.standard_normal(30) > 0).astype(int)
    # skrebate 0.8.4, ReliefF(n_neighbors=5), printed with 8 decimals.
    expected = [-0.0013537, 0.06405253, 0.11478462, 0.00180615, 0.03967917, -0.00691207]
    scores = ReliefFSelector(n_neighbors=5).fit(X, y).scores_
    assert scores == pytest.approx(expected, abs=1e-8)


def test_two_features_worked_by_hand():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array([0, 0, 1, 1])
    # Hits differ in the second feature only, the nearest misses in the first only.
    assert ReliefFSelector(n_neighbors=1).fit(X, y).scores_.tolist() == [1.0, -1.0]


def test_shifts_and_scales_do_not_matter():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((20, 6)), np.arange(20) % 3
    moved = X * random.uniform(1, 9, 6) + random.standard_normal(6)
    expected = ReliefFSelector().fit(X, y).scores_
    assert ReliefFSelector().fit(moved, y).scores_ == pytest.approx(expected, abs=1e-12)


def test_unit_interval_of_constant_and_of_huge_features():
    scaled = to_unit_interval(np.array([[3.0, -1.5e308], [3.0, 1.5e308]]))
    assert scaled.tolist() == [[0.0, 0.0], [0.0, 1.0]]
