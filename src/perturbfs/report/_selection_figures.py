"""Figures of a selection: score curve, noise, the tree of a group, and the bars of a direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perturbfs.results import count_of

from ._layout import COLORS, arrange_tree, noise_series, read_curve, with_room
from ._svg import (
    Axis,
    across,
    block,
    cut_to,
    legend,
    line,
    mark,
    polyline,
    svg,
    text,
    upwards,
)

WIDTH, HEIGHT = 680.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 664.0, 34.0, 284.0
TREE_ROW, TREE_TOP, TREE_LEFT, TREE_RIGHT, TREE_WIDTH = 19.0, 10.0, 16.0, 250.0, 560.0
LEAST_DISTANCE = 0.05  # between the ends of a tree's axis


def curve_figure(curve: dict[str, Any], metric: str) -> str:
    """Draw the inner score by number of features, and mark the best and the chosen number.

    Parameters
    ----------
    curve : dict
        ``summary["details"]["curve"]``.
    metric : str
        Name of the score.

    Returns
    -------
    svg : str
    """
    found = read_curve(curve)
    x = Axis(min(found.sizes), max(found.sizes), LEFT + 12, RIGHT - 12)
    y = Axis(*with_room([*found.lows, *found.highs], 0.06), BOTTOM, TOP)
    middle, low, high = (
        [(x.at(size), y.at(value)) for size, value in zip(found.sizes, values, strict=True)]
        for values in (found.scores, found.lows, found.highs)
    )
    parts = [
        upwards(y, LEFT, RIGHT, metric),
        across(x, BOTTOM, "number of features", x.ticks(whole=True)),
        polyline([*high, *reversed(low)], "band"),
        polyline(middle, "curve"),
        *(
            mark("circle", *point, "equal" if size in found.equal else "small")
            for size, point in zip(found.sizes, middle, strict=True)
        ),
        mark("diamond", *middle[found.best], "best"),
        *_curve_legend(found.equal),
    ]
    if found.least is not None and found.least > 1:
        least = x.at(found.least)
        parts.append(line(least, TOP, least, BOTTOM, "limit"))
        anchor, aside = ("start", 6) if least < (LEFT + RIGHT) / 2 else ("end", -6)
        words = f"at least {found.least}"
        parts.append(text(least + aside, BOTTOM - 8, words, anchor, "soft"))
    place = x.at(found.chosen)
    anchor, aside = ("start", 8) if place < (LEFT + RIGHT) / 2 else ("end", -8)
    parts.append(line(place, TOP - 14, place, BOTTOM, "mark-line"))
    parts.append(text(place + aside, TOP - 8, f"chosen: {found.chosen}", anchor, "strong"))
    if found.chosen_score is not None:
        parts.append(mark("circle", place, y.at(found.chosen_score), "chosen"))
    title = (
        f"{metric} on the inner splits against the number of features: the best score is "
        f"{found.scores[found.best]:.3f} with {count_of(found.sizes[found.best], 'feature')}; the "
        f"number chosen is {found.chosen}. The table below has all numbers."
    )
    return svg(WIDTH, HEIGHT + 16, title, parts, "plot")


def _curve_legend(equal: Sequence[int]) -> list[str]:
    entries = [("diamond", "best", "best score")]
    if len(equal) > 1:
        entries.append(("circle", "equal", "counts as equal to the best"))
    return [legend(entries, LEFT + 12, HEIGHT + 6, n_columns=2, width=160)]


def noise_figure(noise: dict[str, Any], metric: str) -> str:
    """Draw the features kept, the predictions changed and the score, by level of noise.

    Parameters
    ----------
    noise : dict
        ``summary["details"]["noise"]``, with rows.
    metric : str
        Name of the score.

    Returns
    -------
    svg : str
    """
    levels, series = noise_series(noise, metric)
    values = [value for each in series for value in each.values]
    x = Axis(0.0, max(levels), LEFT + 12, RIGHT - 12)
    y = Axis(min(0.0, *values), max(1.0, *values), BOTTOM, TOP)
    parts = [
        upwards(y, LEFT, RIGHT, "share, or score"),
        across(
            x,
            BOTTOM,
            "noise, percent of each feature's standard deviation",
            [(x.at(level), f"{level:g}") for level in levels],
        ),
        legend(
            ((each.shape, f"fill c{each.color}", each.label) for each in series),
            LEFT + 12,
            13,
            n_columns=len(series),
            width=200,
        ),
    ]
    for each in series:
        points = [(x.at(a), y.at(b)) for a, b in zip(levels, each.values, strict=True)]
        parts.append(polyline(points, f"series c{each.color}"))
        parts += [mark(each.shape, *point, f"fill c{each.color}") for point in points]
    title = "Effect of noise on the selection; the table below has all numbers."
    return svg(WIDTH, HEIGHT, title, parts, "plot")


def tree_figure(tree: dict[str, Any]) -> str:
    """Draw the features of a group as a tree; similar features join far to the right.

    Parameters
    ----------
    tree : dict
        An entry of ``summary["details"]["groups"]``.

    Returns
    -------
    svg : str
    """
    members = tree["members"]
    order, joins = arrange_tree(tree)
    lowest = min([1 - LEAST_DISTANCE, *(join[1][0] for join in joins)])
    x = Axis(lowest, 1.0, TREE_LEFT, TREE_RIGHT)
    bottom = TREE_TOP + TREE_ROW * len(members)
    parts = [
        polyline([(x.at(a), TREE_TOP + TREE_ROW * (b + 0.5)) for a, b in join], "branch")
        for join in joins
    ]
    for place, leaf in enumerate(order):
        words = f"{cut_to(members[leaf], 32)}  (r = {tree['correlation'][leaf]:.2f})"
        height = TREE_TOP + TREE_ROW * (place + 0.5) + 4
        parts.append(text(TREE_RIGHT + 8, height, words, kind="strong" if leaf == 0 else ""))
    parts.append(across(x, bottom + 4, ticks=x.ticks(4)))
    label = "absolute correlation at which they join"
    parts.append(text(TREE_RIGHT + 30, bottom + 21, label, kind="soft"))
    title = f"Tree of {len(members)} features by correlation; {members[0]} was selected"
    return svg(TREE_WIDTH, bottom + 30, title, parts, "tree")


def effect_figure(effects: Sequence[float], classes: Sequence[str]) -> str:
    """Draw a small bar per class: upwards if the feature is high in it, downwards if it is low."""
    width = 9.0 if len(effects) <= 12 else 108.0 / len(effects)
    parts = [line(0, 15, width * len(effects), 15, "axis")]
    for place, effect in enumerate(effects):
        size = min(abs(effect) / 1.5, 1.0) * 14
        top = 15 - size if effect > 0 else 15
        color = f"fill c{place % len(COLORS)}"
        parts.append(block(place * width + 1, top, width - 2, size, color))
    words = ", ".join(f"{name} {each:+.2f}" for name, each in zip(classes, effects, strict=True))
    title = f"Standard deviations from the mean: {words}"
    return svg(width * len(effects), 30, title, parts, "mini")
