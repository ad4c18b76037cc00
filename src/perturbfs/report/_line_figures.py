"""Score against number of features, and what noise changes: figures made of lines, as SVG."""

from __future__ import annotations

from typing import Any

from ._svg import Axis, across, line, mark, polygon, polyline, svg, text, upwards

WIDTH, HEIGHT = 680.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 664.0, 34.0, 284.0


def curve_figure(curve: dict[str, Any], metric: str) -> str:
    """Inner score by number of features, with one standard error, the best and the chosen one.

    Parameters
    ----------
    curve : dict
        ``summary["details"]["curve"]``.
    metric : str
        What the score is.

    Returns
    -------
    svg : str
    """
    sizes, scores, errors = curve["n_features"], curve["score"], curve["standard_error"]
    lows = [score - error for score, error in zip(scores, errors, strict=True)]
    highs = [score + error for score, error in zip(scores, errors, strict=True)]
    spread = max(max(highs) - min(lows), 1e-6)
    x = Axis(min(sizes), max(sizes), LEFT + 12, RIGHT - 12)
    y = Axis(min(lows) - 0.06 * spread, max(highs) + 0.06 * spread, BOTTOM, TOP)
    band = [(x.at(s), y.at(v)) for s, v in zip(sizes, highs, strict=True)]
    band += [(x.at(s), y.at(v)) for s, v in reversed(list(zip(sizes, lows, strict=True)))]
    points = [(x.at(s), y.at(v)) for s, v in zip(sizes, scores, strict=True)]
    best = sizes.index(curve["best"])
    parts = [
        upwards(y, LEFT, RIGHT, metric),
        across(x, BOTTOM, "number of features"),
        polygon(band, "band"),
        polyline(points, "curve"),
        *(mark("circle", px, py, "small") for px, py in points),
        _limit(y.at(scores[best] - errors[best])) if curve["rule"] == "one_se" else "",
        mark("diamond", points[best][0], points[best][1], "best"),
        _chosen(curve, x, y),
    ]
    return svg(WIDTH, HEIGHT, _curve_title(curve, metric), parts, "plot")


def _chosen(curve: dict[str, Any], x: Axis, y: Axis) -> str:
    sizes = curve["n_features"]
    if curve["chosen"] not in sizes:  # between two that were tried
        return ""
    at = sizes.index(curve["chosen"])
    place = x.at(curve["chosen"])
    anchor, apart = ("start", 8) if place < (LEFT + RIGHT) / 2 else ("end", -8)
    return (
        line(place, TOP - 14, place, BOTTOM, "mark-line")
        + mark("circle", place, y.at(curve["score"][at]), "chosen")
        + text(place + apart, TOP - 8, f"chosen: {curve['chosen']}", anchor, "strong")
    )


def _limit(y: float) -> str:
    return line(LEFT, y, RIGHT, y, "limit")


def _curve_title(curve: dict[str, Any], metric: str) -> str:
    best = curve["n_features"].index(curve["best"])
    return (
        f"{metric} on the inner splits against the number of features: best "
        f"{curve['score'][best]:.3f} with {curve['best']} features, {curve['chosen']} chosen. "
        "The table below has all numbers."
    )


_NOISE_SERIES = (
    ("kept", "chosen features kept", "circle", "c0"),
    ("score", "score", "square", "c2"),
    ("changed", "predictions changed", "triangle", "c1"),
)


def noise_figure(noise: dict[str, Any], metric: str) -> str:
    """What is kept, what changes and how well it predicts, by level of noise.

    Parameters
    ----------
    noise : dict
        ``summary["details"]["noise"]``, with rows.
    metric : str
        What the score is.

    Returns
    -------
    svg : str
    """
    rows = noise["rows"]
    values = [row[name] for row in rows for name, *_ in _NOISE_SERIES]
    y = Axis(min(0.0, *values), max(1.0, *values), BOTTOM, TOP)
    x = Axis(0.0, 100 * max(row["level"] for row in rows), LEFT + 12, RIGHT - 12)
    parts = [upwards(y, LEFT, RIGHT, "share, or score"), line(LEFT, BOTTOM, RIGHT, BOTTOM, "axis")]
    for row in rows:
        place = x.at(100 * row["level"])
        parts += [line(place, BOTTOM, place, BOTTOM + 4, "tick")]
        parts += [text(place, BOTTOM + 17, f"{100 * row['level']:g}", "middle")]
    label = "noise, percent of each feature's standard deviation"
    parts.append(text((LEFT + RIGHT) / 2, BOTTOM + 38, label, "middle", "label"))
    start = LEFT + 12
    for name, words, shape, color in _NOISE_SERIES:
        points = [(x.at(100 * row["level"]), y.at(row[name])) for row in rows]
        parts.append(polyline(points, f"series {color}"))
        parts += [mark(shape, px, py, f"fill {color}") for px, py in points]
        words = metric if name == "score" else words
        parts += [mark(shape, start, 13, f"fill {color}"), text(start + 11, 17, words)]
        start += 40 + 7.2 * len(words)
    title = "What noise changes; the table below has all numbers."
    return svg(WIDTH, HEIGHT, title, parts, "plot")
