import math

import numpy as np
import pytest

from perturbfs.scoring import corrected_interval, is_clearly_better

pytestmark = pytest.mark.slow


def test_a_case_worked_by_hand():
    # Variance 0.01, n = 3, share 1/4: standard error sqrt(0.01 * (1/3 + 1/4)); t(2) = 4.303.
    found = corrected_interval([0.7, 0.8, 0.9], test_share=0.25)
    half = 4.30265 * math.sqrt(0.01 * (1 / 3 + 1 / 4))
    assert (found.mean, found.low, found.high) == pytest.approx((0.8, 0.8 - half, 0.8 + half))


def test_more_splits_cannot_narrow_the_interval_below_what_the_test_share_allows():
    rng = np.random.default_rng(0)
    scores = rng.normal(0.8, 0.1, size=10_000)
    found = corrected_interval(scores, test_share=0.4)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * 0.1 * math.sqrt(0.4), rel=0.02)


def test_without_correction_the_interval_covers_as_often_as_it_says():
    rng = np.random.default_rng(0)
    hits = [
        (found := corrected_interval(rng.normal(size=8), test_share=0.0)).low < 0 < found.high
        for _ in range(2000)
    ]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.015)


def test_one_split_says_nothing_about_the_spread():
    found = corrected_interval([0.7], test_share=0.4)
    assert (found.mean, found.low, found.high) == (0.7, -math.inf, math.inf)


def test_better_means_by_more_than_one_standard_error():
    ours = np.array([0.7, 0.8, 0.75])
    assert is_clearly_better(ours + np.array([0.1, 0.11, 0.09]), ours, test_share=0.25)
    assert not is_clearly_better(ours + np.array([0.2, -0.15, 0.0]), ours, test_share=0.25)
    assert not is_clearly_better(ours, ours, test_share=0.25)
    assert not is_clearly_better(ours[:1] + 1, ours[:1], test_share=0.25)


def test_a_rival_that_is_not_clearly_worse_is_better_than_minus_one_standard_error():
    ours = np.array([0.7, 0.8, 0.75])
    level, worse = ours + np.array([0.2, -0.25, 0.0]), ours - np.array([0.1, 0.11, 0.09])
    assert is_clearly_better(level, ours, test_share=0.25, n_errors=-1)
    assert not is_clearly_better(level, ours, test_share=0.25, n_errors=0)
    assert not is_clearly_better(worse, ours, test_share=0.25, n_errors=-1)
