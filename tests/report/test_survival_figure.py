"""The figure of survival curves."""

import re
from itertools import pairwise

import pytest
from made_summaries import make_detailed

from perturbfs.report import render_page
from perturbfs.report._survival_figure import survival_figure

FOUND = make_detailed()["details"]["survival"]


def test_there_is_a_curve_and_a_row_of_numbers_at_risk_per_group():
    figure = survival_figure(FOUND)
    assert figure.count("<polyline") == 2
    assert "lower risk (2 of 3)" in figure
    assert re.findall(r">(\d)</text>", figure)[-4:] == ["3", "2", "3", "2"]


def test_a_curve_falls_in_steps():
    [points, _] = re.findall(r'points="([^"]+)"', survival_figure(FOUND))
    corners = [tuple(map(float, each.split(","))) for each in points.split()]
    for (x, y), (next_x, next_y) in pairwise(corners):
        assert x == next_x or y == next_y
        assert next_x >= x
        assert next_y >= y  # downwards on the screen


def test_the_name_of_the_time_is_escaped_in_figure_and_page():
    name = "<img src=x onerror=alert(1)>"
    assert name not in survival_figure(FOUND | {"time_label": name})
    page = render_page(make_detailed(label=name))
    assert name not in page
    assert "Survival by predicted risk" in page


def test_a_page_without_a_survival_has_no_such_section():
    summary = make_detailed()
    summary["details"]["survival"] = None
    assert "Survival by predicted risk" not in render_page(summary)


def test_matplotlib_draws_the_same_curves():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    from perturbfs.report.figures import draw_survival

    ax = draw_survival(FOUND, ax=pyplot.figure().add_subplot())
    drawn = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in ax.lines]
    assert drawn == [(each["time"], each["survival"]) for each in FOUND["curves"]]
    pyplot.close("all")
