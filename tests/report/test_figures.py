"""Figures: as SVG for the page, by matplotlib for notebooks and files."""

import re
from xml.etree import ElementTree

import pytest
from made_summaries import make_detailed, make_summary

from perturbfs.report._evaluation_figures import seconds_figure, sizes_figure
from perturbfs.report._evaluation_pairs import describe_pairs
from perturbfs.report._group_figures import effect_figure, leaf_order, tree_figure
from perturbfs.report._line_figures import curve_figure, noise_figure
from perturbfs.report._sample_figures import LEVELS, heat_figure, spread_dots, strip_figure
from perturbfs.report._svg import Axis, round_values

HOSTILE = '"><img src=x onerror=alert(1)>'


@pytest.fixture
def details():
    return make_detailed(name=HOSTILE, label=HOSTILE)["details"]


def figures_of(details):
    quantity = details["samples"] | {"classes": None, "outcome": [0.1, 0.2, 0.5, 9.0]}
    return [
        curve_figure(details["curve"], HOSTILE),
        noise_figure(details["noise"], HOSTILE),
        strip_figure(HOSTILE, [1.0, 2.0, 3.0, 4.0], details["samples"]),
        strip_figure(HOSTILE, [1.0, 1.0, 1.0, 1.0], quantity),
        heat_figure([HOSTILE], details["samples"]),
        heat_figure([HOSTILE], quantity),
        tree_figure(details["groups"][0]),
        effect_figure([0.5, -9.0], [HOSTILE, "y"]),
    ]


def test_every_figure_is_well_formed_and_its_text_is_escaped(details):
    for figure in figures_of(details):
        tree = ElementTree.fromstring(figure)
        assert tree.attrib["role"] == "img"
        assert tree.attrib["aria-label"]
        assert "<img" not in figure


def test_nothing_is_drawn_outside_of_a_figure(details):
    for figure in figures_of(details):
        tree = ElementTree.fromstring(figure)
        _, _, width, height = map(float, tree.attrib["viewBox"].split())
        for each in tree.iter():
            for name, most in (("cx", width), ("x1", width), ("x2", width), ("cy", height)):
                if name in each.attrib:
                    assert 0 <= float(each.attrib[name]) <= most


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (0.69, 0.87, ["0.70", "0.75", "0.80", "0.85"]),
        (-3.0, 2.0, ["\N{MINUS SIGN}3", "\N{MINUS SIGN}2", "\N{MINUS SIGN}1", "0", "1", "2"]),
        (2.0, 2.0, ["2"]),
    ],
)
def test_ticks_are_round(low, high, labels):
    assert [label for _, label in round_values(Axis(low, high, 0, 100))] == labels


def test_equal_values_do_not_hide_each_other():
    dots = spread_dots([50.0] * 30)
    assert len(set(dots)) == 30
    assert spread_dots([10.0, 90.0]) == [(10.0, 0.0), (90.0, 0.0)]


def test_the_heat_map_has_a_cell_for_every_value():
    samples = {"classes": ["a", "b"], "outcome": [0, 1], "values": [[0.0, 1.0], [5.0, 5.0]]}
    figure = heat_figure(["x", "y"], samples)
    shades = re.findall(r'class="h(\d+)" d="([^"]*)"', figure)
    used = {int(level): path.count("M") for level, path in shades if path}
    # Below and above the mean by one deviation, and a feature that does not vary in one stretch.
    assert used == {LEVELS // 2 - 2: 1, LEVELS // 2: 1, LEVELS // 2 + 2: 1}


def test_branches_of_a_tree_do_not_cross():
    assert leaf_order(4, [[0, 3, 0.1], [1, 2, 0.2], [4, 5, 0.3]]) == [0, 3, 1, 2]


def make_row(method, requested, mean, seconds=0.5):
    names = ("low", "high", "stability", "refusal")
    return {"method": method, "requested": requested, "mean": mean, "seconds": seconds} | (
        dict.fromkeys(names)
    )


def test_methods_by_sizes_have_a_mark_for_every_mean():
    rows = [make_row("a", 5, 0.7), make_row("a", 10, 0.8), make_row("b", 5, None)]
    rows += [make_row("guessing", "all", 0.5, None)]
    figure = sizes_figure(rows, ["a", "b"], "balanced_accuracy", HOSTILE)
    ElementTree.fromstring(figure)
    assert figure.count("<circle") == 3  # two means and the legend
    assert "<img" not in figure
    assert sizes_figure([make_row("a", "auto", 0.7)], ["a"], "r2", "R²") is None


def test_seconds_are_drawn_on_powers_of_ten():
    rows = [make_row("a", 5, 0.7, 0.02), make_row("b", 5, 0.7, 3.0)]
    figure = seconds_figure(rows, ["a", "b"])
    assert re.findall(r">([\d.]+ s)<", figure) == ["0.01 s", "0.1 s", "1 s", "10 s"]
    assert seconds_figure([make_row("a", 5, 0.7, None)], ["a"]) is None


def test_pairs_are_placed_around_zero_and_all_sizes_come_first():
    pair = {"first": "a", "second": "b", "difference": 0.1, "low": -0.2, "high": 0.4}
    pair |= {"p_value": 0.2, "p_adjusted": 0.4, "is_told_apart": False}
    sections = describe_pairs(
        [
            {"requested": 5, "pairs": [pair]},
            {"requested": 10, "pairs": []},
            {"requested": "every size", "pairs": [pair | {"is_told_apart": True}]},
        ]
    )
    assert [each["title"] for each in sections] == ["Over all numbers of features", "5 features"]
    row = sections[1]["rows"][0]
    assert row["plot"] == {"low": 50.0, "mean": 125.0, "high": 200.0}
    assert row["interval"] == "\N{MINUS SIGN}0.200 to +0.400"
    assert [each["rows"][0]["verdict"] for each in sections] == ["told apart", "not told apart"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_all_pictures_are_saved(tmp_path, kind):
    pytest.importorskip("matplotlib")
    from perturbfs.report import figures

    summary = make_detailed(name="$x_{$", label="a $ b")
    paths = figures.save_figures(summary, tmp_path, kind=kind)
    names = {"map", "features", "heat-map", "curve", "noise", "group-1"}
    assert {path.stem for path in paths} == names
    assert all(path.stat().st_size > 1000 for path in paths)


def test_what_cannot_be_saved_is_refused_in_a_sentence(tmp_path):
    from perturbfs.report import figures

    with pytest.raises(ValueError, match="kind='bmp', but one of png, svg, pdf is needed"):
        figures.save_figures(make_detailed(), tmp_path, kind="bmp")
    with pytest.raises(ValueError, match="no details"):
        figures.save_figures(make_summary(), tmp_path)
