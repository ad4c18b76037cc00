"""Figures as SVG text: they scale, need no library, and follow light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

# Okabe and Ito's colors, told apart by all; shapes tell them apart in print.
BLUE, ORANGE, GREEN, GRAY, PURPLE = "#0072b2", "#d55e00", "#009e73", "#777777", "#cc79a7"

ROW, TOP, LEFT, WIDTH, RIGHT = 44, 96, 120, 640, 30
_SIZE = 6
_STYLE = (
    "<style>.ink{fill:#222}.line{stroke:#8886}.hollow{fill:#fff}"
    "@media(prefers-color-scheme:dark){.ink{fill:#ddd}.hollow{fill:#222}}</style>"
)


@dataclass(frozen=True, slots=True)
class Series:
    """Dots of one kind."""

    label: str
    color: str
    shape: str  # "circle", "ring", "square", "diamond" or "cross"
    values: Sequence[float | None]  # one a row


def dot_plot(
    title: str, rows: Sequence[str], series: Sequence[Series], *, unit: str, low: float = 0.0
) -> str:
    """Rows of dots on a scale up to 100.

    Parameters
    ----------
    title : str
        What the figure shows, for those who cannot see it too.
    rows : sequence of str
        A label a row.
    series : sequence of Series
    unit : str
        What the scale counts.
    low : float
        Where the scale begins.

    Returns
    -------
    svg : str
    """
    height = TOP + ROW * len(rows) + 50
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" '
        f'role="img" aria-label="{escape(title)}" font-family="system-ui, sans-serif" '
        'font-size="13">'
    )
    parts = [head, f"<title>{escape(title)}</title>", _STYLE, *_legend(series)]
    parts += _scale(len(rows), low, unit)
    for number, name in enumerate(rows):
        middle = TOP + ROW * (number + 0.5)
        parts.append(
            f'<text class="ink" x="{LEFT - 10}" y="{middle + 4:.0f}" '
            f'text-anchor="end">{escape(name)}</text>'
        )
        # Half a row apart in all, so that equal values stay visible.
        for place, each in enumerate(series):
            value = each.values[number]
            if value is not None:
                y = middle + (place - (len(series) - 1) / 2) * ROW * 0.5 / len(series)
                parts.append(_mark(each, _position(value, low), y, f"{name}: {value:.1f}"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _position(value: float, low: float) -> float:
    return LEFT + WIDTH * (max(value, low) - low) / (100 - low)


def _scale(n_rows: int, low: float, unit: str) -> list[str]:
    bottom = TOP + ROW * n_rows
    parts = []
    for tick in range(int(low), 101, 10):
        x = _position(tick, low)
        parts.append(f'<line class="line" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(
            f'<text class="ink" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{tick}</text>'
        )
    middle = LEFT + WIDTH / 2
    parts.append(
        f'<text class="ink" x="{middle:.0f}" y="{bottom + 38}" '
        f'text-anchor="middle">{escape(unit)}</text>'
    )
    return parts


def _legend(series: Sequence[Series]) -> list[str]:
    parts = []
    for place, each in enumerate(series):
        x, y = LEFT - 90 + 390 * (place % 2), 18 + 22 * (place // 2)
        parts.append(_mark(each, x, y, each.label))
        parts.append(f'<text class="ink" x="{x + 14}" y="{y + 4}">{escape(each.label)}</text>')
    return parts


def _mark(series: Series, x: float, y: float, title: str) -> str:
    r, color = _SIZE, series.color
    where = f'transform="translate({x:.1f} {y:.1f})"'
    hint = f"<title>{escape(series.label)}, {escape(title)}</title>"
    shapes = {
        "circle": f'<circle r="{r}" fill="{color}"',
        "ring": f'<circle r="{r - 1}" class="hollow" stroke="{color}" stroke-width="2"',
        "square": f'<rect x="{-r + 1}" y="{-r + 1}" width="{2 * r - 2}" height="{2 * r - 2}" '
        f'fill="{color}"',
        "diamond": f'<path d="M0 {-r - 1}L{r + 1} 0 0 {r + 1} {-r - 1} 0Z" fill="{color}"',
        "cross": f'<path d="M{-r + 1} {-r + 1}L{r - 1} {r - 1}M{-r + 1} {r - 1}L{r - 1} {-r + 1}" '
        f'stroke="{color}" stroke-width="2.5" fill="none"',
    }
    tag = shapes[series.shape]
    return f"{tag} {where}>{hint}</{tag[1:].partition(' ')[0]}>"
