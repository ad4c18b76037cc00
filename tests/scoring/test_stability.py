import math

import numpy as np
import pytest

from perturbfs.scoring import stability, stability_interval

pytestmark = pytest.mark.slow


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


def test_the_interval_of_a_case_worked_by_hand():
    # {0, 1} three times and {0, 2} once, of 4: frequencies 1, 3/4, 1/4, 0. Variance
    # 4/3 * (3/16 + 3/16) / 4 = 1/8, chance 1/4: stability 1/2. All sizes are equal, so what is
    # left of the influence is (sum of the chosen frequencies) / 4 / (1/4): 7/4 three times and
    # 5/4 once, mean 13/8; squared differences 3/64 + 9/64; variance 4/16 * 12/64 = 3/64.
    found = stability_interval([[0, 1], [0, 1], [1, 0], [0, 2]], n_features=4)
    half = 1.959964 * math.sqrt(3 / 64)
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.5 - half, 0.5 + half))


def draw_selections(rng, n_runs, n_features=30):
    """Independent sets of differing size; some features are likelier than others."""
    chances = np.linspace(0.9, 0.02, n_features) ** 2
    return [np.flatnonzero(rng.random(n_features) < chances) for _ in range(n_runs)]


def test_the_interval_is_as_wide_as_repetitions_vary():
    # Slow obvious version: the spread of the index over many repetitions of the experiment.
    rng = np.random.default_rng(0)
    found = [stability_interval(draw_selections(rng, 60), 30) for _ in range(400)]
    spread = np.std([each.mean for each in found])
    width = np.mean([each.high - each.low for each in found]) / (2 * 1.959964)
    assert width == pytest.approx(spread, rel=0.12)  # 400 draws know a spread to 3.5 %
    truth = stability(draw_selections(rng, 20_000), 30)
    assert np.mean([each.low < truth < each.high for each in found]) > 0.91


def test_the_interval_is_as_wide_as_the_jackknife_says():
    rng = np.random.default_rng(1)
    sets = draw_selections(rng, 80)
    found = stability_interval(sets, 30)
    without = [stability(sets[:i] + sets[i + 1 :], 30) for i in range(80)]
    error = math.sqrt(79 / 80 * np.sum((without - np.mean(without)) ** 2))
    assert (found.high - found.low) / 2 == pytest.approx(1.959964 * error, rel=0.05)


def test_the_interval_narrows_with_the_level_and_does_not_depend_on_order():
    sets = [[0, 1, 2], [2, 3], [0, 2]]
    wide, narrow = (stability_interval(sets, 9, level=level) for level in (0.95, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    again = stability_interval([[2, 0], [1, 0, 2], [3, 2]], 9)
    assert (again.low, again.high) == pytest.approx((wide.low, wide.high))


def test_equal_sets_have_an_interval_of_no_width():
    found = stability_interval([[1, 5]] * 3, n_features=10)
    assert (found.mean, found.low, found.high) == (1, 1, 1)


@pytest.mark.parametrize("sets", [[], [[1, 2]], [[], []], [[0, 1, 2], [0, 1, 2]]])
def test_the_interval_is_nan_where_nothing_could_differ(sets):
    assert math.isnan(stability_interval(sets, n_features=3).high)
