import numpy as np
import pytest
from scipy.stats import f_oneway, linregress

from perturbfs.baselines import AnovaSelector


@pytest.fixture
def table():
    random = np.random.default_rng(0)
    y = np.arange(30) % 3
    return random.standard_normal((30, 20)) + 2 * np.outer(y, np.arange(20) < 3) + 1e6, y


def test_scores_are_those_of_scipy(table):
    X, y = table
    selector = AnovaSelector().fit(X, y)
    for j in range(20):
        expected = f_oneway(*(X[y == c, j] for c in range(3)))
        # The offset of a million costs both six digits and more.
        assert selector.scores_[j] == pytest.approx(expected.statistic, rel=1e-6)
        assert selector.pvalues_[j] == pytest.approx(expected.pvalue, rel=1e-6)


def test_quantity_is_tested_by_correlation(table):
    X, _ = table
    y = X[:, 5] + 0.5 * X[:, 6]
    selector = AnovaSelector().fit(X, y)
    assert selector.pvalues_[7] == pytest.approx(linregress(X[:, 7], y).pvalue, rel=1e-6)
    assert selector.ranking_[5] == 1


def test_default_number_is_that_of_benjamini_and_hochberg(table):
    X, y = table
    selector = AnovaSelector(alpha=0.1).fit(X, y)
    pvalues = np.sort(selector.pvalues_)
    largest = max(k for k in range(20) if pvalues[k] <= 0.1 * (k + 1) / 20)
    assert np.array_equal(selector.support_, selector.pvalues_ <= pvalues[largest])
    assert selector.support_.sum() == largest + 1 >= 3


def test_one_feature_is_selected_where_none_is_significant():
    random = np.random.default_rng(0)
    X, y = random.standard_normal((30, 5)), np.arange(30) % 3
    selector = AnovaSelector(alpha=1e-6).fit(X, y)
    assert selector.pvalues_.min() > 1e-6
    assert selector.support_.sum() == 1


def test_feature_that_separates_without_spread_comes_first():
    y = np.arange(12) % 2
    X = np.column_stack([np.random.default_rng(0).standard_normal((12, 3)), y])
    assert AnovaSelector().fit(X, y).ranking_[3] == 1


def test_as_many_classes_as_samples_are_refused():
    with pytest.raises(ValueError, match="y has 4 classes for 4 samples"):
        AnovaSelector().fit(np.eye(4), ["a", "b", "c", "d"])
