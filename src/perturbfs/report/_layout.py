"""Computations that the figures of the page and those of matplotlib share: both show the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

# The colors of Okabe and Ito, which color-blind readers can distinguish, and eight more for many
# classes; page.css has them too.
COLORS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#555555",
    "#b8a800",
    "#6a3d9a",
    "#8c4a1f",
    "#b2182b",
    "#4dac26",
    "#e7298a",
    "#1c5d5d",
    "#a6a6ff",
    "#c9a27c",
)
MOST_DEVIATIONS = 2.5  # the heat map shows no more
N_BINS, N_LANES = 44, 7  # dots side by side in a strip, and on top of each other
LANE = 0.12  # distance of two lanes as a share of the strip's height
_LEAST_FOR_QUARTILES = 5
_NOISE_SERIES = (
    ("kept", "selected features kept", "circle", 0),
    ("score", "score", "square", 2),
    ("changed", "predictions changed", "triangle", 1),
)


def risk_colors(n_groups: int) -> Sequence[int]:
    """Return the positions of the colors of risk groups, from low to high risk."""
    return {2: (0, 1), 3: (0, 4, 1)}.get(n_groups, range(n_groups))


def round_values(
    low: float, high: float, n_most: int = 6, *, whole: bool = False
) -> list[tuple[float, str]]:
    """Return at most about `n_most` round values of a range with labels; integers if `whole`."""
    span = high - low
    if not span > 0:
        return [(low, f"{low:.3g}")]
    power = 10.0 ** math.floor(math.log10(span / n_most))
    factors = (1, 2, 2.5, 5, 10, 20)
    if whole and power <= 1:
        power, factors = 1.0, (1, 2, 5, 10, 20, 50)
    step = next(power * f for f in factors if span / (power * f) <= n_most)
    first = math.ceil(low / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9) + (step / power == 2.5))
    values = [step * k for k in range(first, math.floor(high / step + 1e-9) + 1)]
    return [(value, _axis_label(value, digits)) for value in values]


def _axis_label(value: float, digits: int) -> str:
    if abs(value) >= 1e5 or digits > 5:
        return f"{value:.3g}"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def with_room(
    values: Sequence[float], share: float = 0.04, least: float = 0.0
) -> tuple[float, float]:
    """Return limits of an axis that leave some room outside of all values.

    Parameters
    ----------
    values : sequence of float
    share : float
        Room on each side, as a share of the range of the values.
    least : float
        Least range, as a share of the largest value: smaller differences look small.
    """
    low, high = min(values), max(values)
    span = max(high - low, least * max(abs(low), abs(high)))
    room = share * (span or abs(low) or 1.0)
    return low - room, high + room


@dataclass(frozen=True, slots=True)
class Curve:
    """Scores by number of features, and the numbers that the figure marks."""

    sizes: list[int]
    scores: list[float]
    lows: list[float]  # one standard error below the scores
    highs: list[float]
    best: int  # place in `sizes`
    chosen: int  # number of features
    chosen_score: float | None  # None if that number was not tried
    equal: list[int]  # numbers of features that count as equal to the best
    least: int | None  # the least number that the rule takes


def read_curve(curve: dict[str, Any]) -> Curve:
    """Return what a figure shows of ``summary["details"]["curve"]``."""
    sizes, scores, chosen = curve["n_features"], curve["score"], curve["chosen"]
    errors = list(zip(scores, curve["standard_error"], strict=True))
    lows = [score - error for score, error in errors]
    best = sizes.index(curve["best"])
    return Curve(
        sizes,
        scores,
        lows,
        highs=[score + error for score, error in errors],
        best=best,
        chosen=chosen,
        chosen_score=scores[sizes.index(chosen)] if chosen in sizes else None,
        equal=curve["equal"],
        least=curve["least"],
    )


@dataclass(frozen=True, slots=True)
class Series:
    """Values for each level of noise."""

    label: str
    shape: str
    color: int
    values: list[float]


def noise_series(noise: dict[str, Any], metric: str) -> tuple[list[float], list[Series]]:
    """Return the levels of noise in percent, and what a figure shows of them."""
    rows = noise["rows"]
    found = [
        Series(metric if name == "score" else label, shape, color, [row[name] for row in rows])
        for name, label, shape, color in _NOISE_SERIES
    ]
    return [100 * row["level"] for row in rows], found


def values_by_class(values: Sequence[float], samples: dict[str, Any]) -> list[list[float]]:
    """Return the values of a feature in each class."""
    found: list[list[float]] = [[] for _ in samples["classes"]]
    for value, code in zip(values, samples["outcome"], strict=True):
        found[code].append(value)
    return found


def quartiles(values: Sequence[float]) -> list[float] | None:
    """Return the quartiles; None for so few values that the dots say it all."""
    if len(values) < _LEAST_FOR_QUARTILES:
        return None
    return [float(value) for value in np.quantile(values, [0.25, 0.5, 0.75])]


def spread_dots(values: Sequence[float], low: float, high: float) -> list[tuple[float, float]]:
    """Move dots that would hide each other; no random numbers are used.

    Parameters
    ----------
    values : sequence of float
    low, high : float
        Ends of the axis.

    Returns
    -------
    moved : list of (float, float)
        Value, and offset from the middle of the strip as a share of its height.
    """
    width = (high - low) / N_BINS
    n_taken: dict[int, int] = {}
    moved = []
    for value in values:
        place = round((value - low) / width)
        number = n_taken.get(place, 0)
        n_taken[place] = number + 1
        column, lane = divmod(number, N_LANES)
        moved.append((value + 0.8 * width * _outwards(column), LANE * _outwards(lane)))
    return moved


def _outwards(number: int) -> int:
    """Return 0, 1, -1, 2, -2, ... for 0, 1, 2, 3, 4, ..."""
    return (number + 1) // 2 * (1 if number % 2 else -1)


def standardize(values: Sequence[float]) -> Any:
    """Return values in standard deviations from their mean; zeros if all values are equal."""
    centered = np.array(values, dtype=float) - np.mean(values)
    return centered / (centered.std() or 1.0)


def stretches(codes: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return code, start and length of every stretch of equal codes."""
    found, start = [], 0
    for code, same in groupby(codes):
        length = len(list(same))
        found.append((code, start, length))
        start += length
    return found


def arrange_tree(tree: dict[str, Any]) -> tuple[list[int], list[list[tuple[float, float]]]]:
    """Arrange a tree of features such that no branches cross.

    Parameters
    ----------
    tree : dict
        An entry of ``summary["details"]["groups"]``.

    Returns
    -------
    order : list of int
        Positions of the features in ``tree["members"]``, from top to bottom.
    joins : list of list of (float, float)
        Each join as a line through four points, by correlation and by place from the top.
    """
    n_leaves, joins = len(tree["members"]), tree["joins"]
    below = {leaf: [leaf] for leaf in range(n_leaves)}
    for number, (first, second, _) in enumerate(joins, start=n_leaves):
        below[number] = below.pop(first) + below.pop(second)
    order = [leaf for leaves in below.values() for leaf in leaves]
    ends = {leaf: (1.0, float(place)) for place, leaf in enumerate(order)}
    drawn = []
    for number, (first, second, distance) in enumerate(joins, start=n_leaves):
        (x1, y1), (x2, y2), x = ends[first], ends[second], 1 - distance
        drawn.append([(x1, y1), (x, y1), (x, y2), (x2, y2)])
        ends[number] = (x, (y1 + y2) / 2)
    return order, drawn
