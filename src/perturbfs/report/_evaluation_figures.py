"""Figures of an evaluation: scores, intervals, mean ranks, stability and seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from perturbfs.results import is_share

from ._layout import with_room
from ._svg import Axis, across, cut_to, legend, line, mark, polyline, svg, text, upwards

SHAPES = ("circle", "square", "triangle", "diamond")
N_COLORS = 7  # seven colors and four shapes make 28 methods that look different

LEFT, RIGHT, TOP, BOTTOM = 62.0, 700.0, 12.0, 300.0
LEGEND, WIDTH = 722.0, 920.0
FIRST = 130.0  # all features and guessing have their labels to the left of it
APART = 7.0  # between the intervals of two methods at one number of features
RANK_LEFT, RANK_RIGHT, RANK_TOP = 170.0, 510.0, 26.0
SECONDS_LEFT, SECONDS_ROW = 150.0, 26.0
ROW_START, ROW_END, ROW_WIDTH = 5.0, 205.0, 210.0  # plots in the row of a table


def score_limits(rows: list[dict[str, Any]], metric: str) -> tuple[float, float]:
    """Return limits of an axis for means and their intervals, within what the score can be."""
    means = [row["mean"] for row in rows if row["mean"] is not None]
    ends = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
    low, high = min([*means, *ends]), max([*means, *ends])
    if metric == "r2":
        low, high = min(*means, max(low, -1.0), 0.0), 1.0
    elif is_share(metric):
        low, high = max(min(low, 0.5), 0.0), 1.0
    low = math.floor(low * 10) / 10
    return low, high if high > low else low + 1.0


def row_axis(low: float, high: float) -> Axis:
    """Return the axis of the plots in the rows of a table."""
    return Axis(low, high, ROW_START, ROW_END)


def ticks_figure(axis: Axis) -> str:
    """Draw the labels of an axis, as the head of a column of `interval_figure`."""
    parts = [text(x, 11, words, "middle") for x, words in axis.ticks(5)]
    return svg(ROW_WIDTH, 16, "Scale of the column", parts)


def interval_figure(
    axis: Axis, mean: float | None, low: float | None, high: float | None, reference: float
) -> str | None:
    """Draw a mean as a dot, its interval as a line, and the reference as a dotted line.

    Parameters
    ----------
    axis : Axis
    mean, low, high : float or None
        Nothing is drawn without a mean, and no line without an interval.
    reference : float
        Score of guessing, or no difference.

    Returns
    -------
    svg : str or None
    """
    if mean is None:
        return None
    at = axis.at(reference)
    parts = [line(at, -4, at, 22, "guess")]
    if low is not None and high is not None:
        parts.append(line(axis.at(low), 9, axis.at(high), 9, "range"))
    parts.append(mark("circle", axis.at(mean), 9, "dot"))
    return svg(ROW_WIDTH, 18, "Mean and interval", parts)


def evaluation_figures(document: dict[str, Any], label: str) -> dict[str, str | None]:
    """Draw all figures of an evaluation.

    Parameters
    ----------
    document : dict
        Content of evaluation.json.
    label : str
        The score as people call it.

    Returns
    -------
    figures : dict
        ``by_size``, ``ranks``, ``scatter`` and ``by_seconds``; None if there is nothing to show.
    """
    rows, methods = document["summary"], document["methods"]
    return {
        "by_size": _sizes_figure(rows, methods, document["metric"], label),
        "ranks": _ranks_figure(document["comparisons"][-1]),
        "scatter": _scatter_figure(rows, methods, label),
        "by_seconds": _seconds_figure(rows, methods),
    }


def _sizes_figure(
    rows: list[dict[str, Any]], methods: list[str], metric: str, label: str
) -> str | None:
    scored = [row for row in rows if row["mean"] is not None]
    shown = [row for row in scored if isinstance(row["requested"], int)]
    references = [row for row in scored if row["requested"] == "all"]
    sizes = sorted({row["requested"] for row in shown})
    if not sizes:
        return None
    x = Axis(0, len(sizes), FIRST, RIGHT)
    y = Axis(*score_limits([*shown, *references], metric), BOTTOM, TOP)
    at = {size: x.at(place + 0.5) for place, size in enumerate(sizes)}
    parts = [
        upwards(y, LEFT, RIGHT, label),
        across(
            Axis(0, 1, LEFT, RIGHT),
            BOTTOM,
            "number of features",
            [(place, str(size)) for size, place in at.items()],
        ),
    ]
    apart = min(APART, 0.8 * (RIGHT - FIRST) / len(sizes) / len(methods))
    for place, method in enumerate(methods):
        aside = apart * (place - (len(methods) - 1) / 2)
        mine = [
            (at[row["requested"]] + aside, *(_at(y, row[key]) for key in ("mean", "low", "high")))
            for row in shown
            if row["method"] == method
        ]
        parts.append(_method_line(mine, place))
    for row in references:
        height = y.at(row["mean"])
        parts.append(line(LEFT, height, RIGHT, height, "limit"))
        parts.append(text(LEFT + 4, height - 5, row["method"], "start", "soft"))
    parts.append(_method_legend(methods, methods))
    height = max(BOTTOM + 46, TOP + 24 + 20 * len(methods))
    title = f"{label} by number of features; the tables below give all numbers"
    return svg(WIDTH, height, title, parts, "plot")


def _at(axis: Axis, value: float | None) -> float | None:
    return None if value is None else axis.at(value)


def _method_line(points: Sequence[Sequence[Any]], place: int) -> str:
    """Return a line through means, with marks and intervals."""
    shape, color = _method_look(place)
    parts = [polyline([(x, mean) for x, mean, *_ in points], f"series thin {color}")]
    for x, mean, low, high in points:
        if low is not None:
            parts.append(line(x, low, x, high, f"series {color}"))
        parts.append(mark(shape, x, mean, f"fill {color}"))
    return "".join(parts)


def _seconds_figure(rows: list[dict[str, Any]], methods: list[str]) -> str | None:
    timed = [row for row in rows if row["method"] in methods and row["seconds"]]
    if not timed:
        return None
    powers = [math.log10(row["seconds"]) for row in timed]
    low = math.floor(min(powers))
    high = max(math.ceil(max(powers)), low + 1)
    x = Axis(low, high, SECONDS_LEFT + 8, RIGHT)
    top, bottom = 8.0, 8.0 + SECONDS_ROW * len(methods)
    ticks = [(x.at(power), f"{10.0**power:g} s") for power in range(low, high + 1)]
    parts = [across(x, bottom, ticks=ticks, top=top)]
    for place, method in enumerate(methods):
        y = top + SECONDS_ROW * (place + 0.5)
        parts.append(text(SECONDS_LEFT - 4, y + 4, cut_to(method, 20), "end"))
        shape, color = _method_look(place)
        parts += [
            mark(shape, x.at(power), y, f"fill {color}", f"{method}: {row['seconds']:.3g} s")
            for row, power in zip(timed, powers, strict=True)
            if row["method"] == method
        ]
    title = "Seconds for one selection by method; the tables above give all numbers"
    return svg(RIGHT + 30, bottom + 28, title, parts, "plot")


def _ranks_figure(comparison: dict[str, Any]) -> str | None:
    """Draw mean ranks on a line, and bars over methods that do not differ significantly."""
    ranks: dict[str, float] = comparison["mean_ranks"]
    n_methods = len(ranks)
    if n_methods < 2:
        return None
    x = Axis(1, n_methods, RANK_LEFT, RANK_RIGHT)
    parts = [line(RANK_LEFT, RANK_TOP, RANK_RIGHT, RANK_TOP, "axis")]
    for number in range(1, n_methods + 1):
        at = x.at(number)
        parts.append(line(at, RANK_TOP - 5, at, RANK_TOP, "axis"))
        parts.append(text(at, RANK_TOP - 11, str(number), "middle"))
    shared = [[ranks[name] for name in group] for group in comparison["groups"] if len(group) > 1]
    for row, group in enumerate(shared):
        y = RANK_TOP + 14 + 8 * row
        parts.append(line(x.at(min(group)) - 4, y, x.at(max(group)) + 4, y, "group"))
    first_label, n_left = RANK_TOP + 36 + 8 * len(shared), (n_methods + 1) // 2
    for place, (name, rank) in enumerate(ranks.items()):
        # The outer methods come first, so that no line crosses another.
        y = first_label + 20 * min(place, n_methods - 1 - place)
        is_left = place < n_left
        end = RANK_LEFT - 12 if is_left else RANK_RIGHT + 12
        at, anchor = x.at(rank), "end" if is_left else "start"
        parts.append(polyline([(at, RANK_TOP), (at, y), (end, y)], "leader"))
        parts.append(text(end + (-4 if is_left else 4), y + 4, f"{name} ({rank:.1f})", anchor))
    title = "Mean ranks of the methods; the tables below give them as numbers"
    return svg(680, first_label + 20 * n_left, title, parts)


def _scatter_figure(rows: list[dict[str, Any]], methods: list[str], label: str) -> str | None:
    """Draw the score against the stability, with a mark per method and number of features."""
    shown = [row for row in rows if row["mean"] is not None and row["stability"] is not None]
    if not shown:
        return None
    x = Axis(min([-0.1, *(row["stability"] for row in shown)]), 1.0, LEFT, RIGHT)
    means = [row["mean"] for row in shown]
    y = Axis(*with_room(means, 0.15, least=0.04), BOTTOM, TOP)
    parts = [upwards(y, LEFT, RIGHT, label), across(x, BOTTOM, "stability")]
    points = [(x.at(row["stability"]), y.at(row["mean"])) for row in shown]
    labeled = _labeled(points)
    for place, (row, point) in enumerate(zip(shown, points, strict=True)):
        shape, color = _method_look(methods.index(row["method"]))
        hint = (
            f"{row['method']}, {row['requested']}: score {row['mean']:.3f}, "
            f"stability {row['stability']:.2f}"
        )
        parts.append(mark(shape, *point, f"fill {color}", hint))
        if place in labeled:
            parts.append(text(point[0] + 8, point[1] + 4, str(row["requested"])))
    used = [name for name in methods if any(row["method"] == name for row in shown)]
    parts.append(_method_legend(used, methods))
    height = max(BOTTOM + 46, TOP + 24 + 20 * len(used))
    title = f"{label} against stability; the tables above give both as numbers"
    return svg(WIDTH, height, title, parts, "plot")


def _labeled(points: list[tuple[float, float]]) -> set[int]:
    """Return the places of points that have room for a label beside other marks and labels."""
    found: set[int] = set()
    for place, (x, y) in enumerate(points):
        others = [point for number, point in enumerate(points) if number != place]
        is_on_mark = any(-2 < ox - x < 26 and abs(oy - y) < 11 for ox, oy in others)
        written = [points[number] for number in found]
        is_on_label = any(abs(ox - x) < 24 and abs(oy - y) < 12 for ox, oy in written)
        if not is_on_mark and not is_on_label:
            found.add(place)
    return found


def _method_look(place: int) -> tuple[str, str]:
    return SHAPES[place % len(SHAPES)], f"c{place % N_COLORS}"


def _method_legend(names: list[str], methods: list[str]) -> str:
    """Return a legend; a method has the color and shape of its place among all methods."""
    looks = [(name, *_method_look(methods.index(name))) for name in names]
    entries = [(shape, f"fill {color}", cut_to(name, 24)) for name, shape, color in looks]
    return legend(entries, LEGEND, TOP + 12)
