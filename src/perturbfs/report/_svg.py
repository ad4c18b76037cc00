"""Parts of figures as SVG text. Colors come from the page, so that light and dark both work."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

N_COLORS = 8  # class colors that the page defines, as c0 to c7


@dataclass(frozen=True, slots=True)
class Axis:
    """From values to positions in a figure."""

    low: float
    high: float
    start: float  # position of `low`
    end: float  # position of `high`

    def at(self, value: float) -> float:
        """Position of a value, within the ends."""
        span = self.high - self.low
        share = (value - self.low) / span if span > 0 else 0.5
        return round(self.start + (self.end - self.start) * min(max(share, 0.0), 1.0), 1)

    def ticks(self, n_most: int = 6) -> list[tuple[float, str]]:
        """Positions and labels of round values."""
        return [(self.at(value), label) for value, label in round_values(self, n_most)]


def round_values(axis: Axis, n_most: int = 6) -> list[tuple[float, str]]:
    """Round values within an axis with their labels."""
    span = axis.high - axis.low
    if not span > 0:
        return [(axis.low, f"{axis.low:.3g}")]
    power = 10.0 ** math.floor(math.log10(span / n_most))
    step = next(power * f for f in (1, 2, 2.5, 5, 10, 20) if span / (power * f) <= n_most)
    first = math.ceil(axis.low / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9) + (step / power == 2.5))
    values = [step * k for k in range(first, math.floor(axis.high / step + 1e-9) + 1)]
    return [(value, plain_number(value, digits)) for value in values]


def plain_number(value: float, digits: int) -> str:
    """A label of an axis: thousands as powers where they are many, never minus zero."""
    if abs(value) >= 1e5 or digits > 5:
        return f"{value:.3g}"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def svg(width: float, height: float, title: str, parts: Iterable[str], kind: str = "") -> str:
    """A figure; the title is what a screen reader says."""
    name = f' class="{kind}"' if kind else ""
    return (
        f'<svg{name} viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'role="img" aria-label="{escape(title)}">' + "".join(parts) + "</svg>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Words at a place."""
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid") -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"></line>'


def polyline(points: Sequence[tuple[float, float]], kind: str) -> str:
    """A line through points."""
    return f'<polyline class="{kind}" points="{_joined(points)}"></polyline>'


def polygon(points: Sequence[tuple[float, float]], kind: str) -> str:
    """An area."""
    return f'<polygon class="{kind}" points="{_joined(points)}"></polygon>'


def dots(points: Iterable[tuple[float, float]], kind: str) -> str:
    """Many dots in one path: short, and drawn fast."""
    path = "".join(f"M{x:g} {y:g}h0" for x, y in points)
    return f'<path class="dots {kind}" d="{path}"></path>'


def mark(shape: str, x: float, y: float, kind: str) -> str:
    """A circle, square, triangle or diamond."""
    if shape == "square":
        return f'<rect class="{kind}" x="{x - 4:g}" y="{y - 4:g}" width="8" height="8"></rect>'
    paths = {"triangle": "M0 -5.5l5.2 9.5h-10.4z", "diamond": "M0 -6l5.5 6l-5.5 6l-5.5 -6z"}
    if shape in paths:
        where = f'transform="translate({x:g} {y:g})"'
        return f'<path class="{kind}" {where} d="{paths[shape]}"></path>'
    return f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="4.5"></circle>'


def across(axis: Axis, y: float, label: str, n_most: int = 6, top: float | None = None) -> str:
    """A horizontal axis with ticks, and lines up to `top`."""
    parts = [line(axis.start, y, axis.end, y, "axis")]
    for x, words in axis.ticks(n_most):
        parts.append(
            line(x, y if top is None else top, x, y + 4, "tick" if top is None else "grid")
        )
        parts.append(text(x, y + 17, words, "middle"))
    if label:
        parts.append(text((axis.start + axis.end) / 2, y + 35, label, "middle", "label"))
    return "".join(parts)


def upwards(axis: Axis, x: float, right: float, label: str, n_most: int = 5) -> str:
    """A vertical axis with lines across to `right`."""
    parts = []
    for y, words in axis.ticks(n_most):
        parts += [line(x, y, right, y), text(x - 7, y + 4, words, "end")]
    if label:
        middle = (axis.start + axis.end) / 2
        turned = f'transform="translate(13 {middle:g}) rotate(-90)"'
        parts.append(f'<text class="label" {turned} text-anchor="middle">{escape(label)}</text>')
    return "".join(parts)


def cut_to(words: str, longest: int) -> str:
    """Words that fit; the page gives the whole ones elsewhere."""
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
