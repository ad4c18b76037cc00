"""The volcano plot: differences between two classes against their p-values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._layout import with_room
from ._svg import Axis, across, dots, line, mark, svg, text, upwards

WIDTH, HEIGHT = 680.0, 380.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 664.0, 16.0, 324.0


def volcano_figure(volcano: dict[str, Any], names: list[str]) -> str:
    """Draw all features by their difference and p-value, the selected ones with their rank.

    Parameters
    ----------
    volcano : dict
        ``summary["details"]["volcano"]``.
    names : list of str
        Names of the selected features.

    Returns
    -------
    svg : str
    """
    effect, log_p, n_chosen = volcano["effect"], volcano["log_p"], volcano["n_chosen"]
    reach = max(map(abs, effect), default=1.0) or 1.0
    x = Axis(-1.05 * reach, 1.05 * reach, LEFT, RIGHT)
    y = Axis(0.0, with_room([0.0, *log_p])[1], BOTTOM, TOP)
    places = [(x.at(a), y.at(b)) for a, b in zip(effect, log_p, strict=True)]
    first, second = volcano["classes"]
    parts = [
        upwards(y, LEFT, RIGHT, "\N{MINUS SIGN}log10 of p"),
        across(x, BOTTOM, volcano["label"]),
        line(x.at(0.0), TOP, x.at(0.0), BOTTOM, "grid"),
    ]
    limit = None if volcano["p_limit"] is None else -np.log10(max(volcano["p_limit"], 1e-300))
    others = list(zip(places, effect, log_p, strict=True))[n_chosen:]
    for kind, is_here in (("point", False), ("c0", True)):
        shown = [at for at, _, p in others if (limit is not None and p >= limit) == is_here]
        parts.append(dots(shown, f"tiny {kind}"))
    if limit is not None:
        height = y.at(float(limit))
        parts.append(line(LEFT, height, RIGHT, height, "limit"))
    parts.append(text(LEFT, HEIGHT - 4, f"\N{LEFTWARDS ARROW} higher in {first}", "start", "soft"))
    parts.append(
        text(RIGHT, HEIGHT - 4, f"higher in {second} \N{RIGHTWARDS ARROW}", "end", "soft")
    )
    parts += _chosen_marks(places[:n_chosen], names)
    title = (
        f"{volcano['label']} against p-values of {volcano['n_features']} features; "
        f"{n_chosen} selected ones are marked"
    )
    return svg(WIDTH, HEIGHT, title, parts, "plot")


def _chosen_marks(places: list[tuple[float, float]], names: list[str]) -> list[str]:
    """Return a mark per selected feature, with its rank where that has room."""
    parts: list[str] = []
    written: list[tuple[float, float]] = []
    for rank, ((x, y), name) in enumerate(zip(places, names, strict=False), start=1):
        parts.append(mark("circle", x, y, "chosen", f"{rank}. {name}"))
        if not any(abs(x - a) < 20 and abs(y - b) < 13 for a, b in written):
            parts.append(text(x + 8, y - 5, str(rank), "start", "strong"))
            written.append((x, y))
    return parts
