"""The drawing kit of all SVG figures: axes, marks, legends and text.

Colors are classes, ``c0`` to ``c7``. The style sheet of the page defines them for light and dark
pages; a figure that is a file of its own has the style sheet `STYLE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from ._layout import COLORS, round_values

if TYPE_CHECKING:
    from markupsafe import Markup

_PATHS = {
    "square": "M-4.5 -4.5h9v9h-9z",
    "triangle": "M0 -6l5.5 10h-11z",
    "diamond": "M0 -6.5l6 6.5l-6 6.5l-6 -6.5z",
    "cross": "M-4.5 -4.5l9 9M-4.5 4.5l9 -9",
}
STYLE = (
    "text{fill:#222;font:13px system-ui,sans-serif}.grid{stroke:#8886}.axis{stroke:#888}"
    ".series{fill:none;stroke-width:2}"
    + "".join(
        f".fill.c{place}{{fill:{color}}}.series.c{place}{{stroke:{color}}}"
        for place, color in enumerate(COLORS)
    )
    + "@media(prefers-color-scheme:dark){text{fill:#ddd}.fill.c6{fill:#aaa}}"
)


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear scale, from values to positions in a figure."""

    low: float
    high: float
    start: float  # position of `low`
    end: float  # position of `high`

    def at(self, value: float) -> float:
        """Return the position of a value; values outside are moved to the nearer end."""
        span = self.high - self.low
        share = (value - self.low) / span if span > 0 else 0.5
        return round(self.start + (self.end - self.start) * min(max(share, 0.0), 1.0), 1)

    def ticks(self, n_most: int = 6, *, whole: bool = False) -> list[tuple[float, str]]:
        """Return the positions and labels of round values."""
        found = round_values(self.low, self.high, n_most, whole=whole)
        return [(self.at(value), label) for value, label in found]


def svg(
    width: float, height: float, title: str, parts: Iterable[str], kind: str = "", style: str = ""
) -> Markup:
    """Return a figure that is safe to put into a page: all its text was escaped.

    Parameters
    ----------
    width, height : float
    title : str
        Read out by screen readers.
    parts : iterable of str
        Made by the functions of this module.
    kind : str
        Class of the figure.
    style : str
        Style sheet of a figure that is a file of its own.
    """
    from markupsafe import Markup

    name = _class(kind)
    if style:
        name += ' xmlns="http://www.w3.org/2000/svg"'
        style = f"<style>{style}</style>"
    return Markup(
        f'<svg{name} viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{escape(title)}">{style}' + "".join(parts) + "</svg>"
    )


def _class(kind: str) -> str:
    """Return a class as an attribute. It is escaped like text, though it should be a known one."""
    return f' class="{escape(kind)}"' if kind else ""


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Return words at a place."""
    return f'<text{_class(kind)} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    """Return a straight line."""
    return f'<line{_class(kind)} x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"></line>'


def polyline(points: Sequence[tuple[float, float]], kind: str) -> str:
    """Return a line through points; `kind` says whether the area inside is filled."""
    joined = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline{_class(kind)} points="{joined}"></polyline>'


def block(x: float, y: float, width: float, height: float, kind: str) -> str:
    """Return a rectangle."""
    return (
        f'<rect{_class(kind)} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"></rect>'
    )


def dots(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Return many dots as one path, which is short and fast to draw."""
    path = "".join(f"M{x:g} {y:g}h0" for x, y in points)
    return f'<path{_class(f"dots {kind}")} d="{path}"></path>'


def mark(shape: str, x: float, y: float, kind: str, hint: str = "") -> str:
    """Return a circle, square, triangle, diamond or cross; the hint is shown on hovering."""
    words = f"<title>{escape(hint)}</title>" if hint else ""
    if shape == "circle":
        return f'<circle{_class(kind)} cx="{x:g}" cy="{y:g}" r="5">{words}</circle>'
    where = f'transform="translate({x:g} {y:g})"'
    return f'<path{_class(kind)} {where} d="{_PATHS[shape]}">{words}</path>'


def legend(
    entries: Iterable[tuple[str, str, str]],
    x: float,
    y: float,
    *,
    n_columns: int = 1,
    width: float = 0.0,
) -> str:
    """Return marks with words.

    Parameters
    ----------
    entries : iterable of (shape, kind, words)
    x, y : float
        Center of the first mark.
    n_columns : int
    width : float
        Width of a column.
    """
    parts = []
    for place, (shape, kind, words) in enumerate(entries):
        row, column = divmod(place, n_columns)
        at = (x + width * column, y + 20 * row)
        parts += [mark(shape, *at, kind), text(at[0] + 12, at[1] + 4, words)]
    return "".join(parts)


def across(
    axis: Axis,
    y: float,
    label: str = "",
    ticks: Sequence[tuple[float, str]] | None = None,
    top: float | None = None,
) -> str:
    """Return a horizontal axis with ticks, by default those of `axis`, and grid lines to `top`."""
    parts = [line(axis.start, y, axis.end, y, "axis")]
    for x, words in axis.ticks() if ticks is None else ticks:
        parts.append(line(x, y, x, y + 4, "axis") if top is None else line(x, top, x, y + 4))
        parts.append(text(x, y + 17, words, "middle"))
    if label:
        parts.append(text((axis.start + axis.end) / 2, y + 36, label, "middle", "label"))
    return "".join(parts)


def upwards(axis: Axis, left: float, right: float, label: str = "", n_most: int = 5) -> str:
    """Return a vertical axis with grid lines from `left` to `right`."""
    parts = []
    for y, words in axis.ticks(n_most):
        parts += [line(left, y, right, y), text(left - 7, y + 4, words, "end")]
    if label:
        middle = (axis.start + axis.end) / 2
        turned = f'transform="translate(13 {middle:g}) rotate(-90)"'
        parts.append(f'<text class="label" {turned} text-anchor="middle">{escape(label)}</text>')
    return "".join(parts)


def cut_to(words: str, longest: int) -> str:
    """Return words that fit; the page gives them in full elsewhere."""
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
