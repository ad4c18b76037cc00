"""Samples that are in two tables."""

import numpy as np
import pytest

from perturbfs.checks import shared_samples


def draw(n_samples, n_features, seed=0):
    return np.random.default_rng(seed).standard_normal((n_samples, n_features))


def test_equal_rows_are_found_in_any_order():
    values = draw(40, 6)
    second = np.vstack([draw(10, 6, seed=1), values[[7, 3]]])
    assert shared_samples(values, second) == [(3, 11), (7, 10)]


def test_rounding_hides_no_sample():
    values = draw(40, 6)
    assert shared_samples(values, values[:3].round(2)) == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("n_features", [3, 8, 25])
def test_different_samples_are_not_shared(n_features):
    assert shared_samples(draw(60, n_features), draw(60, n_features, seed=1)) == []


def test_coarse_values_make_no_shared_samples():
    coarse = np.sign(draw(60, 4)), np.sign(draw(60, 4, seed=1))
    assert any((coarse[0] == row).all(axis=1).any() for row in coarse[1])
    assert shared_samples(*coarse) == []


def test_two_features_are_too_few_to_tell():
    values = draw(10, 2)
    assert shared_samples(values, values) == []
    assert shared_samples(np.c_[values, np.ones((10, 3))], np.c_[values, np.ones((10, 3))]) == []


def test_repeated_measurements_of_a_patient_are_found_with_many_features():
    values = draw(30, 40)
    repeated = values[:4] + 0.2 * draw(4, 40, seed=2)
    second = np.vstack([draw(20, 40, seed=1), repeated])
    classes = np.repeat(["a", "b"], 15), np.repeat(["a", "b"], 12)
    assert shared_samples(values, second, classes) == [(0, 20), (1, 21), (2, 22), (3, 23)]


def test_a_shift_between_the_tables_makes_no_shared_samples():
    assert shared_samples(draw(30, 40), draw(30, 40, seed=1) + 5) == []
