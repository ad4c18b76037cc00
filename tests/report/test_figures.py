"""Figures: as SVG for the page, by matplotlib for notebooks and files."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from made_summaries import make_detailed, make_summary

from perturbfs.report import render_page
from perturbfs.report._curve_text import curve_sentences
from perturbfs.report._layout import COLORS, round_values, spread_dots

HOSTILE = '"><img src=x onerror=alert(1)>'


def figures_of(summary):
    return re.findall("<svg.*?</svg>", render_page(summary))


@pytest.fixture(params=["classes", "quantity"])
def figures(request):
    summary = make_detailed(name=HOSTILE, label=HOSTILE) | {"metric": HOSTILE}
    if request.param == "quantity":
        summary["details"]["samples"] |= {"classes": None, "outcome": [0.1, 0.2, 0.5, 9.0]}
    return figures_of(summary)


def test_every_figure_is_well_formed_and_its_text_is_escaped(figures):
    # Scores and their scale, bars, tree, curve, strip, heat map, noise, survival, volcano.
    assert len(figures) == 3 + 8
    for figure in figures:
        tree = ElementTree.fromstring(figure)
        assert tree.attrib["role"] == "img"
        assert tree.attrib["aria-label"]
        assert "<img" not in figure


def test_nothing_is_drawn_outside_of_a_figure(figures):
    for figure in figures:
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
    assert [label for _, label in round_values(low, high)] == labels


@pytest.mark.parametrize(("high", "labels"), [(3, ["1", "2", "3"]), (16, ["5", "10", "15"])])
def test_numbers_of_features_have_whole_ticks(high, labels):
    assert [label for _, label in round_values(1, high, whole=True)] == labels


def test_equal_values_do_not_hide_each_other():
    dots = spread_dots([50.0] * 30, 0.0, 100.0)
    assert len(set(dots)) == 30
    assert all(abs(aside) < 0.5 for _, aside in dots)
    assert spread_dots([10.0, 90.0], 0.0, 100.0) == [(10.0, 0.0), (90.0, 0.0)]


def test_the_heat_map_has_a_cell_for_every_value():
    summary = make_detailed()
    samples = {"outcome": [0, 1], "values": [[0.0, 1.0], [5.0, 5.0]]}
    summary["details"]["samples"] |= samples
    [figure] = [each for each in figures_of(summary) if 'class="heat"' in each]
    shades = re.findall(r'class="h(\d+)" d="([^"]*)"', figure)
    used = {int(shade): path.count("M") for shade, path in shades if path}
    # Shade 5 is the mean, and a feature that does not vary is one stretch; two shades are one
    # standard deviation.
    assert used == {3: 1, 5: 1, 7: 1}


GROUP = {
    "members": ["a", "b", "c", "d"],
    "correlation": [1.0, 0.9, 0.9, 0.9],
    "joins": [[0, 3, 0.1], [1, 2, 0.2], [4, 5, 0.3]],
    "n_left_out": 0,
}


def test_branches_of_a_tree_do_not_cross_in_either_medium():
    summary = make_detailed()
    summary["details"]["groups"] = [GROUP]
    [figure] = [each for each in figures_of(summary) if 'class="tree"' in each]
    assert re.findall(r">([a-d])  \(r", figure) == ["a", "d", "b", "c"]
    pytest.importorskip("matplotlib").use("agg")
    from perturbfs.report import figures

    labels = figures.draw_group(GROUP).get_yticklabels()
    assert [label.get_text() for label in labels] == ["a", "d", "b", "c"]


def test_ticks_of_a_tree_are_where_their_values_are():
    summary = make_detailed()
    summary["details"]["groups"] = [GROUP]
    [figure] = [each for each in figures_of(summary) if 'class="tree"' in each]
    ticks = re.findall(r'x="([\d.]+)"[^>]*>(\d\.\d)<', figure)
    # The tree begins at a correlation of 0.7, where the last two join, and ends at 1.
    assert ticks == [("16", "0.7"), ("94", "0.8"), ("172", "0.9"), ("250", "1.0")]


def test_the_chosen_number_is_marked_even_if_it_was_not_tried():
    summary = make_detailed()
    summary["details"]["curve"] |= {"n_features": [1, 4, 6], "best": 6, "chosen": 3}
    [figure] = [each for each in figures_of(summary) if "inner splits" in each]
    assert "chosen: 3" in figure
    assert 'class="chosen"' not in figure


def test_numbers_that_count_as_equal_to_the_best_are_marked():
    [figure] = [each for each in figures_of(make_detailed()) if "inner splits" in each]
    assert figure.count('<circle class="equal"') == 2 + 1  # and the legend
    assert figure.count('<circle class="small"') == 1
    assert "at least 2" in figure


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"equal": [1, 2, 3], "least": 1}, "Of these, the smallest number 1 was chosen."),
        ({"equal": [3], "chosen": 3}, "No other number counts as equal to it, so 3 was chosen."),
        ({"equal": [2, 3], "chosen": 2}, "Of these, the smallest number that is at least 2"),
        ({"equal": [1, 3], "chosen": 2}, "But at least 2 features are taken, so 2 was chosen."),
        ({"rule": "measure"}, "The number with the best score per feature was chosen: 1."),
        ({"rule": "accuracy"}, "The number with the best score was chosen: 1."),
        ({"equal": []}, "The number chosen is 1; the best score is that of 3."),
    ],
)
def test_the_text_says_which_rule_chose_the_number(changes, said):
    curve = make_detailed()["details"]["curve"] | changes
    assert said in " ".join(curve_sentences(curve))


def test_sixteen_classes_have_distinct_colors():
    assert len(set(COLORS)) == 16


def test_names_of_many_classes_are_a_legend_and_do_not_touch():
    summary = make_detailed()
    classes = [f"a long class name {j}" for j in range(9)]
    outcome, values = list(range(9)), [[float(j) for j in range(9)]]
    summary["details"]["samples"] |= {"classes": classes, "outcome": outcome, "values": values}
    [figure] = [each for each in figures_of(summary) if 'class="heat"' in each]
    places = re.findall(r'x="([\d.]+)" y="([\d.]+)"[^>]*>(a long class name \d)<', figure)
    assert [name for *_, name in places] == classes
    for (x1, y1, name), (x2, y2, _) in pairwise(places):
        assert y1 != y2 or float(x2) - float(x1) > 7 * len(name)


def test_the_page_has_the_colors_of_all_figures():
    page = render_page(make_summary())
    assert all(f"--c{place}: {color};" in page for place, color in enumerate(COLORS))


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_all_pictures_are_saved(tmp_path, kind):
    pytest.importorskip("matplotlib")
    from perturbfs.report import figures

    summary = make_detailed(name="$x_{$", label="a $ b")
    paths = figures.save_figures(summary, tmp_path, kind=kind)
    names = {"map", "features", "heat-map", "curve", "noise", "survival", "group-1"}
    assert {path.stem for path in paths} == names
    assert all(path.stat().st_size > 1000 for path in paths)


def test_what_cannot_be_saved_is_refused_in_a_sentence(tmp_path):
    from perturbfs.report import figures

    with pytest.raises(ValueError, match=r"kind=.bmp. is unknown\. Use one of png, svg, pdf\."):
        figures.save_figures(make_detailed(), tmp_path, kind="bmp")
    with pytest.raises(ValueError, match="no details"):
        figures.save_figures(make_summary(), tmp_path)
