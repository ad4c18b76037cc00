"""Intervals of the score of a fixed predictor, and the p-value by permutation."""

import numpy as np
import pytest
from scipy.stats import binomtest, fisher_exact
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score

from perturbfs.scoring import (
    auc_interval,
    balanced_accuracy_interval,
    correlation_interval,
    exact_share,
    mean_recall,
    permutation_p_value,
    r2,
    r2_interval,
)


def draw_classes(rng, sizes, recalls):
    """Classes, and predictions that are right with a given probability in each class."""
    y = np.repeat(np.arange(len(sizes)), sizes)
    is_hit = rng.random(len(y)) < np.repeat(recalls, sizes)
    return y, np.where(is_hit, y, (y + 1) % len(sizes))


def test_an_exact_share_is_that_of_the_binomial_test():
    found = exact_share(13, 14)
    exact = binomtest(13, 14).proportion_ci(method="exact")
    assert (found.mean, found.low, found.high) == (13 / 14, exact.low, exact.high)


def test_the_balanced_accuracy_is_that_of_scikit_learn():
    y, predicted = draw_classes(np.random.default_rng(0), (20, 9, 5), (0.9, 0.6, 0.8))
    expected = balanced_accuracy_score(y, predicted)
    assert balanced_accuracy_interval(y, predicted).mean == pytest.approx(expected)


def test_with_one_class_the_interval_is_wilsons():
    y, predicted = np.zeros(10), np.array([0] * 7 + [1] * 3)
    found, wilson = (
        balanced_accuracy_interval(y, predicted),
        binomtest(7, 10).proportion_ci(method="wilson"),
    )
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


def test_perfect_predictions_have_an_interval_that_is_not_a_point():
    y = np.repeat([0, 1], [20, 14])
    found = balanced_accuracy_interval(y, y)
    assert found.mean == found.high == 1.0
    assert 0.8 < found.low < 0.95
    area = auc_interval(y == 1, y.astype(float))
    assert area.mean == area.high == 1.0
    assert 0.8 < area.low < 1.0


@pytest.mark.parametrize("recalls", [(0.9, 0.7), (0.98, 0.95), (0.5, 0.5)])
def test_the_interval_of_the_balanced_accuracy_covers_the_truth_in_about_95_of_100(recalls):
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(400):
        found = balanced_accuracy_interval(*draw_classes(rng, (25, 12), recalls))
        covered += found.low <= np.mean(recalls) <= found.high
    # 400 draws of a probability of 0.95 have a standard deviation of 0.011.
    assert 0.91 <= covered / 400 <= 0.99


def test_the_area_is_that_of_scikit_learn_and_its_interval_covers_the_truth():
    rng = np.random.default_rng(2)
    is_positive = np.repeat([False, True], [30, 20])
    # Two normal distributions that are 1 apart: the area is Phi(1 / sqrt(2)).
    truth, covered = 0.7602, 0
    for _ in range(300):
        decision = rng.standard_normal(50) + is_positive
        found = auc_interval(is_positive, decision)
        covered += found.low <= truth <= found.high
    assert found.mean == pytest.approx(roc_auc_score(is_positive, decision))
    assert 0.91 <= covered / 300 <= 0.99


def test_the_area_of_ties_and_of_a_wrong_order():
    is_positive = np.array([False, True, False, True])
    assert auc_interval(is_positive, np.zeros(4)).mean == 0.5
    found = auc_interval(is_positive, -1.0 * is_positive)
    assert (found.mean, found.low) == (0.0, 0.0)
    assert 0.0 < found.high < 1.0


def test_the_interval_of_r2_holds_the_score_and_repeats_with_its_seed():
    rng = np.random.default_rng(3)
    y = rng.standard_normal(60)
    predicted = y + 0.5 * rng.standard_normal(60)
    found = r2_interval(y, predicted)
    assert found.mean == pytest.approx(r2_score(y, predicted))
    assert found.low < found.mean < found.high
    assert found == r2_interval(y, predicted)
    assert found != r2_interval(y, predicted, random_state=1)


def test_the_interval_of_r2_of_two_samples_skips_resamples_without_variance():
    assert r2_interval(np.array([0.0, 1.0]), np.array([0.0, 1.0])).low == 1.0


def test_the_correlation_has_the_interval_of_fishers_z():
    y = np.arange(28.0)
    predicted = y + 10 * np.random.default_rng(0).standard_normal(28)
    found = correlation_interval(y, predicted)
    assert found.mean == pytest.approx(np.corrcoef(y, predicted)[0, 1])
    half = 1.959964 / 5
    assert np.arctanh([found.low, found.high]) == pytest.approx(
        np.arctanh(found.mean) + np.array([-half, half]), rel=1e-5
    )
    assert correlation_interval(y, np.ones(28)) is None
    assert correlation_interval(y, 2 * y).low == 1.0


def test_the_p_value_of_two_classes_is_that_of_fishers_exact_test():
    y, predicted = np.repeat([0, 1], [14, 9]), np.repeat([0, 1, 0, 1], [9, 5, 3, 6])
    exact = fisher_exact([[9, 5], [3, 6]], alternative="greater").pvalue
    found = permutation_p_value(lambda order: mean_recall(order, predicted), y)
    # 1999 permutations of a probability near 0.15 have a standard deviation of 0.008.
    assert found == pytest.approx(exact, abs=0.025)


def test_the_least_p_value_is_one_in_two_thousand():
    y = np.arange(12.0)
    assert permutation_p_value(lambda order: r2(order, y), y) == 1 / 2000
    assert permutation_p_value(lambda order: r2(order, -y), y) == 1.0
