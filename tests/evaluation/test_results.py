import math

import numpy as np
import pytest

from perturbfs.evaluation import Evaluation, Refusal, Score
from perturbfs.scoring import corrected_interval, stability

SETS = [[0, 1, 2], [0, 1, 2], [0, 1, 3], [0, 4, 5]]


def make_evaluation(scores, refusals=(), n_features_in=20, **changes):
    """An evaluation from scores by (method, size): one row a predictor, one entry a split."""
    rows, selections = [], {}
    for (method, size), by_predictor in scores.items():
        if size != "all":
            selections[method, size] = SETS
        rows += [
            Score(method, size, 3, predictor, split, score, 0.5)
            for predictor, values in by_predictor.items()
            for split, score in enumerate(values)
        ]
    options = {"metric": "balanced_accuracy", "test_share": 0.4, **changes}
    return Evaluation(
        tuple(rows), selections, n_features_in=n_features_in, refusals=tuple(refusals), **options
    )


SCORES = {
    ("good", 5): {"tree": [0.9, 0.8, 0.9, 0.8], "svm": [0.9, 0.9, 0.9, 0.9]},
    ("good", 10): {"tree": [0.7, 0.8, 0.7, 0.8], "svm": [0.9, 0.9, 0.9, 0.9]},
    ("bad", 5): {"tree": [0.3, 0.2, 0.3, 0.2], "svm": [0.3, 0.3, 0.3, 0.3]},
    ("bad", 10): {"tree": [0.4, 0.3, 0.4, 0.3], "svm": [0.3, 0.3, 0.3, 0.3]},
    ("all features", "all"): {"tree": [0.8, 0.9, 0.9, 0.7], "svm": [0.9, 0.9, 0.8, 0.9]},
    ("guessing", "all"): {"dummy": [0.5, 0.5, 0.5, 0.5]},
}


def test_an_estimate_is_the_mean_over_predictors_then_splits():
    found = make_evaluation(SCORES)
    expected = corrected_interval([0.9, 0.85, 0.9, 0.85], test_share=0.4)
    estimate = found.estimate("good", 5)
    assert (estimate.mean, estimate.low) == pytest.approx((expected.mean, expected.low))
    assert found.estimate("good", 5, "svm").mean == pytest.approx(0.9)
    assert (found.methods, found.sizes) == (["good", "bad"], [5, 10])


def test_the_summary_is_plain_and_in_the_order_asked():
    rows = make_evaluation(SCORES).summary()
    assert [(row["method"], row["requested"]) for row in rows] == list(SCORES)
    first = rows[0]
    assert first["mean"] == pytest.approx(0.875)
    assert first["by_predictor"] == pytest.approx({"tree": 0.85, "svm": 0.9})
    assert (first["n_features"], first["seconds"], first["refusal"]) == (3, 0.5, None)
    expected = stability(SETS, 20)
    assert first["stability"] == pytest.approx(expected)
    assert first["stability_low"] < first["stability"] < first["stability_high"]
    assert rows[-1]["stability"] is None


def test_the_summary_of_a_refusal_has_its_reason_and_no_numbers():
    refusals = [Refusal("bad", 5, 2, "Too many."), Refusal("bad", 5, 3, "Still too many.")]
    row = make_evaluation(SCORES, refusals).summary()[2]
    assert row["refusal"] == "Too many."
    assert row["mean"] is row["low"] is row["stability"] is None
    assert row["by_predictor"] == {}


def test_one_split_has_no_interval_in_the_summary():
    scores = {key: {"tree": [0.7]} for key in SCORES}
    row = make_evaluation(scores).summary()[0]
    assert (row["mean"], row["low"], row["high"]) == (0.7, None, None)


def test_methods_are_compared_at_one_size():
    found = make_evaluation(SCORES).compare(5)
    assert list(found.mean_ranks)[-1] == "bad"
    assert set(found.mean_ranks) == {"good", "bad", "all features"}
    assert found.groups == (("good", "all features"), ("bad",))
    apart = {(pair.first, pair.second) for pair in found.pairs if pair.p_adjusted <= 0.05}
    assert apart == {("good", "bad"), ("all features", "bad")}


def test_over_all_sizes_each_split_counts_with_its_mean():
    found = make_evaluation(SCORES).compare(references=[])
    (pair,) = found.pairs
    # Means over predictors and sizes: good 0.85, 0.85, 0.85, 0.85; bad 0.325, 0.275, ...
    assert pair.difference.mean == pytest.approx(0.85 - 0.3)
    assert found.mean_ranks == {"good": 1, "bad": 2}


def test_guessing_takes_part_where_asked_and_one_predictor_can_judge():
    found = make_evaluation(SCORES).compare(5, predictor="svm", references=["guessing"])
    assert list(found.mean_ranks) == ["good", "guessing", "bad"]
    assert all(pair.p_adjusted == 0 for pair in found.pairs)


def test_who_refused_at_a_size_does_not_take_part_there_or_over_all_sizes():
    found = make_evaluation(SCORES, [Refusal("bad", 10, 0, "No.")])
    assert "bad" in found.compare(5).mean_ranks
    assert "bad" not in found.compare(10).mean_ranks
    assert "bad" not in found.compare().mean_ranks


def test_auto_takes_no_part_in_the_mean_over_numbers():
    auto = {"tree": [0.0, 0.1, 0.0, 0.0]}
    scores = {("good", "auto"): auto, ("bad", "auto"): auto, **SCORES}
    assert (
        make_evaluation(scores).compare().mean_ranks
        == make_evaluation(SCORES).compare().mean_ranks
    )
    assert list(make_evaluation(scores).compare("auto", references=[]).mean_ranks.values()) == [
        1.5,
        1.5,
    ]


@pytest.mark.parametrize("key", [("goood", 5), ("good", 7), ("good", 5, "forest")])
def test_what_was_not_evaluated_is_refused_with_what_was(key):
    with pytest.raises(ValueError, match=r"no scores of.*good, bad with 5, 10.*tree, svm"):
        make_evaluation(SCORES).estimate(*key)


def test_withheld_estimates_are_nan():
    found = make_evaluation(SCORES, [Refusal("bad", 5, 2, "No.")])
    assert math.isnan(found.estimate("bad", 5).mean)
    assert math.isnan(found.stability_interval("bad", 5).low)
    assert np.isfinite(found.stability("bad", 10))
