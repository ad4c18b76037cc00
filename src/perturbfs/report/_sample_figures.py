"""Values of the chosen features by sample: strips, scatter plots and the heat map, as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ._svg import N_COLORS, Axis, across, cut_to, dots, line, svg, text

STRIP_WIDTH, LEFT = 300.0, 84.0
DOT, LANES = 4.5, 7  # room for a dot, and how many are stacked before they go aside
ROW = 0.8 * DOT * LANES + 5
LEVELS = 11  # shades of the heat map
MOST_DEVIATIONS = 2.5
HEAT_LEFT, HEAT_WIDTH, HEAT_ROW, HEAT_TOP = 150.0, 780.0, 18.0, 46.0


def strip_figure(name: str, values: Sequence[float], samples: dict[str, Any]) -> str:
    """One feature: a row of dots for each class with its quartiles, or a scatter plot.

    Parameters
    ----------
    name : str
        Of the feature.
    values : sequence of float
        In the order of the samples.
    samples : dict
        ``summary["details"]["samples"]``.

    Returns
    -------
    svg : str
    """
    if samples["classes"] is None:
        return _scatter(name, values, samples["outcome"])
    classes = samples["classes"]
    low, high = _room(values)
    x = Axis(low, high, LEFT + 6, STRIP_WIDTH - 14)
    bottom = 6 + ROW * len(classes)
    parts = [across(x, bottom, "", 4, top=6)]
    for place, label in enumerate(classes):
        mine = [v for v, code in zip(values, samples["outcome"], strict=True) if code == place]
        middle, color = 6 + ROW * (place + 0.5), f"c{place % N_COLORS}"
        parts.append(text(LEFT - 4, middle + 4, cut_to(label, 11), "end"))
        moved = spread_dots([x.at(value) for value in mine])
        parts.append(dots([(px, round(middle + apart, 1)) for px, apart in moved], color))
        if len(mine) >= 5:  # fewer say it all themselves
            parts.append(_box(mine, x, middle))
    return svg(STRIP_WIDTH, bottom + 26, f"{name} by class", parts, "strip")


def _box(values: Sequence[float], x: Axis, y: float) -> str:
    first, middle, third = (x.at(_quantile(values, share)) for share in (0.25, 0.5, 0.75))
    return line(first, y, third, y, "quartiles") + line(middle, y - 9, middle, y + 9, "median")


def spread_dots(places: Sequence[float]) -> list[tuple[float, float]]:
    """Dots moved aside where they would hide each other; no random numbers.

    Parameters
    ----------
    places : sequence of float

    Returns
    -------
    moved : list of (float, float)
        Place, and how far above or below the line.
    """
    taken: dict[int, int] = {}
    moved = []
    for place in places:
        stack = round(place / DOT)
        number = taken.get(stack, 0)
        taken[stack] = number + 1
        column, lane = divmod(number, LANES)
        # From the middle outwards: 0, 1, -1, 2, -2, ...
        apart = (lane + 1) // 2 * (1 if lane % 2 else -1)
        aside = (column + 1) // 2 * (1 if column % 2 else -1)
        moved.append((round(place + 0.8 * DOT * aside, 1), round(0.8 * DOT * apart, 1)))
    return moved


def _scatter(name: str, values: Sequence[float], outcome: Sequence[float]) -> str:
    width, bottom = STRIP_WIDTH, 150.0
    x = Axis(*_room(values), 52, width - 14)
    y = Axis(*_room(outcome), bottom, 8)
    points = [(x.at(v), y.at(o)) for v, o in zip(values, outcome, strict=True)]
    parts = [across(x, bottom, "", 4)]
    for place, words in y.ticks(4):
        parts += [line(52, place, width - 14, place), text(46, place + 4, words, "end")]
    return svg(
        width, bottom + 26, f"Outcome against {name}", [*parts, dots(points, "c0")], "strip"
    )


def heat_figure(names: Sequence[str], samples: dict[str, Any]) -> str:
    """Chosen features by samples, each feature from its lowest to its highest values.

    Parameters
    ----------
    names : sequence of str
        Of the features, as many as there are values.
    samples : dict
        ``summary["details"]["samples"]``.

    Returns
    -------
    svg : str
    """
    n_samples, n_rows = len(samples["outcome"]), len(samples["values"])
    width = HEAT_WIDTH / n_samples
    cells: list[list[str]] = [[] for _ in range(LEVELS)]
    for row, values in enumerate(samples["values"]):
        for level, start, length in _stretches(_levels(values)):
            x, y = HEAT_LEFT + width * start, HEAT_TOP + HEAT_ROW * row
            cells[level].append(f"M{x:.1f} {y:g}h{width * length:.1f}v{HEAT_ROW - 1:g}H{x:.1f}z")
    parts = [f'<path class="h{k}" d="{"".join(each)}"></path>' for k, each in enumerate(cells)]
    parts += [
        text(HEAT_LEFT - 6, HEAT_TOP + HEAT_ROW * (row + 0.5) + 4, cut_to(name, 21), "end")
        for row, name in enumerate(names[:n_rows])
    ]
    parts.append(_outcome_strip(samples, width))
    bottom = HEAT_TOP + HEAT_ROW * n_rows
    parts.append(_legend(bottom + 14))
    title = f"{n_rows} chosen features by {n_samples} samples, ordered by the outcome"
    return svg(HEAT_LEFT + HEAT_WIDTH + 4, bottom + 54, title, parts, "heat")


def _levels(values: Sequence[float]) -> list[int]:
    """Shade of every value: standard deviations from the mean, cut at 2.5."""
    middle = sum(values) / len(values)
    deviation = math.sqrt(sum((v - middle) ** 2 for v in values) / len(values)) or 1.0
    half = LEVELS // 2
    shades = (round(half * (v - middle) / deviation / MOST_DEVIATIONS) for v in values)
    return [half + min(max(shade, -half), half) for shade in shades]


def _stretches(levels: Sequence[int]) -> list[tuple[int, int, int]]:
    """Level, start and length of every stretch of equal levels."""
    found: list[tuple[int, int, int]] = []
    for place, level in enumerate(levels):
        if found and found[-1][0] == level:
            found[-1] = (level, found[-1][1], found[-1][2] + 1)
        else:
            found.append((level, place, 1))
    return found


def _outcome_strip(samples: dict[str, Any], width: float) -> str:
    """The classes above the samples, or how high the quantity is."""
    y, classes = HEAT_TOP - 14, samples["classes"]
    if classes is None:
        levels = _levels(samples["outcome"])
        parts = [text(HEAT_LEFT - 6, y + 9, "outcome", "end", "soft")]
        for level, start, length in _stretches(levels):
            x = HEAT_LEFT + width * start
            parts.append(_block(f"h{level}", x, y, width * length))
        return "".join(parts)
    parts, free = [], 0.0
    for code, start, length in _stretches(samples["outcome"]):
        x = HEAT_LEFT + width * start
        parts.append(_block(f"fill c{code % N_COLORS}", x, y, width * length))
        words = cut_to(classes[code], 22)
        wide = 7.0 * len(words) + 4
        # A label that would run into the one before it is left to the legend of the dots.
        if x >= free and x + wide <= HEAT_LEFT + HEAT_WIDTH + 4:
            parts.append(text(x, y - 6, words))
            free = x + wide
    return "".join(parts)


def _block(kind: str, x: float, y: float, width: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:g}" width="{width:.1f}" height="10"></rect>'


def _legend(y: float) -> str:
    size = 22.0
    start = HEAT_LEFT
    blocks = [_block(f"h{k}", start + size * k, y, size) for k in range(LEVELS)]
    half = LEVELS // 2
    labels = ((0, "\N{MINUS SIGN}2.5"), (half, "mean"), (LEVELS - 1, "+2.5"))
    words = [text(start + size * (k + 0.5), y + 25, each, "middle") for k, each in labels]
    unit = text(start + size * LEVELS + 10, y + 9, "standard deviations", "start", "soft")
    return "".join([*blocks, *words, unit])


def _room(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    apart = (high - low) or abs(low) or 1.0
    return low - 0.04 * apart, high + 0.04 * apart


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])
