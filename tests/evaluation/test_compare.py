import itertools
import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from perturbfs.evaluation import compare_methods, compare_paired, holm_adjusted
from perturbfs.scoring import corrected_interval


def test_a_case_worked_by_hand():
    # Differences 0.1, 0.2, 0.3: mean 0.2, variance 0.01, standard error sqrt(0.01 (1/3 + 1/4)),
    # t = 2.6186 with 2 degrees of freedom, where P(|T| > t) = 1 - t / sqrt(2 + t^2).
    found = compare_paired([0.6, 0.8, 1.0], [0.5, 0.6, 0.7], test_share=0.25)
    error = math.sqrt(0.01 * (1 / 3 + 1 / 4))
    t = 0.2 / error
    assert found.mean == pytest.approx(0.2)
    assert found.p_value == pytest.approx(1 - t / math.sqrt(2 + t * t))
    assert (found.low, found.high) == pytest.approx(
        (0.2 - 4.3026527 * error, 0.2 + 4.3026527 * error)
    )


def test_splits_that_share_nothing_give_the_plain_paired_test():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0.8, 0.1, 12), rng.normal(0.7, 0.1, 12)
    found, plain = compare_paired(first, second, test_share=0.0), ttest_rel(first, second)
    interval = plain.confidence_interval()
    assert found.p_value == pytest.approx(plain.pvalue, rel=1e-9)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_exchanging_the_methods_turns_the_sign_and_keeps_the_p_value():
    a, b = [0.7, 0.9, 0.8], [0.6, 0.8, 0.9]
    there, back = (compare_paired(*pair, test_share=0.4) for pair in ((a, b), (b, a)))
    assert (back.mean, back.low, back.high) == pytest.approx(
        (-there.mean, -there.high, -there.low)
    )
    assert back.p_value == pytest.approx(there.p_value)


def test_the_interval_holds_no_difference_exactly_when_the_p_value_is_above_five_percent():
    rng = np.random.default_rng(1)
    for _ in range(200):
        found = compare_paired(rng.normal(0.4, 1, 6), rng.normal(size=6), test_share=0.2)
        assert (found.low < 0 < found.high) == (found.p_value > 0.05)


def test_overlapping_splits_of_equal_methods_seldom_differ_but_would_without_the_correction():
    # Slow obvious check: two predictors that differ by noise alone, on random splits of 40 samples
    # whose per-sample differences are drawn anew each time.
    rng = np.random.default_rng(0)
    corrected, naive = [], []
    for _ in range(400):
        per_sample = rng.normal(size=40)
        splits = [per_sample[rng.permutation(40)[:12]].mean() for _ in range(15)]
        zeros = np.zeros(15)
        corrected.append(compare_paired(splits, zeros, test_share=12 / 28).p_value < 0.05)
        naive.append(compare_paired(splits, zeros, test_share=0.0).p_value < 0.05)
    assert np.mean(corrected) < 0.08  # 0.05 plus three standard errors of 400 draws
    assert np.mean(naive) > 0.2


@pytest.mark.parametrize(
    ("first", "second", "p_value"),
    [([0.7], [0.5], 1), ([0.7, 0.7], [0.7, 0.7], 1), ([0.9, 0.7], [0.8, 0.6], 0)],
)
def test_what_cannot_vary_is_certain_or_unknown(first, second, p_value):
    assert compare_paired(first, second, test_share=0.4).p_value == p_value


def test_rounding_is_no_difference():
    first = np.full(5, 0.1 + 0.2)
    assert compare_paired(first, np.full(5, 0.3), test_share=0.4).p_value == 1


@pytest.mark.parametrize("second", [[0.5], [], [[0.5, 0.6]]])
def test_scores_of_other_splits_are_refused(second):
    with pytest.raises(ValueError, match="same splits"):
        compare_paired([0.5, 0.6], second, test_share=0.4)


def test_the_interval_is_that_of_the_differences():
    a, b = np.array([0.7, 0.9, 0.8]), np.array([0.6, 0.8, 0.9])
    found, expected = (
        compare_paired(a, b, test_share=0.4),
        corrected_interval(a - b, test_share=0.4),
    )
    assert (found.mean, found.low, found.high) == (expected.mean, expected.low, expected.high)


def test_holm_by_hand():
    # Sorted 0.01, 0.02, 0.03, 0.5 times 4, 3, 2, 1: 0.04, 0.06, 0.06, 0.5.
    assert holm_adjusted([0.5, 0.01, 0.03, 0.02]).tolist() == [0.5, 0.04, 0.06, 0.06]


def test_holm_rejects_what_the_step_down_procedure_rejects():
    rng = np.random.default_rng(0)
    for _ in range(100):
        p = rng.random(6) ** 4
        rejected = set()
        for step, j in enumerate(np.argsort(p)):
            if p[j] > 0.05 / (6 - step):
                break
            rejected.add(int(j))
        assert set(np.flatnonzero(holm_adjusted(p) <= 0.05)) == rejected


def test_holm_of_no_comparison_is_empty():
    assert holm_adjusted([]).shape == (0,)


def test_groups_by_hand_overlap_where_the_middle_is_like_both_ends():
    # Differences 0.03 with a deviation of 0.06, p = 0.12, between neighbors; 0.06 always between
    # the ends.
    sway = np.tile([0.06, -0.06], 6)
    scores = {"a": np.full(12, 0.9), "b": 0.87 + sway, "c": np.full(12, 0.84)}
    found = compare_methods(scores, test_share=0.0)
    assert found.groups == (("a", "b"), ("b", "c"))
    assert list(found.mean_ranks) == ["a", "b", "c"]
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]


def test_mean_ranks_by_hand_share_ties():
    scores = {"a": [0.9, 0.5], "b": [0.8, 0.5], "c": [0.8, 0.6]}
    # Ranks in the first split 1, 2.5, 2.5, in the second 2.5, 2.5, 1.
    found = compare_methods(scores, test_share=0.4)
    assert found.mean_ranks == {"a": 1.75, "c": 1.75, "b": 2.5}


def test_the_better_of_a_pair_stands_first():
    found = compare_methods({"low": [0.1, 0.2, 0.1], "high": [0.8, 0.8, 0.9]}, test_share=0.1)
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("high", "low")
    assert 0 < pair.difference.low < pair.difference.mean < pair.difference.high


def test_groups_are_the_maximal_sets_that_trying_all_subsets_finds():
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores = {str(j): rng.normal(0.1 * j * rng.random(), 0.1, 8) for j in range(6)}
        found = compare_methods(scores, test_share=0.1)
        apart = {frozenset((p.first, p.second)) for p in found.pairs if p.p_adjusted <= 0.05}
        whole = [
            set(members)
            for size in range(1, 7)
            for members in itertools.combinations(scores, size)
            if not any(frozenset(pair) in apart for pair in itertools.combinations(members, 2))
        ]
        maximal = [each for each in whole if not any(each < other for other in whole)]
        assert sorted(map(sorted, found.groups)) == sorted(map(sorted, maximal))


@pytest.mark.parametrize(("scores", "groups"), [({}, ()), ({"a": [0.5, 0.6]}, (("a",),))])
def test_nothing_to_compare_gives_no_pairs(scores, groups):
    found = compare_methods(scores, test_share=0.4)
    assert (found.pairs, found.groups) == ((), groups)
