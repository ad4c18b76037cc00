"""No feature is taken that correlates with an earlier one by the limit or more."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from perturbfs import RobustSelector
from perturbfs.arrays import as_blocks
from perturbfs.robust import follow_paths, prepare_features

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table():
    """Neighboring features resemble each other: eight smooth curves."""
    rng = np.random.default_rng(0)
    X = np.cumsum(rng.standard_normal((120, 60)), axis=1)
    return X, (X[:, 20] - X[:, 5] > np.median(X[:, 20] - X[:, 5])).astype(int)


def largest_correlations(X, chosen):
    """Return for each selected feature its largest correlation with an earlier one."""
    prepared = prepare_features(as_blocks(X), np.full(len(X), 1 / len(X)))[chosen]
    return np.tril(np.abs(prepared @ prepared.T), k=-1).max(axis=1)


def test_a_worked_case_passes_over_the_copy_and_takes_it_when_nothing_else_is_left():
    # The second feature is a near copy (0.96) of the first; the third is unrelated.
    features = np.array([[1.0, 0, 0, 0], [0.96, 0.28, 0, 0], [0, 0, 1.0, 0]])
    targets = np.array([[1.0], [0], [0], [0]])

    def path(**limits):
        found = follow_paths(features, targets, {1.0: 3}, **limits)[1.0]
        return found.features.tolist(), found.n_apart

    assert path() == ([0, 1, 2], 3)
    assert path(max_correlation=0.95) == ([0, 2], 2)
    assert path(max_correlation=0.95, n_least=3) == ([0, 2, 1], 2)


@pytest.mark.parametrize("nonlinear", [False, True])
@pytest.mark.parametrize("limit", [0.5, 0.8])
def test_the_limit_holds_for_the_path_and_for_the_forest(table, limit, nonlinear):
    X, y = table
    selector = RobustSelector(max_correlation=limit, nonlinear=nonlinear).fit(X, y)
    assert np.all(largest_correlations(X, selector.path_) < limit)
    assert len(selector.path_) == max(each.k for each in selector.candidates_)


@pytest.mark.parametrize("nonlinear", [False, True])
def test_a_number_is_reached_beyond_the_limit_and_the_copies_come_last(table, nonlinear):
    X, y = table
    selector = RobustSelector(30, max_correlation=0.8, nonlinear=nonlinear).fit(X, y)
    found = largest_correlations(X, selector.path_)
    n_apart = int(np.argmax(found >= 0.8))
    assert selector.get_support().sum() == 30
    assert 0 < n_apart < 30
    assert np.all(found[:n_apart] < 0.8)
    near = {int(each) for each in selector.path_[found >= 0.9]}
    assert set(selector.copy_of_) == near
    np.testing.assert_array_equal(
        RobustSelector(12, max_correlation=0.8, nonlinear=nonlinear).fit(X, y).path_,
        selector.path_[:12],
    )


@pytest.mark.parametrize("n_wanted", ["auto", 25])
def test_large_tables_give_the_same_features(table, n_wanted, monkeypatch):
    X, y = table
    selector = RobustSelector(n_wanted, max_correlation=0.7, nonlinear=False)
    expected = selector.fit(X, y).path_
    monkeypatch.setattr("perturbfs.robust._table.LARGE_BYTES", 0)
    monkeypatch.setattr("perturbfs.robust._table.LARGE_SPARSE_BYTES", 0)
    monkeypatch.setattr("perturbfs.robust._table.FEWEST_KEPT", 5)
    monkeypatch.setattr("perturbfs.robust._table.MOST_KEPT", 5)
    for each in (X, csr_array(X)):
        np.testing.assert_array_equal(selector.fit(each, y).path_, expected)


def test_a_smallest_number_is_reached_beyond_the_limit(table):
    selector = RobustSelector(min_features=20, max_features=20, max_correlation=0.5).fit(*table)
    assert selector.get_support().sum() == 20


def test_without_a_limit_only_multiples_are_kept_out(table):
    X, y = table
    path = RobustSelector(20, max_correlation=None).fit(np.column_stack([X, -2 * X]), y).path_
    np.testing.assert_array_equal(path, RobustSelector(20, max_correlation=1.0).fit(X, y).path_)
