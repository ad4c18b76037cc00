"""The verdict on a second cohort."""

import pytest

from perturbfs.results import CohortScores, verdict_on_cohort
from perturbfs.results._holds import comment_on_cohort, conclude
from perturbfs.scoring import Estimate


def make(second, *, p_value=0.001, estimated=(0.88, 0.66, 1.1), **more):
    second = Estimate(*second)
    values = {
        "metric": "balanced_accuracy",
        "estimated": Estimate(*estimated),
        "second": second,
        "guessing": 0.5,
        "p_value": p_value,
        "standardized": second,
        "refit": None,
        "auc": None,
        "correlation": None,
    }
    return CohortScores(**values | more)


@pytest.mark.parametrize(
    ("second", "p_value", "conclusion"),
    [
        ((0.85, 0.74, 0.93), 0.001, "holds"),
        ((0.95, 0.90, 1.0), 0.001, "holds"),
        ((0.70, 0.56, 0.81), 0.02, "partly"),
        ((0.65, 0.40, 0.90), 0.30, "unclear"),
        ((0.55, 0.45, 0.65), 0.30, "fails"),
    ],
)
def test_the_conclusion_follows_from_p_and_interval(second, p_value, conclusion):
    assert conclude(make(second, p_value=p_value)) == conclusion


def test_a_negative_r2_fails_however_good_the_order_is():
    scores = make((-0.8, -1.5, -0.3), estimated=(0.6, 0.5, 0.7), metric="r2", guessing=0.0)
    assert conclude(scores) == "fails"
    assert "R² -0.80 (-1.50 to -0.30) is not clearly better than guessing (0.00)" in (
        verdict_on_cohort(scores, 50)
    )


def test_an_estimate_at_guessing_is_no_reason_for_hope():
    scores = make((0.5, 0.4, 0.6), p_value=0.5, estimated=(0.5, 0.4, 0.6))
    assert conclude(scores) == "fails"


def test_a_lower_score_that_holds_may_be_chance():
    assert "0.88 estimated on the first." in verdict_on_cohort(make((0.87, 0.7, 0.9)), 50)
    said = verdict_on_cohort(make((0.80, 0.7, 0.9)), 50)
    assert said.endswith("0.88 estimated on the first, a difference that may be chance.")


def test_a_part_is_said_with_the_uncertainty_of_the_estimate():
    said = verdict_on_cohort(make((0.70, 0.56, 0.81)), 50)
    assert "better than guessing (0.50), but below the 0.88 (0.66 to 1.00) estimated" in said


def test_an_estimate_of_one_split_has_no_interval():
    scores = make((0.70, 0.56, 0.81), estimated=(0.88, -float("inf"), float("inf")))
    assert "but below the 0.88 estimated on the first" in verdict_on_cohort(scores, 50)


def test_the_comment_says_what_else_predicts():
    good, bad = Estimate(0.85, 0.75, 0.95), Estimate(0.52, 0.4, 0.6)
    low = (0.52, 0.42, 0.62)
    assert "the two cohorts are on different scales" in comment_on_cohort(
        make(low, p_value=0.4, standardized=good, refit=good)
    )
    assert "the features carry over, the trained predictor does not" in comment_on_cohort(
        make(low, p_value=0.4, refit=good)
    )
    assert "do not predict there either" in comment_on_cohort(make(low, p_value=0.4, refit=bad))
    assert comment_on_cohort(make(low, p_value=0.4)) == ""
    assert comment_on_cohort(make((0.88, 0.8, 0.95), standardized=Estimate(0.99, 0.9, 1))) == ""
