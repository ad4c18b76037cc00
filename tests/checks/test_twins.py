"""Near-identical samples are found in any unit and order; independent samples are none."""

import numpy as np
import pytest
import scipy.sparse

from perturbfs.checks import describe_twins, twin_sets, twins_once, warn_of_twins
from perturbfs.exceptions import DataWarning


def replicates(noise=0.1, *, n_patients=20, n_each=3, n_features=100, seed=0):
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.standard_normal((n_patients, n_features)), n_each, axis=0)
    return X + noise * rng.standard_normal(X.shape), np.repeat(np.arange(n_patients), n_each)


def as_lists(sets):
    return [each.tolist() for each in sets]


@pytest.mark.parametrize("n_each", [2, 3, 5])
@pytest.mark.parametrize("noise", [0.0, 0.2, 0.5])
def test_the_sets_are_the_patients(noise, n_each):
    X, patients = replicates(noise, n_each=n_each)
    expected = [np.flatnonzero(patients == each).tolist() for each in range(20)]
    assert as_lists(twin_sets(X)) == expected


def test_units_shifts_and_the_order_of_features_do_not_matter():
    X, _ = replicates()
    rng = np.random.default_rng(1)
    other = X[:, rng.permutation(100)] * rng.uniform(0.01, 100, 100) + rng.normal(0, 50, 100)
    assert as_lists(twin_sets(other)) == as_lists(twin_sets(X))


def test_the_order_of_the_samples_does_not_matter():
    X, patients = replicates()
    order = np.random.default_rng(1).permutation(len(X))
    sets = twin_sets(X[order])
    assert len(sets) == 20
    assert all(len(set(patients[order][each])) == 1 for each in sets)


def test_sparse_tables_and_missing_values_give_the_same_sets():
    X, _ = replicates()
    assert as_lists(twin_sets(scipy.sparse.csr_array(X))) == as_lists(twin_sets(X))
    gaps = X.copy()
    gaps[np.random.default_rng(1).random(X.shape) < 0.02] = np.nan
    assert as_lists(twin_sets(gaps)) == as_lists(twin_sets(X))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["independent", "few factors", "skewed", "counts"])
def test_independent_samples_are_no_twins(kind, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 80))
    X = {
        "independent": X,
        "few factors": rng.standard_normal((60, 3)) @ rng.standard_normal((3, 80)) + 0.3 * X,
        "skewed": np.exp(2 * X),
        "counts": rng.poisson(1, X.shape),
    }[kind]
    assert twin_sets(X) == []


def test_a_class_that_differs_clearly_is_no_set_of_twins():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(6), 6)
    X = 5 * rng.standard_normal((6, 100))[y] + rng.standard_normal((36, 100))
    assert len(twin_sets(X)) == 6
    assert twin_sets(X, y) == []


@pytest.mark.parametrize(
    "X",
    [np.zeros((30, 50)), np.ones((30, 50)) * 0.1, np.eye(30), np.full((30, 50), np.nan)],
    ids=["zeros", "constant", "identity", "missing"],
)
def test_tables_without_differences_have_no_twins(X):
    assert twin_sets(X) == []
    assert twin_sets(X, np.arange(30)) == []


def test_too_few_samples_or_features_are_not_compared():
    X, _ = replicates(n_patients=3)
    assert twin_sets(X) == []
    assert twin_sets(replicates(n_features=10)[0]) == []


def test_sets_are_described_by_positions_or_names_and_are_cut():
    sets = [np.array([0, 1]), np.array([2, 3, 4]), np.arange(5, 12)]
    assert describe_twins(sets) == ("0 and 1", "2, 3 and 4", "5, 6, 7 and 4 more")
    assert describe_twins(sets[:1], ["a", "b"]) == ("a and b",)
    assert len(describe_twins(sets * 10)) == 10


def warn(X, *, groups=None, cv=None):
    y = np.arange(len(X)) % 2
    warn_of_twins(X, y, task="classification", groups=groups, cv=cv, stacklevel=2)


@twins_once()
def warn_three_times(X):
    warn(X)
    warn(X)
    with twins_once():
        warn(X)


def test_the_warning_is_given_once_in_a_block_and_not_where_it_was_given():
    X, _ = replicates()
    with pytest.warns(DataWarning, match="60 of 60") as caught:
        warn_three_times(X)
    assert len(caught) == 1
    with twins_once(was_given=True), twins_once():
        warn(X)


def test_groups_and_splitters_of_the_caller_give_no_warning():
    X, patients = replicates()
    warn(X, groups=patients)
    warn(X, cv=[(np.arange(30), np.arange(30, 60))])
