"""Plots of an evaluation as coordinates, which the template turns into lines and marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.results import is_share

WIDTH = 200.0  # of the plot beside a row
SHAPES = ("circle", "square", "triangle", "diamond")


@dataclass(frozen=True, slots=True)
class Scale:
    """From a score to a position between 0 and 1."""

    low: float
    high: float

    @classmethod
    def for_rows(cls, rows: list[dict[str, Any]], metric: str) -> Scale:
        """A scale that holds all means, and the intervals as far as they are worth showing."""
        means = [row["mean"] for row in rows if row["mean"] is not None]
        ends = [row[end] for row in rows for end in ("low", "high") if row[end] is not None]
        low, high = min([*means, *ends]), max([*means, *ends])
        if metric == "r2":
            low, high = min(min(means), max(low, -1.0), 0.0), 1.0
        elif is_share(metric):
            low, high = max(min(low, 0.5), 0.0), 1.0
        low = float(np.floor(low * 10) / 10)
        return cls(low, high if high > low else low + 1.0)

    @classmethod
    def for_means(cls, means: list[float]) -> Scale:
        """A scale that shows what is between the means."""
        spread = max(max(means) - min(means), 0.04 * max(map(abs, means)), 1e-9)
        return cls(min(means) - 0.15 * spread, max(means) + 0.15 * spread)

    def at(self, value: float) -> float:
        """Position within the ends."""
        return float(min(max((value - self.low) / (self.high - self.low), 0.0), 1.0))

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Positions and labels of a few round values."""
        steps = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5)
        step = next((s for s in steps if (self.high - self.low) / s <= 5.01), None)
        if step is None:
            values = np.linspace(self.low, self.high, 3)
        else:
            first = np.ceil(self.low / step - 1e-9) * step
            values = np.arange(first, self.high + step / 100, step)
        return [
            (_rounded(WIDTH * self.at(v)), f"{round(v, 2) + 0.0:.4g}") for v in values.tolist()
        ]


def draw_interval(row: dict[str, Any], scale: Scale, guess: float) -> dict[str, float] | None:
    """Dot, ends of the interval, and where guessing is; None without a mean."""
    if row["mean"] is None:
        return None
    values = {"mean": row["mean"], "guess": guess}
    values |= {end: row["mean"] if row[end] is None else row[end] for end in ("low", "high")}
    return {name: _rounded(WIDTH * scale.at(value)) for name, value in values.items()}


def draw_ranks(comparison: dict[str, Any]) -> dict[str, Any] | None:
    """Mean ranks on a line, with bars over methods that are not told apart.

    None for fewer than two methods.
    """
    ranks: dict[str, float] = comparison["mean_ranks"]
    n_methods = len(ranks)
    if n_methods < 2:
        return None
    left, width = 170.0, 340.0
    at = {name: left + width * (rank - 1) / (n_methods - 1) for name, rank in ranks.items()}
    shared = [[at[name] for name in group] for group in comparison["groups"] if len(group) > 1]
    bars = [
        (_rounded(min(places) - 4), _rounded(max(places) + 4), 40 + 8 * row)
        for row, places in enumerate(shared)
    ]
    first_label, n_left = 62.0 + 8 * len(bars), (n_methods + 1) // 2
    labels = [
        {
            "text": f"{name} ({ranks[name]:.1f})",
            "x": _rounded(at[name]),
            # The outer ones come first, so that no line crosses another.
            "y": first_label + 20 * min(place, n_methods - 1 - place),
            "end": left - 12 if place < n_left else left + width + 12,
            "anchor": "end" if place < n_left else "start",
        }
        for place, name in enumerate(ranks)
    ]
    ticks = [(left + width * k / (n_methods - 1), str(k + 1)) for k in range(n_methods)]
    return {
        "height": first_label + 20 * n_left,
        "left": left,
        "right": left + width,
        "ticks": [(_rounded(x), text) for x, text in ticks],
        "bars": bars,
        "labels": labels,
    }


def draw_scatter(rows: list[dict[str, Any]], methods: list[str]) -> dict[str, Any] | None:
    """Stability across, score upwards, a mark for each method and size; None without marks."""
    left, top, width, height = 58.0, 10.0, 560.0, 300.0
    shown = [row for row in rows if row["mean"] is not None and row["stability"] is not None]
    if not shown:
        return None
    low = min([-0.1, *(row["stability"] for row in shown)])
    scale = Scale.for_means([row["mean"] for row in shown])
    styles = {name: _style(place) for place, name in enumerate(methods)}
    marks = [
        {
            **styles[row["method"]],
            "x": _rounded(left + width * (row["stability"] - low) / (1 - low)),
            "y": _rounded(top + height * (1 - scale.at(row["mean"]))),
            "text": str(row["requested"]),
            "title": f"{row['method']}, {row['requested']}: score {row['mean']:.3f}, "
            f"stability {row['stability']:.2f}",
        }
        for row in shown
    ]
    _drop_crowded_labels(marks)
    used = [name for name in methods if any(row["method"] == name for row in shown)]
    return {
        "left": left,
        "top": top,
        "right": left + width,
        "bottom": top + height,
        "marks": marks,
        "legend": [
            {**styles[name], "x": left + width + 24, "y": top + 12 + 20 * place, "text": name}
            for place, name in enumerate(used)
        ],
        "across": [
            (_rounded(left + width * (value - low) / (1 - low)), f"{value:.1f}")
            for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
        ],
        "upwards": [(_rounded(top + height * (1 - x / WIDTH)), text) for x, text in scale.ticks],
        "height": top + max(height + 45, 24 + 20 * len(used)),
    }


def _drop_crowded_labels(marks: list[dict[str, Any]]) -> None:
    """Take the text from marks whose label would lie on another mark or label."""
    written: list[dict[str, Any]] = []
    for each in marks:
        others = [other for other in marks if other is not each]
        on_mark = any(
            -2 < o["x"] - each["x"] < 26 and abs(o["y"] - each["y"]) < 11 for o in others
        )
        on_label = any(
            abs(o["x"] - each["x"]) < 24 and abs(o["y"] - each["y"]) < 12 for o in written
        )
        if on_mark or on_label:
            each["text"] = ""
        else:
            written.append(each)


def method_look(place: int) -> tuple[str, str]:
    """Color and shape of a method: seven colors and four shapes make 28 that differ."""
    return f"c{place % 7}", SHAPES[place % len(SHAPES)]


def _style(place: int) -> dict[str, str]:
    color, shape = method_look(place)
    return {"color": color, "shape": shape}


def _rounded(value: float) -> float:
    return round(float(value), 1)
