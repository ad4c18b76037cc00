"""The verdict: one sentence from the planned comparisons."""

import pytest

from perturbfs.results import verdict_sentence


def row(against, difference, p_value):
    return {"against": against, "difference": difference, "p_value": p_value}


def verdict(*rows, score=0.8):
    return verdict_sentence("the selection", "balanced_accuracy", score, rows)


def test_nothing_found_says_no_better_than_guessing():
    assert verdict(row("guessing", 0.03, 0.4), row("all_features", 0.01, 0.9), score=0.53) == (
        "On new samples, the selection predicts no better than guessing (balanced accuracy 0.53 "
        "against 0.50), so do not interpret the selected features."
    )


def test_too_few_splits_to_show_a_large_difference_are_named():
    assert verdict(row("guessing", 0.4, 0.1), score=0.9) == (
        "On new samples, the selection predicts no better than guessing (balanced accuracy 0.90 "
        "against 0.50), as far as so few splits can show: use more splits or samples."
    )


def test_worse_than_guessing_is_no_better_than_guessing():
    assert "no better than guessing" in verdict(row("guessing", -0.2, 0.001))


def test_nothing_found_where_all_features_predict_asks_for_more_features():
    found = verdict(row("guessing", 0.03, 0.4), row("all_features", -0.4, 0.001), score=0.53)
    assert found.endswith("all features do clearly better (0.93 against 0.53): try more features.")


@pytest.mark.parametrize(
    ("difference", "p_value", "said"),
    [
        (0.01, 0.8, " and about as well as all features (0.79)."),
        (-0.02, 0.8, " and about as well as all features (0.82)."),
        (-0.1, 0.2, ", but all features reach 0.90, a difference that may be chance."),
        (-0.18, 0.01, ", but all features do clearly better (0.98 against 0.80): try more"),
        (-0.01, 0.01, ", but all features do slightly better (0.81 against 0.80)."),
        (0.1, 0.01, " and better than all features (0.70)."),
        (0.02, 0.01, " and slightly better than all features (0.78)."),
    ],
)
def test_all_features_are_part_of_the_verdict(difference, p_value, said):
    found = verdict(row("guessing", 0.3, 0.001), row("all_features", difference, p_value))
    assert f"better than guessing (balanced accuracy 0.80 against 0.50){said}" in found


def test_random_features_are_part_of_the_verdict():
    better = verdict(row("guessing", 0.3, 0.001), row("random", 0.2, 0.01))
    assert better.endswith(" and better than as many random features (0.60).")
    equal = verdict(row("guessing", 0.3, 0.001), row("random", 0.01, 0.9))
    assert equal.endswith(", but no better than as many random features (0.79).")
