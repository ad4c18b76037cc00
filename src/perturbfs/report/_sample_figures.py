"""Figures of samples: a strip or scatter plot of each chosen feature, and the heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _layout as layout
from ._svg import Axis, across, block, cut_to, dots, line, svg, text, upwards

STRIP_WIDTH, STRIP_RIGHT, STRIP_TOP, STRIP_ROW = 300.0, 286.0, 6.0, 30.0
STRIP_LEFT, SCATTER_LEFT, SCATTER_BOTTOM = 90.0, 52.0, 150.0
N_SHADES = 11  # of the heat map
HEAT_LEFT, HEAT_RIGHT, HEAT_TOP, HEAT_ROW = 150.0, 930.0, 46.0, 18.0


def strip_figure(name: str, values: Sequence[float], samples: dict[str, Any]) -> str:
    """Draw a feature: a row of dots per class with its quartiles, or a scatter plot.

    Parameters
    ----------
    name : str
        Name of the feature.
    values : sequence of float
        In the order of the samples.
    samples : dict
        ``summary["details"]["samples"]``.

    Returns
    -------
    svg : str
    """
    low, high = layout.with_room(values)
    if samples["classes"] is None:
        return _scatter(name, Axis(low, high, SCATTER_LEFT, STRIP_RIGHT), values, samples)
    x = Axis(low, high, STRIP_LEFT, STRIP_RIGHT)
    bottom = STRIP_TOP + STRIP_ROW * len(samples["classes"])
    parts = [across(x, bottom, ticks=x.ticks(4), top=STRIP_TOP)]
    for code, mine in enumerate(layout.values_by_class(values, samples)):
        y, label = STRIP_TOP + STRIP_ROW * (code + 0.5), samples["classes"][code]
        parts.append(text(STRIP_LEFT - 10, y + 4, cut_to(label, 11), "end"))
        moved = layout.spread_dots(mine, low, high)
        points = [(x.at(value), round(y + STRIP_ROW * aside, 1)) for value, aside in moved]
        parts.append(dots(points, f"c{code % len(layout.COLORS)}"))
        box = layout.quartiles(mine)
        if box is not None:
            first, middle, third = (x.at(value) for value in box)
            parts.append(line(first, y, third, y, "quartiles"))
            parts.append(line(middle, y - 9, middle, y + 9, "median"))
    return svg(STRIP_WIDTH, bottom + 26, f"{name} by class", parts, "strip")


def _scatter(name: str, x: Axis, values: Sequence[float], samples: dict[str, Any]) -> str:
    y = Axis(*layout.with_room(samples["outcome"]), SCATTER_BOTTOM, 8)
    points = [(x.at(v), y.at(o)) for v, o in zip(values, samples["outcome"], strict=True)]
    parts = [
        across(x, SCATTER_BOTTOM, ticks=x.ticks(4)),
        upwards(y, SCATTER_LEFT, STRIP_RIGHT, n_most=4),
        dots(points, "c0"),
    ]
    return svg(STRIP_WIDTH, SCATTER_BOTTOM + 26, f"Outcome against {name}", parts, "strip")


def heat_figure(names: Sequence[str], samples: dict[str, Any]) -> str:
    """Draw the chosen features by samples, in shades from low to high values of each feature.

    Parameters
    ----------
    names : sequence of str
        Names of the features, at least one for each row of values.
    samples : dict
        ``summary["details"]["samples"]``.

    Returns
    -------
    svg : str
    """
    n_samples, n_rows = len(samples["outcome"]), len(samples["values"])
    width = (HEAT_RIGHT - HEAT_LEFT) / n_samples
    cells: list[list[str]] = [[] for _ in range(N_SHADES)]
    for row, values in enumerate(samples["values"]):
        y = HEAT_TOP + HEAT_ROW * row
        for shade, start, length in layout.stretches(_shades(values)):
            x = HEAT_LEFT + width * start
            cells[shade].append(f"M{x:.1f} {y:g}h{width * length:.1f}v{HEAT_ROW - 1:g}H{x:.1f}z")
    parts = [f'<path class="h{k}" d="{"".join(each)}"></path>' for k, each in enumerate(cells)]
    parts += [
        text(HEAT_LEFT - 6, HEAT_TOP + HEAT_ROW * (row + 0.5) + 4, cut_to(name, 21), "end")
        for row, name in enumerate(names[:n_rows])
    ]
    bottom = HEAT_TOP + HEAT_ROW * n_rows
    parts += [_outcome_row(samples, width), _shade_legend(bottom + 14)]
    title = f"{n_rows} chosen features by {n_samples} samples, ordered by the outcome"
    return svg(HEAT_RIGHT + 4, bottom + 54, title, parts, "heat")


def _shades(values: Sequence[float]) -> list[int]:
    """Return the shade of every value, by its distance from the mean in standard deviations."""
    half = N_SHADES // 2
    shades = np.rint(half * layout.standardize(values) / layout.MOST_DEVIATIONS)
    return [half + int(shade) for shade in shades.clip(-half, half)]


def _outcome_row(samples: dict[str, Any], width: float) -> str:
    """Return the classes above the samples, or shades of the quantity."""
    y, classes = HEAT_TOP - 14, samples["classes"]
    is_quantity = classes is None
    codes = _shades(samples["outcome"]) if is_quantity else samples["outcome"]
    parts, free = [], 0.0
    for code, start, length in layout.stretches(codes):
        x = HEAT_LEFT + width * start
        color = f"h{code}" if is_quantity else f"fill c{code % len(layout.COLORS)}"
        parts.append(block(x, y, width * length, 10, color))
        words = "" if is_quantity else cut_to(classes[code], 22)
        room = 7.0 * len(words) + 4
        # No label is written over another; the strips show the colors of all classes.
        if words and x >= free and x + room <= HEAT_RIGHT + 4:
            parts.append(text(x, y - 6, words))
            free = x + room
    if is_quantity:
        parts.append(text(HEAT_LEFT - 6, y + 9, "outcome", "end", "soft"))
    return "".join(parts)


def _shade_legend(y: float) -> str:
    size, half = 22.0, N_SHADES // 2
    labels = ((0, "\N{MINUS SIGN}2.5"), (half, "mean"), (N_SHADES - 1, "+2.5"))
    parts = [block(HEAT_LEFT + size * k, y, size, 10, f"h{k}") for k in range(N_SHADES)]
    parts += [text(HEAT_LEFT + size * (k + 0.5), y + 25, each, "middle") for k, each in labels]
    unit = text(HEAT_LEFT + size * N_SHADES + 10, y + 9, "standard deviations", "start", "soft")
    return "".join([*parts, unit])
