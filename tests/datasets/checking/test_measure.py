"""Measures of features agree with slow versions, for dense and sparse tables and with gaps."""

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse

from perturbfs.datasets.checking._batches import explained_share, find_break
from perturbfs.datasets.checking._measure import chance_to_tell, measure_features


def made(seed=0, *, n_samples=24, n_classes=3):
    """Return features of which many are copies, separate the classes, or nearly do so."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n_samples) % n_classes)
    columns = [rng.standard_normal(n_samples), np.arange(n_samples), np.zeros(n_samples)]
    for order in (rng.permutation(n_classes), np.zeros(n_classes), np.arange(n_classes) % 2):
        columns += [order[codes], order[codes] + rng.uniform(0, 0.9, n_samples)]
        near = order[codes].astype(float)
        near[rng.integers(n_samples)] += 1
        columns.append(near)
    return np.column_stack(columns).astype(float), codes


def is_copy(column, codes):
    values = [set(column[codes == code].tolist()) for code in np.unique(codes)]
    return all(len(each) == 1 for each in values) and len(set.union(*values)) > 1


def is_separate(column, codes):
    parts = [column[codes == code] for code in np.unique(codes)]
    ranges = sorted((part.min(), part.max()) for part in parts)
    return all(first[1] < second[0] for first, second in pairwise(ranges))


@pytest.mark.parametrize("as_table", [np.asarray, scipy.sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_copies_and_thresholds_are_those_of_a_slow_version(as_table, n_classes, seed):
    X, codes = made(seed, n_classes=n_classes)
    found = measure_features(as_table(X), codes, None)
    assert found.has_copies.tolist() == [is_copy(column, codes) for column in X.T]
    assert found.has_thresholds.tolist() == [is_separate(column, codes) for column in X.T]
    assert found.is_whole.tolist() == [np.all(column == np.round(column)) for column in X.T]
    assert found.is_ordered.tolist() == [place == 1 for place in range(X.shape[1])]


def test_a_feature_with_the_order_of_a_quantity_is_found_in_any_unit():
    y = np.random.default_rng(0).uniform(1, 9, 30)
    X = np.column_stack([np.exp(y), -(y**3), np.round(y), 2 * y + 1, np.cos(9 * y)])
    found = measure_features(X, None, y)
    assert found.has_thresholds.tolist() == [True, True, True, True, False]
    assert found.has_copies.tolist() == [False, False, False, True, False]


def test_missing_values_are_no_values():
    X, codes = made()
    X[3, 3] = np.nan
    X[codes == 1, 0] = np.nan
    X[:, 2] = np.nan
    found = measure_features(X, codes, None)
    assert found.n_missing[[3, 0, 2]].tolist() == [1, 8, 24]
    assert found.is_known_by_class.tolist() == [True] + [False] * (X.shape[1] - 1)
    assert not found.has_copies[3]
    assert not found.is_whole[2]


def test_values_that_overflow_when_squared_are_measured():
    X, codes = made()
    found = measure_features(1e300 * X, codes, None)
    assert found.has_copies.tolist() == measure_features(X, codes, None).has_copies.tolist()


def test_the_usual_value_is_counted_exactly():
    X = np.zeros((100, 3))
    X[:4, 1], X[:50, 2] = 7, np.arange(50)
    found = measure_features(X, None, None)
    assert found.usual_share[:2].tolist() == [1.0, 0.96]
    assert found.usual_share[2] <= 0.51


def test_the_chance_to_separate_two_classes_is_counted():
    codes = np.repeat([0, 1], [3, 4])
    expected = 2 / math.comb(7, 3)
    assert chance_to_tell(codes, 10) == pytest.approx(10 * expected, rel=1e-12)


def test_a_break_is_where_many_features_jump_and_nowhere_else():
    values = np.random.default_rng(0).standard_normal((60, 200))
    assert find_break(values) is None
    values[38:] += np.random.default_rng(1).normal(0, 4, 200)
    values -= values.mean(axis=0)
    n_first, share = find_break(values / values.std(axis=0))
    assert n_first == 38
    assert share > 0.5


def test_a_grouping_explains_features_that_differ_between_its_groups():
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 3
    values = rng.standard_normal((60, 100))
    assert explained_share(values, codes) == 0
    values[:, :40] += 3 * rng.permutation(3)[codes][:, None]
    values -= values.mean(axis=0)
    assert explained_share(values / values.std(axis=0), codes) == pytest.approx(0.4)
