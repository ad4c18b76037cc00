import math

import numpy as np
import pytest

from perturbfs.evaluation import stability


def test_equal_sets_are_fully_stable():
    assert stability([[1, 5, 7]] * 4, n_features=100) == 1


def test_a_case_worked_by_hand():
    # {0, 1} and {1, 2} of 4: frequencies 1/2, 1, 1/2, 0; variance 2 * (1/4 + 1/4) / 4 = 1/4,
    # which is the 1/2 * 1/2 of chance.
    assert stability([[0, 1], [1, 2]], n_features=4) == pytest.approx(0)


def test_disjoint_sets_are_less_alike_than_chance():
    assert stability([[0, 1], [2, 3]], n_features=4) == pytest.approx(-1)


@pytest.mark.parametrize("size", [3, 30])
def test_random_sets_have_no_stability_whatever_their_size(size):
    rng = np.random.default_rng(0)
    sets = [rng.permutation(100)[:size] for _ in range(200)]
    assert stability(sets, n_features=100) == pytest.approx(0, abs=0.01)


def test_order_of_sets_and_features_does_not_matter():
    assert stability([[0, 1, 2], [2, 3]], 9) == stability([[3, 2], [1, 2, 0]], 9)


@pytest.mark.parametrize("sets", [[], [[1, 2]], [[], []], [[0, 1, 2], [0, 1, 2]]])
def test_nothing_that_could_differ_gives_nan(sets):
    assert math.isnan(stability(sets, n_features=3))
