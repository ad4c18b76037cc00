"""summary.json and evaluation.json: written, read, and checked field by field."""

import json
from pathlib import Path

import pytest
from made_summaries import COMPARISONS, make_detailed, make_joined, make_summary

from perturbfs.report import render_evaluation, render_page
from perturbfs.results import (
    DocumentError,
    SummaryError,
    load_evaluation,
    load_selection,
    load_summary,
    save_summary,
    summarize,
)

OLD = Path(__file__).parent / "old"  # written by perturbfs before schema version 2


def make_evaluation():
    unknown = ("low", "high", "stability", "stability_low", "stability_high", "refusal")
    row = {"method": "a", "requested": 5, "n_features": 5.0, "mean": 0.7, "seconds": 1.0}
    pair = {"first": "a", "second": "b", "difference": 0.1, "low": -0.2, "high": 0.4}
    pair |= {"p_value": 0.2, "p_adjusted": 0.4, "is_significant": False}
    return {
        "schema_version": 2,
        "methods": ["a", "b"],
        "requested": [5, "auto"],
        "predictors": ["svm"],
        "n_splits": 2,
        "random_state": 0,
        "groups": None,
        "n_groups": None,
        "batch": None,
        "min_class_size": None,
        "data": {
            "n_samples": 9,
            "n_features": 4,
            "n_constant": 0,
            "task": "classification",
            "target": None,
            "classes": {"ill": 4, "well": 5},
            "n_events": None,
            "n_missing": 0,
            "impute": None,
            "dropped": [["id", "names"]],
            "notes": ["A note."],
            "findings": [],
            "groups": {"name": "patient", "n_groups": 3},
            "batch": {"name": "site", "n_batches": 2},
            "source_name": None,
            "fingerprint": "0123",
        },
        "versions": {"numpy": "2"},
        "metric": "balanced_accuracy",
        "test_share": 0.4,
        "left_out": {"rare": 1},
        "summary": [row | {"by_predictor": {"svm": 0.7}} | dict.fromkeys(unknown)],
        "comparisons": [
            {"requested": 5, "mean_ranks": {"a": 1.0}, "groups": [["a", "b"]], "pairs": [pair]}
        ],
        "planned": [{"method": "a", "requested": 5, "score": 0.7, "comparisons": COMPARISONS}],
        "refusals": [{"method": "b", "requested": 5, "split": 0, "reason": "too few"}],
    }


@pytest.mark.parametrize("summary", [make_summary(), make_detailed()])
def test_a_summary_is_read_as_it_was_written(summary, tmp_path):
    save_summary(summary, tmp_path / "summary.json")
    assert load_summary(tmp_path / "summary.json") == summary


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.pop("schema_version"), "has no schema_version"),
        (
            lambda s: s.update(schema_version=3),
            "schema_version 3, but this perturbfs reads 1 to 2",
        ),
        (lambda s: s.update(data=[["a", 1]]), r"data\[0\]\[1\] is 1, but a text is needed"),
        (lambda s: s["features"][0].update(rank="1"), r'features\[0\].rank is "1", but a whole'),
        (lambda s: s["features"][0].update(effects=["x"]), r'features\[0\].effects\[0\] is "x"'),
        (lambda s: s["details"].pop("map"), "details.map is missing"),
        (lambda s: s["details"]["map"].update(is_own=1), "is_own is 1, but a boolean is needed"),
        (lambda s: s["details"]["curve"].update(score=None), "score is null, but an array is"),
        (lambda s: s["details"]["groups"][0].update(joins=[[0, 1]]), "an array of 3 entries is"),
        (lambda s: s["details"]["noise"]["rows"][1].pop("kept"), r"rows\[1\].kept is missing"),
        (lambda s: s.update(details=[0] * 99), r"details is \[0, 0.*…, but an object or null is"),
    ],
)
def test_a_damaged_summary_is_refused_with_the_field(change, message, tmp_path):
    summary = json.loads(json.dumps(make_detailed()))
    change(summary)
    save_summary(summary, tmp_path / "summary.json")
    with pytest.raises(SummaryError, match=message) as caught:
        load_summary(tmp_path / "summary.json")
    assert str(caught.value).endswith("wrote, or select again.")


def test_an_evaluation_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "evaluation.json"
    path.write_text(json.dumps(make_evaluation()), encoding="utf-8")
    assert load_evaluation(path) == make_evaluation()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["data"].pop("task"), "data.task is missing"),
        (
            lambda d: d.update(requested=[5.5]),
            r"requested\[0\] is 5.5, but a whole number or a te",
        ),
        (lambda d: d["summary"][0].update(mean="x"), r'summary\[0\].mean is "x", but a number or'),
        (lambda d: d["comparisons"][0]["pairs"][0].update(first=0), r"pairs\[0\].first is 0, but"),
        (lambda d: d["comparisons"][0]["mean_ranks"].update(a=None), "mean_ranks.a is null, but"),
        (lambda d: d["refusals"][0].update(more=1), r"refusals\[0\].more is not a known field"),
    ],
)
def test_a_damaged_evaluation_is_refused_with_the_field(change, message, tmp_path):
    document = make_evaluation()
    change(document)
    path = tmp_path / "evaluation.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(DocumentError, match=message) as caught:
        load_evaluation(path)
    assert "perturbfs evaluate" in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        '{"schema_version": Infinity}',
        '{"schema_version": NaN}',
        '{"schema_version": 1e999}',
        '{"schema_version": ' + "9" * 5000 + "}",
        '{"schema_version": 2, "method": "\\ud800"}',
        '{"schema_version": [2]}',
        '{"schema_version": "2"}',
    ],
    ids=lambda content: content[:30],
)
@pytest.mark.parametrize("load", [load_selection, load_summary, load_evaluation])
def test_what_no_document_can_hold_is_refused_in_a_sentence(content, load, tmp_path):
    path = tmp_path / "document.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DocumentError, match=r"document\.json (is|has) .*\.$") as caught:
        load(path)
    assert len(str(caught.value)) < 1000


def test_a_selection_of_version_1_is_read_and_shown():
    selection = load_selection(OLD / "selection-1.json")
    assert selection.data["notes"] == selection.data["findings"] == []
    assert selection.estimate["comparisons"] == []
    assert [feature.copy_of for feature in selection.features] == [None, None]
    assert summarize(selection)["headline"] == (
        "On new samples, the selection reaches balanced accuracy 0.96; guessing reaches 0.50. "
        "2 of 8 features were selected, and the choice is stable."
    )


def test_a_summary_of_version_1_gives_a_page():
    summary = load_summary(OLD / "summary-1.json")
    assert summary["schema_version"] == 2
    assert summary["details"]["volcano"] is None
    assert summary["headline"] in render_page(summary)


def test_an_evaluation_of_version_1_gives_a_page():
    document = load_evaluation(OLD / "evaluation-1.json")
    assert document["planned"] == []
    assert all("is_significant" in pair for pair in document["comparisons"][0]["pairs"])
    assert "Mean ranks" in render_evaluation(document)


def test_tables_that_were_joined_are_read_again_and_checked(tmp_path):
    path = tmp_path / "summary.json"
    save_summary(make_joined(), path)
    assert load_summary(path)["origins"][1]["n_features"] == 10_000
    for change, said in (
        ({"origins": [{"name": "genes"}]}, r"origins\[0\].n_features is missing"),
        ({"origins": None}, "origins is null, but an array is needed"),
    ):
        save_summary(make_joined() | change, path)
        with pytest.raises(SummaryError, match=said):
            load_summary(path)
