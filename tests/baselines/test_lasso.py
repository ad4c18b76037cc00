import numpy as np
import pytest
from sklearn.linear_model import Lasso

from perturbfs.baselines import LassoSelector
from perturbfs.baselines._preparation import code_targets, standardize
from perturbfs.baselines._ranking import rank_by_entry


def test_orthogonal_features_enter_by_their_correlation():
    X = np.array([[1.0, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]])
    y = X @ [1.5, -3.0, 2.1]
    assert LassoSelector().fit(X, y).ranking_.tolist() == [3, 1, 2]


def test_first_features_are_those_a_lasso_of_that_size_keeps():
    random = np.random.default_rng(0)
    X = random.standard_normal((40, 60))
    y = X[:, 0] - 2 * X[:, 1] + random.standard_normal(40)
    features, target = standardize(X), (y - y.mean()) / y.std()
    kept = np.flatnonzero(Lasso(alpha=0.3, fit_intercept=False).fit(features, target).coef_)
    assert 1 < len(kept) < 10
    assert set(LassoSelector(len(kept)).fit(X, y).get_support(indices=True)) == set(kept)


def test_default_is_what_is_nonzero_at_the_end():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((20, 100)), np.arange(20) % 2
    assert LassoSelector().fit(X, y).support_.sum() == 19


def test_features_that_stay_come_first_only_where_no_number_is_given():
    entry, stays = np.array([0.0, 1.0, np.inf, 2.0]), np.array([False, True, False, True])
    assert rank_by_entry(entry, stays, None).order.tolist() == [1, 3, 0]
    assert rank_by_entry(entry, stays, 2).order.tolist() == [0, 1, 3]


def test_larger_coefficient_comes_first_among_features_that_enter_at_once():
    ranking = rank_by_entry(np.zeros(3), np.ones(3, bool), None, sizes=np.array([1.0, 3.0, 2.0]))
    assert ranking.order.tolist() == [1, 2, 0]


def test_standardized_features_have_mean_zero_and_deviation_one_at_any_size():
    X = np.random.default_rng(0).standard_normal((9, 3)) * [1e-200, 1.0, 1e200] + [0, 5, 0]
    features = standardize(np.column_stack([X, np.full(9, 0.1)]))
    assert features.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert features.std(axis=0) == pytest.approx([1, 1, 1, 0])


def test_classes_are_coded_in_sorted_order():
    codes = code_targets(np.array(["b", "a", "c"]), task="classification", target_coding="codes")
    assert codes[:, 0] == pytest.approx([0, -np.sqrt(1.5), np.sqrt(1.5)])


def test_indicators_of_a_quantity_are_refused():
    with pytest.raises(ValueError, match="needs classes, but y is a quantity"):
        LassoSelector(target_coding="indicators").fit(np.eye(4), [0.1, 0.2, 0.3, 0.5])
