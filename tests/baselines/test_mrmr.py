import numpy as np
import pytest
from rival_helpers import order_of
from sklearn.feature_selection import f_classif, f_regression
from sklearn.metrics import mutual_info_score

from perturbfs.baselines import MRMRSelector

FORMS = [(relevance, scheme) for relevance in ("f", "mi") for scheme in ("quotient", "difference")]


def make_data(seed=0, n_samples=40, n_features=25, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = np.arange(n_samples) % n_classes
    X[:, 4] += y
    X[:, 9] -= 0.7 * y
    return X, y


def codes_by_rank(values, n_bins):
    ordered = np.sort(values)
    edges = [ordered[int(np.ceil(len(values) * b / n_bins)) - 1] for b in range(1, n_bins)]
    return np.array([sum(value > edge for edge in edges) for value in values])


def choose_slowly(X, y, n_chosen, relevance, scheme):
    n_features = X.shape[1]
    if relevance == "f":
        gain = f_classif(X, y)[0]
        shared = np.maximum(np.abs(np.corrcoef(X.T)), 1e-3)
        extra = 0
    else:
        codes = np.array([codes_by_rank(X[:, j], 3) for j in range(n_features)])
        gain = np.array([mutual_info_score(y, each) for each in codes])
        shared = np.array([[mutual_info_score(a, b) for a in codes] for b in codes])
        extra = 0.01
    chosen = [int(np.argmax(gain))]
    while len(chosen) < n_chosen:
        value = np.full(n_features, -np.inf)
        for j in set(range(n_features)) - set(chosen):
            mean = np.mean([shared[j, i] for i in chosen])
            value[j] = gain[j] - mean if scheme == "difference" else gain[j] / (mean + extra)
        chosen.append(int(np.argmax(value)))
    return chosen


@pytest.mark.parametrize(("relevance", "scheme"), FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_is_that_of_a_slow_obvious_version(relevance, scheme, seed):
    X, y = make_data(seed, n_features=16)
    selector = MRMRSelector(12, relevance=relevance, scheme=scheme).fit(X, y)
    assert order_of(selector) == choose_slowly(X, y, 12, relevance, scheme)


def test_a_case_worked_by_hand():
    # Relevances are equal up to sign; the copy of the first is dearer than an orthogonal one.
    first = np.array([1, 1, 1, -1, -1, -1, 1, -1.0])
    other = np.array([1, 1, 1, 1, -1, -1, -1, -1.0])
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    X = np.column_stack([other + first, other + first, other - 0.9 * first])
    assert order_of(MRMRSelector(2).fit(X, y)) == [0, 2]


def test_f_statistics_are_those_of_scikit_learn():
    X, y = make_data()
    ours = MRMRSelector().fit(X, y).scores_
    assert ours == pytest.approx(f_classif(X, y)[0], rel=1e-9)
    quantity = X[:, 0] + y
    ours = MRMRSelector().fit(X, quantity).scores_
    assert ours == pytest.approx(f_regression(X, quantity)[0], rel=1e-9)


def test_f_statistics_are_finite_without_any_error():
    y = np.repeat([0, 1], 5)
    X = np.column_stack([y, np.ones(10)]).astype(float)
    statistics = MRMRSelector().fit(X, y).scores_
    assert np.isfinite(statistics).all()
    assert statistics[0] > 1e10
    assert statistics[1] == 0


def test_mutual_information_is_that_of_scikit_learn_and_zero_for_a_constant():
    X, y = make_data()
    X[:, 1] = 5.0
    ours = MRMRSelector(relevance="mi", n_bins=4).fit(X, y).scores_
    slow = [mutual_info_score(y, codes_by_rank(column, 4)) for column in X.T]
    assert ours == pytest.approx(slow, abs=1e-12)
    assert ours[1] == 0


@pytest.mark.parametrize(("relevance", "scheme"), FORMS)
def test_permuting_and_scaling_features_permutes_the_answer(relevance, scheme):
    X, y = make_data()
    order = np.random.default_rng(1).permutation(X.shape[1])
    plain = MRMRSelector(8, relevance=relevance, scheme=scheme).fit(X, y)
    moved = MRMRSelector(8, relevance=relevance, scheme=scheme).fit(1000 * X[:, order] + 2, y)
    assert order[order_of(moved)].tolist() == order_of(plain)


@pytest.mark.parametrize(("relevance", "scheme"), FORMS)
def test_constant_features_come_last(relevance, scheme):
    X, y = make_data(n_features=12)
    X[:, [0, 5]] = [3.0, 0.1]
    selector = MRMRSelector(12, relevance=relevance, scheme=scheme).fit(X, y)
    assert set(order_of(selector)[-2:]) == {0, 5}


@pytest.mark.parametrize("relevance", ["f", "mi"])
def test_copies_of_features_are_harmless(relevance):
    X, y = make_data()
    selector = MRMRSelector(10, relevance=relevance).fit(np.hstack([X, X]), y)
    assert selector.support_.sum() == 10
    assert order_of(selector)[0] < X.shape[1]


@pytest.mark.parametrize("relevance", ["f", "mi"])
def test_a_quantity_is_an_outcome_too(relevance):
    X, _ = make_data(n_samples=120)
    y = X[:, 3] + X[:, 8]
    assert set(order_of(MRMRSelector(2, relevance=relevance).fit(X, y))) == {3, 8}


def test_wide_data_give_ten_features_by_default_and_as_many_as_asked_for():
    X, y = make_data(n_samples=20, n_features=3000)
    assert MRMRSelector().fit(X, y).support_.sum() == 10
    assert MRMRSelector(33).fit(X, y).support_.sum() == 33
    assert MRMRSelector().fit(X[:, :4], y).support_.sum() == 4
