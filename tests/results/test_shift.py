"""Features that differ between two cohorts, and the units that explain it."""

import numpy as np
import pytest
from scipy.stats import chi2, ks_2samp

from perturbfs.results import comparable_samples, compare_features
from perturbfs.results._rescale import advise_units

NAMES = [f"g{place}" for place in range(6)]


def draw(n_first=60, n_second=60, *, share=0.5, seed=0):
    """Two cohorts in which every feature is higher in one class."""
    rng = np.random.default_rng(seed)
    cohorts = []
    for n_samples, ill in ((n_first, 0.5), (n_second, share)):
        y = np.where(np.arange(n_samples) < ill * n_samples, "ill", "well")
        cohorts.append((rng.standard_normal((n_samples, 6)) + 3 * (y == "ill")[:, None], y))
    return cohorts


def compare(first, second, task="classification"):
    strata = comparable_samples(first[1], second[1], task=task)
    return compare_features(first[0], second[0], strata, NAMES)


def advise(first, second):
    strata = comparable_samples(first[1], second[1], task="classification")
    shifts = compare_features(first[0], second[0], strata, NAMES)
    return advise_units(first[0], second[0], strata, shifts)


def test_another_mix_of_classes_alone_is_no_shift():
    first, second = draw(n_second=100, share=0.1)
    assert ks_2samp(first[0][:, 0], second[0][:, 0]).pvalue < 1e-3
    assert not any(each.is_shifted for each in compare(first, second))


def test_other_values_of_a_quantity_alone_are_no_shift_but_a_shift_is_found():
    cohorts = draw_quantities(0)
    assert not any(each.is_shifted for each in compare(*cohorts, task="regression"))
    moved = cohorts[1][0] + np.array([1.0, 0, 0, 0, 0, 0])
    found = compare(cohorts[0], (moved, cohorts[1][1]), task="regression")
    assert [each.is_shifted for each in found] == [True] + 5 * [False]
    assert found[0].mean_difference == pytest.approx(1 / 0.3, rel=0.3)


def test_a_shifted_feature_is_named_with_its_size():
    first, second = draw()
    found = compare(first, (second[0] + [0, 1.5, 0, 0, 0, 0], second[1]))
    assert [each.name for each in found if each.is_shifted] == ["g1"]
    assert found[1].mean_difference == pytest.approx(1.5, abs=0.4)


def test_a_wider_feature_is_found_by_its_ratio():
    first, second = draw(200, 200)
    wider = second[0].copy()
    wider[:, 2] = 3 * (wider[:, 2] - 3 * (second[1] == "ill")) + 3 * (second[1] == "ill")
    found = compare(first, (wider, second[1]))
    assert found[2].is_shifted
    assert found[2].p_adjusted < 1e-6
    assert found[2].sd_ratio == pytest.approx(3, rel=0.15)


def test_p_values_of_the_classes_are_combined_by_fishers_method():
    first, second = draw(30, 24)
    tests = [
        ks_2samp(*(X[y == label, 0] for X, y in (first, second)), method="exact").pvalue
        for label in ("ill", "well")
    ]
    assert compare(first, second)[0].p_value == pytest.approx(
        chi2.sf(-2 * np.log(tests).sum(), 4), rel=1e-9
    )


def draw_quantities(seed):
    """Two cohorts with quantities that overlap in part, on which all features depend."""
    rng = np.random.default_rng(seed)
    quantities = rng.standard_normal(80), 2 + rng.standard_normal(80)
    return [(y[:, None] + 0.3 * rng.standard_normal((80, 6)), y) for y in quantities]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_at_most_one_feature_in_twenty_has_a_p_value_below_a_twentieth(task):
    n_small = 0
    for seed in range(30):
        is_quantity = task == "regression"
        cohorts = draw_quantities(seed) if is_quantity else draw(40, 40, seed=seed)
        n_small += sum(each.p_value <= 0.05 for each in compare(*cohorts, task=task))
    # Of 180. A probability of 0.05 gives 9 with a standard deviation of 3; exact tests of few
    # samples are below it.
    assert n_small <= 15


def test_a_tiny_difference_of_very_many_samples_is_no_shift():
    first, second = draw(20_000, 20_000)
    found = compare(first, (second[0] + 0.1, second[1]))
    assert max(each.p_adjusted for each in found) < 0.01
    assert not any(each.is_shifted for each in found)


def test_classes_of_one_cohort_only_are_not_compared():
    first, second = draw(20, 20)
    other = np.where(second[1] == "ill", "ill", "other")
    strata = comparable_samples(first[1], other, task="classification")
    assert [len(rows) for rows in strata.first] == [10]
    assert compare(first, (second[0], np.full(20, "other"))) == ()


def test_features_that_never_vary_have_no_moments():
    y = np.repeat(["ill", "well"], 5)
    [found] = compare_features(
        np.ones((10, 1)), np.ones((10, 1)), comparable_samples(y, y, task="classification"), ["g"]
    )
    assert (found.p_value, found.mean_difference, found.sd_ratio) == (1.0, None, None)


def test_a_common_factor_is_named():
    first, second = draw()
    advice = advise((first[0] + 20, first[1]), (2.5 * (second[0] + 20), second[1]))
    assert "all about 2.51 times" in advice


def test_a_common_offset_is_named():
    first, second = draw()
    advice = advise(first, (second[0] - 4, second[1]))
    assert "all lower by about 3.95" in advice


def test_logarithms_are_named_with_their_base():
    first, second = draw()
    raw = 2.0 ** (first[0] + 6) - 1
    assert "log2(value + 1) of the first cohort" in advise(
        (raw, first[1]), (second[0] + 6, second[1])
    )
    raw = 10.0 ** (second[0] / 4 + 3) - 1
    assert "log10(value + 1) of the second cohort" in advise(
        (first[0] / 4 + 3, first[1]), (raw, second[1])
    )


def test_shifts_in_all_directions_have_no_common_unit():
    first, second = draw()
    moved = second[0] + np.array([5, -5, 4, -4, 3, -3])
    assert advise(first, (moved, second[1])) is None
    assert advise(first, second) is None
