"""Kaplan-Meier curves of risk groups, with the numbers at risk below."""

from __future__ import annotations

from typing import Any

from ._layout import risk_colors
from ._svg import Axis, across, cut_to, legend, polyline, svg, text, upwards

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 680.0, 112.0, 656.0, 34.0, 274.0
ROW = 20.0  # of the numbers at risk


def survival_figure(found: dict[str, Any]) -> str:
    """Draw the share of samples without the event by time, one curve per risk group.

    Parameters
    ----------
    found : dict
        ``summary["details"]["survival"]``.

    Returns
    -------
    svg : str
    """
    curves = found["curves"]
    colors = risk_colors(len(curves))
    longest = max(each["time"][-1] for each in curves)
    x, y = Axis(0.0, longest, LEFT, RIGHT), Axis(0.0, 1.0, BOTTOM, TOP)
    ticks = [(x.at(time), f"{time:g}") for time in found["at_risk_times"]]
    label = cut_to(found["time_label"], 60)
    parts = [upwards(y, LEFT, RIGHT, "share without the event"), across(x, BOTTOM, label, ticks)]
    for color, each in zip(colors, curves, strict=True):
        parts.append(polyline(_steps(each, x, y), f"series c{color}"))
    words = [f"{each['label']} ({each['n_events']} of {each['n_samples']})" for each in curves]
    entries = [
        ("square", f"fill c{color}", each) for color, each in zip(colors, words, strict=True)
    ]
    parts.append(legend(entries, LEFT + 8, 13, n_columns=len(entries), width=185))
    top = BOTTOM + 62
    parts.append(text(LEFT - 26, top, "at risk", "end", kind="soft"))
    for row, each in enumerate(curves, start=1):
        parts.append(text(LEFT - 26, top + ROW * row, each["label"], "end"))
        for (place, _), count in zip(ticks, each["at_risk"], strict=True):
            parts.append(text(place, top + ROW * row, f"{count:,}", "middle"))
    title = f"Kaplan-Meier curves of {len(curves)} risk groups, with events: {', '.join(words)}"
    return svg(WIDTH, top + ROW * len(curves) + 12, title, parts, "plot")


def _steps(curve: dict[str, Any], x: Axis, y: Axis) -> list[tuple[float, float]]:
    """Return the corners of a curve, which is constant until the next time."""
    corners: list[tuple[float, float]] = []
    for time, share in zip(curve["time"], curve["survival"], strict=True):
        if corners:
            corners.append((x.at(time), corners[-1][1]))
        corners.append((x.at(time), y.at(share)))
    return corners
