"""Figures of samples: a strip or scatter plot of each chosen feature, and the heat map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from perturbfs.results import count_of

from . import _layout as layout
from ._svg import Axis, across, block, cut_to, dots, legend, line, svg, text, upwards

STRIP_WIDTH, STRIP_RIGHT, STRIP_TOP, STRIP_ROW = 300.0, 286.0, 6.0, 30.0
STRIP_LEFT, SCATTER_LEFT, SCATTER_BOTTOM = 90.0, 52.0, 150.0
N_SHADES = 11  # of the heat map
HEAT_LEFT, HEAT_RIGHT, HEAT_TOP, HEAT_ROW = 150.0, 930.0, 46.0, 18.0
LETTER = 7.0  # width of a letter
LEGEND_COLUMNS, LEGEND_LETTERS = 4, 24


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
    height = bottom + 54
    if samples["classes"] is not None and not _labels_fit(samples, width):
        parts.append(_class_legend(samples["classes"], height + 8))
        height += 20 * math.ceil(len(samples["classes"]) / LEGEND_COLUMNS) + 4
    title = (
        f"{count_of(n_rows, 'selected feature')} by {count_of(n_samples, 'sample')}, by outcome"
    )
    return svg(HEAT_RIGHT + 4, height, title, parts, "heat")


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
    has_labels = not is_quantity and _labels_fit(samples, width)
    parts = []
    for code, start, length in layout.stretches(codes):
        x = HEAT_LEFT + width * start
        color = f"h{code}" if is_quantity else f"fill c{code % len(layout.COLORS)}"
        parts.append(block(x, y, width * length, 10, color))
        if has_labels:
            parts.append(text(x, y - 6, cut_to(classes[code], 22)))
    if is_quantity:
        parts.append(text(HEAT_LEFT - 6, y + 9, "outcome", "end", "soft"))
    return "".join(parts)


def _labels_fit(samples: dict[str, Any], width: float) -> bool:
    """Return whether the name of every class fits above its samples."""
    return all(
        LETTER * len(cut_to(samples["classes"][code], 22)) + 4 <= width * length
        for code, _, length in layout.stretches(samples["outcome"])
    )


def _class_legend(classes: Sequence[str], y: float) -> str:
    """Return the colors of all classes with their names, in rows."""
    return legend(
        (
            ("square", f"fill c{code % len(layout.COLORS)}", cut_to(name, LEGEND_LETTERS))
            for code, name in enumerate(classes)
        ),
        HEAT_LEFT + 6,
        y,
        n_columns=LEGEND_COLUMNS,
        width=(HEAT_RIGHT - HEAT_LEFT) / LEGEND_COLUMNS,
    )


def _shade_legend(y: float) -> str:
    size, half = 22.0, N_SHADES // 2
    labels = ((0, "\N{MINUS SIGN}2.5"), (half, "mean"), (N_SHADES - 1, "+2.5"))
    parts = [block(HEAT_LEFT + size * k, y, size, 10, f"h{k}") for k in range(N_SHADES)]
    parts += [text(HEAT_LEFT + size * (k + 0.5), y + 25, each, "middle") for k, each in labels]
    unit = text(HEAT_LEFT + size * N_SHADES + 10, y + 9, "standard deviations", "start", "soft")
    return "".join([*parts, unit])
