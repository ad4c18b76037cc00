"""Figures of two cohorts: the values of a feature in both, and predictions of a quantity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _layout as layout
from ._sample_figures import STRIP_LEFT, STRIP_RIGHT, STRIP_TOP, STRIP_WIDTH, strip_figure
from ._svg import Axis, across, cut_to, dots, legend, line, svg, text

ROW, GAP = 22.0, 8.0  # of a cohort, and between two classes
COHORTS = ("first", "second")
LABELS = ("first cohort", "second cohort")
LONGEST = 11  # letters of a class beside its dots


def shift_figure(name: str, place: int, document: dict[str, Any]) -> str:
    """Draw the values of a feature: for each class a row of dots per cohort, with quartiles.

    Parameters
    ----------
    name : str
    place : int
        Of the feature among those whose values are stored.
    document : dict
        Content of validation.json.

    Returns
    -------
    svg : str
    """
    cohorts = [document[each]["samples"] for each in COHORTS]
    values = [each["values"][place] for each in cohorts]
    low, high = layout.with_room([*values[0], *values[1]])
    x = Axis(low, high, STRIP_LEFT, STRIP_RIGHT)
    rows = _rows(values, cohorts, document["classes"])
    bottom = STRIP_TOP + len(rows) * (2 * ROW + GAP) - GAP
    parts = [across(x, bottom, ticks=x.ticks(4), top=STRIP_TOP)]
    for number, (label, pair) in enumerate(rows):
        top = STRIP_TOP + number * (2 * ROW + GAP)
        parts.append(text(STRIP_LEFT - 10, top + ROW + 4, cut_to(label, LONGEST), "end"))
        for color, mine in enumerate(pair):
            parts.append(_strip(x, top + ROW * (color + 0.5), mine, color))
    return svg(STRIP_WIDTH, bottom + 26, f"{name} in both cohorts", parts, "strip")


def _rows(
    values: Sequence[Sequence[float]],
    cohorts: Sequence[dict[str, Any]],
    classes: Sequence[str] | None,
) -> list[tuple[str, list[list[float]]]]:
    """Return the label of each class with its values in both cohorts."""
    if classes is None:
        return [("", [list(each) for each in values])]
    by_class = [
        dict(zip(each["classes"], layout.values_by_class(mine, each), strict=True))
        for mine, each in zip(values, cohorts, strict=True)
    ]
    return [(label, [each.get(label, []) for each in by_class]) for label in classes]


def _strip(x: Axis, y: float, values: list[float], color: int) -> str:
    moved = layout.spread_dots(values, x.low, x.high)
    points = [(x.at(value), round(y + ROW * aside, 1)) for value, aside in moved]
    parts = [dots(points, f"c{color}")]
    box = layout.quartiles(values)
    if box is not None:
        first, middle, third = (x.at(value) for value in box)
        parts.append(line(first, y, third, y, "quartiles"))
        parts.append(line(middle, y - 7, middle, y + 7, "median"))
    return "".join(parts)


def cohort_legend() -> str:
    """Draw the colors of the two cohorts."""
    entries = [("circle", f"fill c{color}", label) for color, label in enumerate(LABELS)]
    return svg(300, 20, "Colors of the cohorts", [legend(entries, 10, 10, n_columns=2, width=140)])


def prediction_figure(predicted: dict[str, Any]) -> str:
    """Draw a quantity against its prediction."""
    samples = {"classes": None, "outcome": predicted["true"]}
    return strip_figure("its prediction", predicted["predicted"], samples)
