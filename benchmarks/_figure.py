"""Draw the CPU time of each way relative to ours, on a logarithmic scale, from the CSV files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from _measure import Row, over_ours

LEFT, WIDTH, RIGHT, TOP, STEP = 430, 620, 120, 60, 18
BLUE, ORANGE = "#0072b2", "#d55e00"
STYLE = (
    "<style>.ink{fill:#222}.line{stroke:#8886}"
    "@media(prefers-color-scheme:dark){.ink{fill:#ddd}}</style>"
)


def ratio_plot(rows: Sequence[Row]) -> str:
    """Return an SVG figure with a dot for each way that is not ours; right of 1, ours is faster.

    A way that was stopped at the limit is an arrow: it would be further right.
    """
    pairs = zip(rows, over_ours(rows), strict=True)
    shown = [
        (each, ratio)
        for each, ratio in pairs
        if each.way != "ours" and ratio > 0 and math.isfinite(ratio)
    ]
    logs = [math.log10(ratio) for _, ratio in shown] or [0.0]
    low, high = math.floor(min(*logs, 0.0)), math.ceil(max(*logs, 1.0))
    titles = len({each.key for each, _ in shown})
    bottom = TOP + STEP * (len(shown) + titles) + STEP
    title = "CPU seconds over ours (1 = as fast as ours; right of it: slower than ours)"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} '
        f'{bottom + 40}" role="img" aria-label="{title}" font-family="system-ui, sans-serif" '
        'font-size="12">'
    )
    parts = [
        head,
        f"<title>{title}</title>",
        STYLE,
        _text(LEFT, 24, title, "start"),
        *_scale(low, high, bottom),
        *_dots(shown, low, high),
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(log: float, low: int, high: int) -> float:
    return LEFT + WIDTH * (log - low) / (high - low)


def _scale(low: int, high: int, bottom: int) -> list[str]:
    parts = []
    for power in range(low, high + 1):
        x = _place(power, low, high)
        wide = 2 if power == 0 else 1
        parts.append(
            f'<line class="line" x1="{x:.1f}" y1="{TOP - 10}" x2="{x:.1f}" y2="{bottom}" '
            f'stroke-width="{wide}"/>'
        )
        parts.append(_text(x, bottom + 18, f"{10.0**power:g}", "middle"))
    return parts


def _dots(shown: Sequence[tuple[Row, float]], low: int, high: int) -> list[str]:
    parts, y, key = [], float(TOP), None
    for each, ratio in shown:
        if each.key != key:
            key, y = each.key, y + STEP
            parts.append(_text(10, y, " · ".join(each.key), "start", weight="bold"))
        y += STEP
        x, start = _place(math.log10(ratio), low, high), _place(0.0, low, high)
        color = BLUE if ratio >= 1 else ORANGE
        mark = (
            f'<path d="M{x:.1f} {y - 9:.1f}l8 5-8 5z" fill="{color}"/>'
            if each.is_stopped
            else f'<circle cx="{x:.1f}" cy="{y - 4:.1f}" r="4" fill="{color}"/>'
        )
        parts.append(_text(LEFT - 10, y, each.way.strip(), "end"))
        parts.append(
            f'<line x1="{start:.1f}" y1="{y - 4:.1f}" x2="{x:.1f}" y2="{y - 4:.1f}" '
            f'stroke="{color}" stroke-width="1.5"/>{mark}'
        )
        more = "> " if each.is_stopped else ""
        parts.append(_text(x + 10, y, f"{more}{ratio:.3g}", "start"))
    return parts


def _text(x: float, y: float, text: str, anchor: str, weight: str = "normal") -> str:
    return (
        f'<text class="ink" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
