"""The page of an evaluation: well formed, escaped, with the right numbers and no requests."""

import copy
import re
from xml.etree import ElementTree

import pytest
from made_evaluation import make_comparison, make_evaluation, make_row
from made_summaries import COMPARISONS
from page_reader import Reader, assert_asks_nothing

from perturbfs.report import render_evaluation, summarize_evaluation


@pytest.fixture
def document():
    return make_evaluation()


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
    assert [row["method"] for row in summary["references"]] == ["all features", "guessing"]


def test_the_verdict_says_who_is_first_and_from_whom_it_differs(document):
    assert summarize_evaluation(document)["verdict"] == (
        "Over all numbers of features, mrmr ranks first (mean rank 1.2 of 3). No significant "
        "difference from: all features. Significantly different from: random."
    )
    without = make_comparison(10, {"mrmr": 1.0, "all features": 2.0}, [["mrmr", "all features"]])
    document["comparisons"] = [without]
    assert summarize_evaluation(document)["verdict"].endswith(
        "Not compared, because a score is missing: random."
    )
    document["comparisons"] = [make_comparison(5, {"all features": 1.0}, [["all features"]])]
    assert summarize_evaluation(document)["verdict"].startswith("Only all features could be")


def test_the_verdict_begins_with_the_planned_comparisons_of_the_best(document):
    document["planned"] = [
        {"method": name, "requested": "every size", "score": 0.8, "comparisons": COMPARISONS}
        for name in ("random", "mrmr")
    ]
    summary = summarize_evaluation(document)
    assert summary["verdict"] == (
        "On new samples, mrmr (mean over all numbers of features) predicts better than guessing "
        "(balanced accuracy 0.80 against 0.60), but no better than as many random features "
        "(0.80), and all features do clearly better (1.10 against 0.80): try more features. "
        "Over all numbers of features, mrmr ranks first (mean rank 1.2 of 3)."
    )
    [section] = summary["planned"]
    assert [row["method"] for row in section["rows"]] == ["random", "mrmr"]
    assert section["rows"][0]["guessing"]["conclusion"] == "better"
    assert section["rows"][0]["all_features"]["conclusion"] == "worse"
    assert "difference from guessing" in render_evaluation(document)


def test_refusals_and_classes_left_out_are_told(document):
    page = " ".join(Reader(render_evaluation(document)).texts)
    assert (
        "random, 10 features: no score, because it could not select in 2 of 4 splits: "
        "There are too few." in page
    )
    assert "Class c was left out: it has 2 samples, and at least 3 are required." in page
    assert "No value of patient (9 values) is on both sides of a split." in page
    assert "30 % of the samples were kept for testing" in page


@pytest.mark.parametrize("metric", ["balanced_accuracy", "r2", "neg_mean_squared_error"])
def test_marks_stay_within_the_plot_whatever_the_score(document, metric):
    document["metric"] = metric
    document["summary"][0] |= {"mean": -3.0, "low": -90.0, "high": 40.0}
    summary = summarize_evaluation(document)
    plots = [row["plot"] for size in summary["sizes"] for row in size["rows"] if row["plot"]]
    assert len(plots) == 7
    for plot in plots:
        low, high, mean = (
            float(re.search(rf'{place}="([-\d.]+)" [^>]*y', part)[1])
            for place, part in zip(
                ("x1", "x2", "cx"),
                2 * re.findall('<line class="range".*?>', plot) + re.findall("<circle.*?>", plot),
                strict=True,
            )
        )
        assert 5 <= low <= mean <= high <= 205
    assert 2 <= summary["ticks"].count("<text") <= 12


@pytest.mark.parametrize("metric", ["neg_max_error", "balanced_accuracy", "r2"])
def test_a_score_that_never_differs_is_drawn(document, metric):
    document["metric"] = metric
    for row in document["summary"]:
        row |= {"mean": -2.0, "low": None, "high": None}
    for size in summarize_evaluation(document)["sizes"]:
        assert all("nan" not in row["plot"] for row in size["rows"])
    assert Reader(render_evaluation(document)).open == []


