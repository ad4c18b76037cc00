"""Scores by number of features and the seconds they take, as SVG."""

from __future__ import annotations

import math
from typing import Any

from ._evaluation_plots import Scale, method_look
from ._svg import Axis, cut_to, line, mark, polyline, svg, text, upwards

LEFT, RIGHT, TOP, BOTTOM = 62.0, 700.0, 12.0, 300.0
LEGEND, WIDTH = 720.0, 920.0
FIRST = 130.0  # left of it all features and guessing have their labels
APART = 7.0  # between intervals at one number of features


def sizes_figure(
    rows: list[dict[str, Any]], methods: list[str], metric: str, label: str
) -> str | None:
    """Mean and interval of every method at every number of features.

    Parameters
    ----------
    rows : list of dict
        ``document["summary"]``.
    methods : list of str
    metric, label : str
        The score by its name, and as people call it.

    Returns
    -------
    svg : str or None
        None where no method was asked for a number of features.
    """
    shown = [row for row in rows if isinstance(row["requested"], int) and row["mean"] is not None]
    sizes = sorted({row["requested"] for row in shown})
    if not sizes:
        return None
    beside = [row for row in rows if row["requested"] == "all" and row["mean"] is not None]
    scale = Scale.for_rows([*shown, *beside], metric)
    y = Axis(scale.low, scale.high, BOTTOM, TOP)
    step = (RIGHT - FIRST) / len(sizes)
    at = {size: FIRST + step * (place + 0.5) for place, size in enumerate(sizes)}
    parts = [upwards(y, LEFT, RIGHT, label), line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis")]
    parts += [text(x, BOTTOM + 18, str(size), "middle") for size, x in at.items()]
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 38, "number of features", "middle", "label"))
    apart = min(APART, 0.8 * step / max(len(methods), 1))
    for place, method in enumerate(methods):
        aside = apart * (place - (len(methods) - 1) / 2)
        mine = [row for row in shown if row["method"] == method]
        parts.append(_method_line(mine, place, {s: x + aside for s, x in at.items()}, y))
    parts += [_beside(row, y) for row in beside]
    parts += [_legend_entry(name, place) for place, name in enumerate(methods)]
    height = max(BOTTOM + 46, TOP + 24 + 20 * len(methods))
    title = f"{label} by number of features; the tables below give all numbers"
    return svg(WIDTH, height, title, parts, "plot")


def _method_line(rows: list[dict[str, Any]], place: int, at: dict[int, float], y: Axis) -> str:
    color, shape = method_look(place)
    points = [(at[row["requested"]], y.at(row["mean"])) for row in rows]
    parts = [polyline(points, f"series thin {color}")]
    for row, (px, py) in zip(rows, points, strict=True):
        if row["low"] is not None:
            parts.append(line(px, y.at(row["low"]), px, y.at(row["high"]), f"series {color}"))
        parts.append(mark(shape, px, py, f"fill {color}"))
    return "".join(parts)


def _beside(row: dict[str, Any], y: Axis) -> str:
    place = y.at(row["mean"])
    return line(LEFT, place, RIGHT, place, "limit") + text(
        LEFT + 4, place - 5, row["method"], "start", "soft"
    )


def seconds_figure(rows: list[dict[str, Any]], methods: list[str]) -> str | None:
    """Seconds that one selection takes, a row a method, a mark for each number of features.

    Parameters
    ----------
    rows : list of dict
        ``document["summary"]``.
    methods : list of str

    Returns
    -------
    svg : str or None
        None where nothing was measured.
    """
    timed = [row for row in rows if row["method"] in methods and row["seconds"]]
    if not timed:
        return None
    low = math.floor(math.log10(min(row["seconds"] for row in timed)))
    high = max(math.ceil(math.log10(max(row["seconds"] for row in timed))), low + 1)
    left, top, step = 150.0, 8.0, 26.0
    x = Axis(low, high, left + 8, RIGHT)
    bottom = top + step * len(methods)
    parts = [line(left, bottom, RIGHT, bottom, "axis")]
    for power in range(low, high + 1):
        place = x.at(power)
        parts.append(line(place, top, place, bottom + 4))
        parts.append(text(place, bottom + 18, f"{10.0**power:g} s", "middle"))
    for place, method in enumerate(methods):
        color, shape = method_look(place)
        y = top + step * (place + 0.5)
        parts.append(text(left - 4, y + 4, cut_to(method, 20), "end"))
        parts += [
            mark(shape, x.at(math.log10(row["seconds"])), y, f"fill {color}")
            for row in timed
            if row["method"] == method
        ]
    title = "Seconds for one selection by method; the tables above give all numbers"
    return svg(RIGHT + 30, bottom + 28, title, parts, "plot")


def _legend_entry(name: str, place: int) -> str:
    color, shape = method_look(place)
    y = TOP + 12 + 20 * place
    return mark(shape, LEGEND, y, f"fill {color}") + text(LEGEND + 12, y + 4, cut_to(name, 24))
