import numpy as np
import pytest
from rival_helpers import order_of
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

from perturbfs.baselines import FSSVMSelector
from perturbfs.baselines._fs_svm import signed_classes, train


def make_data(seed=0, n_samples=40, n_features=25, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = np.arange(n_samples) % n_classes
    X[:, 4] += 2 * (y == 1)
    X[:, 9] -= 2 * (y == 0)
    return X, y


def solve_primal_slowly(X, sign, C, threshold):
    """Weights as differences of nonnegative parts, by a general solver."""
    n_features = X.shape[1]

    def objective(parts):
        w, b = parts[:n_features] - parts[n_features:-1], parts[-1]
        short = np.maximum(0, 1 - sign * (X @ w + b))
        pull = w - 2 * C * X.T @ (sign * short)
        value = 0.5 * (w @ w + b**2) + C * short @ short + threshold * parts[:-1].sum()
        return value, np.r_[pull + threshold, threshold - pull, b - 2 * C * sign @ short]

    bounds = [(0, None)] * (2 * n_features) + [(None, None)]
    options = {"maxiter": 10**4, "maxfun": 10**5, "ftol": 1e-15, "gtol": 1e-10}
    start = np.zeros(2 * n_features + 1)
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return found.x[:n_features] - found.x[n_features:-1]


def test_without_a_threshold_the_weights_are_those_of_linear_svc():
    X, y = make_data()
    signs = signed_classes(y)
    ours = train(X, signs, C=0.5, threshold=0.0, start=np.zeros(signs.shape))[0][:, 0]
    other = LinearSVC(C=0.5, dual=False, tol=1e-10).fit(X, y).coef_[0]
    assert ours == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize("threshold", [1.0, 4.0])
def test_with_a_threshold_the_weights_are_those_of_a_slow_obvious_version(threshold):
    X, y = make_data()
    signs = signed_classes(y)
    ours = train(X, signs, C=0.5, threshold=threshold, start=np.zeros(signs.shape))[0][:, 0]
    slow = solve_primal_slowly(X, signs[:, 0], 0.5, threshold)
    assert ours == pytest.approx(slow, abs=1e-5)
    assert 0 < np.count_nonzero(ours) < X.shape[1]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_wanted", [1, 3, 12, 25])
def test_exactly_as_many_features_have_a_weight_as_asked_for(n_wanted, n_classes):
    X, y = make_data(n_classes=n_classes)
    selector = FSSVMSelector(n_wanted).fit(X, y)
    assert selector.support_.sum() == n_wanted
    assert np.count_nonzero(selector.scores_) == n_wanted
    assert selector.bound_ >= selector.scores_.sum() * (1 - 1e-12)


def test_more_features_than_samples_can_be_asked_for():
    X, y = make_data(n_samples=12, n_features=400)
    assert FSSVMSelector(150).fit(X, y).support_.sum() == 150


def test_two_percent_of_the_features_are_taken_by_default():
    X, y = make_data(n_samples=20, n_features=349)
    assert FSSVMSelector().fit(X, y).support_.sum() == 6
    assert FSSVMSelector().fit(X[:, :10], y).support_.sum() == 1


def test_the_informative_features_come_first_for_two_and_three_classes():
    for n_classes in (2, 3):
        X, y = make_data(n_samples=90, n_classes=n_classes)
        assert set(order_of(FSSVMSelector(2).fit(X, y))) == {4, 9}


def test_permuting_and_scaling_features_permutes_the_answer():
    X, y = make_data()
    order = np.random.default_rng(1).permutation(X.shape[1])
    plain, moved = FSSVMSelector(6).fit(X, y), FSSVMSelector(6).fit(-50 * X[:, order] + 7, y)
    assert order[order_of(moved)].tolist() == order_of(plain)


def test_copies_get_equal_weights_and_the_first_is_taken():
    X, y = make_data()
    selector = FSSVMSelector(1).fit(np.hstack([X, X]), y)
    assert selector.support_.sum() == 1
    assert selector.get_support(indices=True)[0] < X.shape[1]


def test_constant_features_are_not_taken():
    X, y = make_data()
    X[:, [0, 1]] = [0.1, 5.0]
    assert not FSSVMSelector(23).fit(X, y).support_[:2].any()
    with pytest.raises(ValueError, match="ranks only 23 features"):
        FSSVMSelector(24).fit(X, y)


def test_a_quantity_is_refused():
    X, _ = make_data()
    with pytest.raises(ValueError, match="FSSVMSelector is for classification only"):
        FSSVMSelector().fit(X, X[:, 0])