def figure_of(document, label):
    figures = re.findall("<svg.*?</svg>", render_evaluation(document))
    found = [figure for figure in figures if f'{label}"' in figure or f'"{label}' in figure]
    return found[0] if found else None


def test_every_figure_is_well_formed(document):
    figures = re.findall("<svg.*?</svg>", render_evaluation(document))
    assert len(figures) > 10
    for figure in figures:
        assert ElementTree.fromstring(figure).attrib["aria-label"]


def test_ranks_and_bars_are_placed_by_hand(document):
    ranks = {"a": 1.0, "b": 2.0, "c": 3.0}
    document["comparisons"] = [make_comparison(5, ranks, [["a", "b"], ["c"]])]
    figure = figure_of(document, "Mean ranks")
    assert re.findall(r'points="([\d.]+),26 ', figure) == ["170", "340", "510"]
    assert re.findall(r'text-anchor="(\w+)">[abc]', figure) == ["end", "end", "start"]
    assert re.findall('class="group" x1="166" y1="40" x2="344" y2="40"', figure)
    document["comparisons"] = [make_comparison(5, {"a": 1.0}, [["a"]])]
    assert figure_of(document, "Mean ranks") is None


def test_nothing_stable_to_show_gives_no_plot(document):
    label = "balanced accuracy against stability"
    assert figure_of(document, label) is not None
    document["summary"] = document["summary"][-2:]
    assert figure_of(document, label) is None
    assert Reader(render_evaluation(document)).open == []


def test_methods_differ_by_color_and_shape(document):
    methods = [f"method {j}" for j in range(23)]
    document["methods"] = methods
    document["summary"][:4] = [make_row(name, 5, 0.5) for name in methods]
    figure = figure_of(document, "balanced accuracy against stability")
    legend = re.findall(
        r'<(?:circle|path) class="fill (c\d)"[^>]*?(?: d="([^"]*)")?></\w+><text', figure
    )
    assert len(legend) == len(set(legend)) == 23


def test_methods_by_sizes_have_a_mark_for_every_mean(document):
    document["summary"][1] |= {"mean": None, "low": None, "high": None}
    figure = figure_of(document, "balanced accuracy by number of features")
    assert figure.count("<circle") == 2  # one mean of mrmr, and the legend
    assert figure.count("<path") == 2  # one mean of random, which is a square
    for row in document["summary"][:4]:
        row["requested"] = "auto"
    assert figure_of(document, "balanced accuracy by number of features") is None


def test_seconds_are_drawn_on_powers_of_ten(document):
    for row, seconds in zip(document["summary"][:3], (0.02, 3.0, 0.5), strict=True):
        row["seconds"] = seconds
    figure = figure_of(document, "Seconds for one selection")
    assert re.findall(r">([\d.]+ s)<", figure) == ["0.01 s", "0.1 s", "1 s", "10 s"]
    for row in document["summary"]:
        row["seconds"] = None
    assert figure_of(document, "Seconds for one selection") is None


def test_pairs_are_placed_around_zero_and_all_sizes_come_first(document):
    pair = {"first": "a", "second": "b", "difference": 0.1, "low": -0.2, "high": 0.4}
    pair |= {"p_value": 0.2, "p_adjusted": 0.4, "is_significant": False}
    for comparison, is_different in zip(document["comparisons"][::2], (False, True), strict=True):
        comparison["pairs"] = [pair | {"is_significant": is_different}]
    sections = summarize_evaluation(document)["pairs"]
    assert [each["title"] for each in sections] == ["Over all numbers of features", "5 features"]
    row = sections[1]["rows"][0]
    # The axis is from -0.4 to 0.4, and 200 wide.
    assert 'class="range" x1="55" y1="9" x2="205" y2="9"' in row["plot"]
    assert 'class="dot" cx="130"' in row["plot"]
    assert row["interval"] == "\N{MINUS SIGN}0.200 to +0.400"
    assert [each["rows"][0]["verdict"] for each in sections] == ["significant", "not significant"]
