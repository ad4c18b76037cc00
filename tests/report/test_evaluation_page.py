"""The page of an evaluation: whole, escaped, true to its numbers, asking nothing of any server."""

import copy

import pytest
from page_reader import Reader, assert_asks_nothing

from perturbfs.report import render_evaluation, summarize_evaluation
from perturbfs.report._evaluation_plots import Scale, draw_ranks, draw_scatter


def make_row(method, requested, mean, refusal=None):
    is_selection = requested != "all" and refusal is None
    return {
        "method": method,
        "requested": requested,
        "n_features": None if refusal else 5.0,
        "mean": None if refusal else mean,
        "low": None if refusal else mean - 0.3,
        "high": None if refusal else mean + 0.3,
        "by_predictor": {} if refusal else {"tree": mean},
        "stability": 0.4 if is_selection else None,
        "stability_low": 0.3 if is_selection else None,
        "stability_high": 1.1 if is_selection else None,
        "seconds": 0.25 if is_selection else None if refusal else 0.0,
        "refusal": refusal,
    }


def make_comparison(requested, ranks, groups):
    return {"requested": requested, "mean_ranks": ranks, "groups": groups, "pairs": []}


@pytest.fixture
def document():
    ranks = {"mrmr": 1.2, "all features": 1.8, "random": 3.0}
    groups = [["mrmr", "all features"], ["random"]]
    return {
        "schema_version": 1,
        "methods": ["mrmr", "random"],
        "requested": [5, 10],
        "predictors": ["tree"],
        "n_splits": 4,
        "random_state": 0,
        "groups": "patient",
        "n_groups": 9,
        "min_class_size": 3,
        "data": {
            "n_samples": 40,
            "n_features": 60,
            "n_constant": 0,
            "task": "classification",
            "target": "state",
            "classes": {"a": 20, "b": 18, "c": 2},
            "n_missing": 0,
            "impute": None,
            "dropped": [],
            "fingerprint": "f00",
        },
        "versions": {"perturbfs": "0.1"},
        "metric": "balanced_accuracy",
        "test_share": 3 / 7,
        "left_out": {"c": 2},
        "summary": [
            make_row("mrmr", 5, 0.8),
            make_row("mrmr", 10, 0.85),
            make_row("random", 5, 0.55),
            make_row("random", 10, 0.0, "There are too few."),
            make_row("all features", "all", 0.7),
            make_row("guessing", "all", 0.5),
        ],
        "comparisons": [
            make_comparison(5, ranks, groups),
            make_comparison(10, {"mrmr": 1.0, "all features": 2.0}, [["mrmr", "all features"]]),
            make_comparison("every size", ranks, groups),
        ],
        "refusals": [
            {"method": "random", "requested": 10, "split": split, "reason": "There are too few."}
            for split in (1, 3)
        ],
    }


def test_every_tag_is_closed_and_nothing_is_asked_of_any_server(document):
    page = render_evaluation(document)
    reader = Reader(page)
    assert reader.open == []
    assert page.startswith("<!doctype html>")
    assert_asks_nothing(page)
    assert reader.tags.count("script") == 1


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x>', "a & b", "Größe"])
def test_every_name_is_escaped_and_read_back_as_it_is(document, text):
    named = copy.deepcopy(document)
    named["methods"][0] = named["metric"] = named["groups"] = text
    named["data"]["target"] = named["data"]["fingerprint"] = text
    for row in named["summary"][:2]:
        row["method"], row["by_predictor"] = text, {text: 0.5}
    named["summary"][3]["refusal"] = named["refusals"][0]["reason"] = text
    named["left_out"] = {text: 2}
    for comparison in named["comparisons"]:
        ranks = comparison["mean_ranks"]
        comparison["mean_ranks"] = {text if k == "mrmr" else k: v for k, v in ranks.items()}
        comparison["groups"] = [
            [text if name == "mrmr" else name for name in group] for group in comparison["groups"]
        ]
    reader = Reader(render_evaluation(named))
    assert reader.open == []
    assert "img" not in reader.tags
    assert reader.tags.count("script") == 1
    assert reader.texts.count(text) > 5


