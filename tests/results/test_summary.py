"""The summary of a selection in sentences and plain values."""

import copy
from dataclasses import replace

import pytest

from perturbfs import Selection
from perturbfs.results import SelectedFeature, summarize

DATA = {
    "n_samples": 1040,
    "n_features": 12600,
    "n_constant": 0,
    "task": "classification",
    "target": "state",
    "classes": {"normal": 1000, "tumor": 40},
    "n_events": None,
    "n_missing": 0,
    "impute": None,
    "dropped": [],
    "notes": [],
    "findings": [],
    "groups": None,
    "batch": None,
    "source_name": None,
    "fingerprint": "ab12",
}
ESTIMATE = {
    "metric": "balanced_accuracy",
    "predictor": "svm",
    "n_splits": 5,
    "n_features_in_splits": [2, 2, 2, 2, 2],
    "stability": 0.5,
    "selected": {"mean": 0.912, "low": 0.781, "high": 1.043},
    "all_features": {"mean": 0.95, "low": 0.9, "high": 1.0},
    "guessing": {"mean": 0.5, "low": None, "high": None},
    "random": {"mean": 0.7, "low": 0.6, "high": 0.8},
    "batch": None,
    "comparisons": [],
    "verdict": "The verdict.",
}
FEATURES = (
    SelectedFeature("TP53", 7, 1, 0.9, ("MYC", "KRAS")),
    SelectedFeature("EGFR", 3, 2, None, ()),
)


@pytest.fixture
def selection():
    content = copy.deepcopy((DATA, FEATURES, ESTIMATE))
    return Selection("paper", {"rule": "accuracy"}, 0, {"numpy": "2"}, *content)


def with_data(selection, **changes):
    return replace(selection, data={**selection.data, **changes})


def with_estimate(selection, **changes):
    return replace(selection, estimate={**selection.estimate, **changes})


def test_the_headline_begins_with_the_verdict(selection):
    assert summarize(selection)["headline"] == (
        "The verdict. 2 of 12,600 features were selected, and the choice is fairly stable."
    )
    one = replace(selection, features=selection.features[:1])
    assert "1 of 12,600 features was selected" in summarize(one)["headline"]


def test_data_lines_say_how_the_data_were_understood(selection):
    assert summarize(selection)["data"] == [
        ("samples", "1,040"),
        ("features", "12,600"),
        ("outcome", "state (classification)"),
        ("classes", "normal: 1,000, tumor: 40"),
    ]


def test_data_lines_say_what_was_filled_and_left_out(selection):
    changed = with_data(
        selection, n_missing=1200, impute="knn", n_constant=3, dropped=[["id", "names"]]
    )
    assert summarize(changed)["data"][4:] == [
        ("missing values", "1,200, filled by nearest neighbors"),
        ("left out", "3 features that never vary"),
        ("left out", "id: names"),
    ]


def test_thousands_of_columns_left_out_are_counted_and_ten_are_shown(selection):
    changed = with_data(selection, n_constant=1, dropped=[[str(j), "text"] for j in range(5000)])
    lines = summarize(changed)["data"][4:]
    assert lines[0] == ("left out", "1 feature that never varies")
    assert len(lines) == 12
    assert lines[-1] == ("left out", "4,990 more, all listed in the JSON file")


def test_many_classes_are_counted_and_twenty_are_shown(selection):
    changed = with_data(selection, classes={f"c{j}": 2 for j in range(214)})
    assert dict(summarize(changed)["data"])["classes"].endswith("c19: 2 and 194 more classes")


def test_a_quantity_without_name_has_no_classes(selection):
    changed = with_data(selection, task="regression", classes=None, target=None)
    changed = with_estimate(changed, metric="r2")
    summary = summarize(changed)
    assert summary["data"][2:] == [("outcome", "unnamed (regression)")]
    assert summary["metric"] == "R²"


def test_scores_come_with_all_features_and_guessing_and_stay_within_their_range(selection):
    assert summarize(selection)["scores"] == [
        ("this way of selecting", 0.912, 0.781, 1.0),
        ("all features", 0.95, 0.9, 1.0),
        ("as many random features", 0.7, 0.6, 0.8),
        ("guessing", 0.5, None, None),
    ]


@pytest.mark.parametrize(
    ("stability", "verdict"),
    [
        (1.0, "nearly the same features are selected again"),
        (0.75, "many of the features are selected again"),
        (0.4, "some of the features are selected again"),
        (0.1, "hardly any feature is selected again"),
        (-0.2, "hardly any feature is selected again"),
        (None, "could not be measured"),
    ],
)
def test_stability_gets_a_verdict(selection, stability, verdict):
    sentence = summarize(with_estimate(selection, stability=stability))["stability"]
    assert verdict in sentence
    assert stability is None or sentence.startswith(f"Stability {stability:.2f} ")


def test_no_stability_is_a_negative_zero(selection):
    assert "-0.00" not in summarize(with_estimate(selection, stability=-0.001))["stability"]


@pytest.mark.parametrize(
    ("sizes", "said"), [([1, 1], "gave 1 feature."), ([9, 4, 11], "gave 4 to 11 features.")]
)
def test_the_estimate_says_how_many_features_the_splits_had(selection, sizes, said):
    assert said in summarize(with_estimate(selection, n_features_in_splits=sizes))["estimate"]


def test_feature_rows_keep_the_first_fifty_members(selection):
    many = SelectedFeature(None, 12, 1, 0.5, tuple(range(60)))
    row = summarize(replace(selection, features=(many,)))["features"][0]
    assert row == {
        "rank": 1,
        "name": "feature 13",
        "score": 0.5,
        "n_stands_for": 60,
        "stands_for": [f"feature {number}" for number in range(1, 51)],
        "direction": None,
        "effects": None,
        "correlation": None,
        "n_again": None,
        "n_again_group": None,
        "copy_of": None,
        "copy_r": None,
        "effect": None,
        "p_value": None,
        "q_value": None,
    }


def test_settings_name_method_seed_parameters_versions_and_data(selection):
    assert summarize(selection)["settings"] == [
        ("method", "paper"),
        ("random_state", "0"),
        ("rule", "accuracy"),
        ("numpy version", "2"),
        ("data fingerprint", "ab12"),
    ]