def test_the_tables_hold_the_numbers_and_the_letters_of_the_groups(document):
    summary = summarize_evaluation(document)
    five, ten = summary["sizes"]
    assert (five["title"], ten["title"]) == ("5 features", "10 features")
    first = five["rows"][0]
    # The interval from 0.5 to 1.1 is shown within what the score can be.
    assert (first["mean"], first["interval"]) == ("0.800", "0.500 to 1.000")
    assert (first["stability"], first["stability_interval"]) == ("0.40", "0.30 to 1.00")
    assert [row["letters"] for row in five["rows"]] == ["a", "b", "a", "\N{EN DASH}"]
    assert [row["method"] for row in summary["beside"]] == ["all features", "guessing"]


def test_the_verdict_says_who_is_first_and_from_whom_it_is_told_apart(document):
    assert summarize_evaluation(document)["verdict"] == (
        "Over all numbers of features, mrmr ranks first (mean rank 1.2 of 3). These splits do not "
        "tell it apart from: all features. They do tell it apart from: random."
    )
    without = make_comparison(10, {"mrmr": 1.0, "all features": 2.0}, [["mrmr", "all features"]])
    document["comparisons"] = [without]
    assert summarize_evaluation(document)["verdict"].endswith(
        "Not compared, because a score is missing: random."
    )
    document["comparisons"] = [make_comparison(5, {"all features": 1.0}, [["all features"]])]
    assert summarize_evaluation(document)["verdict"].startswith("Only all features could be")


def test_refusals_and_classes_left_out_are_told(document):
    page = " ".join(Reader(render_evaluation(document)).texts)
    assert (
        "random, 10 features: \N{EN DASH}, because in 2 of 4 splits it could not select: "
        "There are too few." in page
    )
    assert "Class c was left out: it has 2 samples, and at least 3 were asked for." in page
    assert "No value of patient (9 of them) is on both sides of a split." in page
    assert "30 % of the samples were kept to test" in page


@pytest.mark.parametrize("metric", ["balanced_accuracy", "r2", "neg_mean_squared_error"])
def test_marks_stay_within_the_plot_whatever_the_score(document, metric):
    document["metric"] = metric
    document["summary"][0] |= {"mean": -3.0, "low": -90.0, "high": 40.0}
    summary = summarize_evaluation(document)
    plots = [row["plot"] for size in summary["sizes"] for row in size["rows"] if row["plot"]]
    assert all(0 <= value <= 200 for plot in plots for value in plot.values())
    assert all(plot["low"] <= plot["mean"] <= plot["high"] for plot in plots)
    assert 2 <= len(summary["ticks"]) <= 12


def test_the_scale_of_a_score_that_never_differs_has_a_width():
    scale = Scale.for_rows([{"mean": -2.0, "low": None, "high": None}], "neg_max_error")
    assert scale.at(-2.0) == 0
    assert Scale.for_means([0.0]).at(0.0) == pytest.approx(0.5)


def test_ranks_and_bars_are_placed_by_hand():
    comparison = make_comparison(5, {"a": 1.0, "b": 2.0, "c": 3.0}, [["a", "b"], ["c"]])
    drawn = draw_ranks(comparison)
    assert [label["x"] for label in drawn["labels"]] == [170, 340, 510]
    assert [label["anchor"] for label in drawn["labels"]] == ["end", "end", "start"]
    assert drawn["bars"] == [(166, 344, 40)]
    assert draw_ranks(make_comparison(5, {"a": 1.0}, [["a"]])) is None


def test_nothing_stable_to_show_gives_no_plot(document):
    assert draw_scatter([make_row("guessing", "all", 0.5)], ["mrmr"]) is None
    document["summary"] = document["summary"][-2:]
    assert Reader(render_evaluation(document)).open == []


def test_methods_differ_by_color_and_shape():
    methods = [f"method {j}" for j in range(23)]
    legend = draw_scatter([make_row(name, 5, 0.5) for name in methods], methods)["legend"]
    assert len({(entry["color"], entry["shape"]) for entry in legend}) == 23
