"""The pictures of the page by matplotlib (extra ``report``): for notebooks, and as PNG or SVG.

Each takes a part of a summary, as ``docs/summary-json.md`` has it:

>>> from perturbfs.report import figures
>>> from perturbfs.results import load_summary
>>> summary = load_summary("result/summary.json")  # doctest: +SKIP
>>> figures.draw_curve(summary["details"]["curve"], metric=summary["metric"])  # doctest: +SKIP
>>> figures.save_figures(summary, "pictures", kind="svg")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra

from ._group_figures import leaf_order
from ._sample_figures import MOST_DEVIATIONS, spread_dots

__all__ = [
    "draw_curve",
    "draw_features",
    "draw_group",
    "draw_heat_map",
    "draw_map",
    "draw_noise",
    "save_figures",
]

# Okabe and Ito's colors in the order of the page.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555", "#b8a800")
CHOSEN, POINT, QUIET = "#d55e00", "#6b7a89", "#57606a"
KINDS = ("png", "svg", "pdf")
MOST_COLUMNS = 3


def draw_curve(curve: dict[str, Any], *, metric: str = "score", ax: Any = None) -> Any:
    """Inner score against number of features, with one standard error and the chosen number.

    Parameters
    ----------
    curve : dict
        ``summary["details"]["curve"]``.
    metric : str
        What the score is.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 3.6))
    sizes, scores, errors = (np.array(curve[k]) for k in ("n_features", "score", "standard_error"))
    ax.fill_between(sizes, scores - errors, scores + errors, color=COLORS[0], alpha=0.16, lw=0)
    ax.plot(sizes, scores, color=COLORS[0], marker=".", label="mean, one standard error")
    best = curve["n_features"].index(curve["best"])
    ax.plot(sizes[best], scores[best], "D", mfc="white", mec=COLORS[0], label="best")
    ax.axvline(curve["chosen"], color=CHOSEN, label=f"chosen: {curve['chosen']}")
    ax.set(xlabel="number of features", ylabel=_plain(metric))
    ax.legend(frameon=False)
    return _tidy(ax)


def draw_map(found: dict[str, Any], *, across: int = 0, upwards: int = 1, ax: Any = None) -> Any:
    """All features by two characteristics, the chosen ones with their rank.

    Parameters
    ----------
    found : dict
        ``summary["details"]["map"]``.
    across, upwards : int
        Which of the three axes to show.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 4.6))
    points, axes = found["points"], [found["axes"][across], found["axes"][upwards]]
    x, y = (np.maximum(points[axis["key"]], axis["low"]) for axis in axes)
    # The chosen ones come first, by rank: no other point has their rank before them.
    n_chosen = max(points["group"], default=0)
    ax.scatter(x[n_chosen:], y[n_chosen:], s=7, color=POINT, alpha=0.45, lw=0)
    ax.scatter(x[:n_chosen], y[:n_chosen], s=36, color=CHOSEN, ec="white", zorder=3)
    for rank in range(1, n_chosen + 1):
        place = (float(x[rank - 1]), float(y[rank - 1]))
        ax.annotate(
            str(rank), place, (4, 4), textcoords="offset points", weight="bold", fontsize=9
        )
    for axis, scale, label in zip(axes, (ax.set_xscale, ax.set_yscale), "xy", strict=True):
        scale("log" if axis["is_log"] else "linear")
        ax.set(**{f"{label}label": axis["label"]})
    if found["n_shown"] < found["n_features"]:
        ax.set_title(f"{found['n_shown']:,} of {found['n_features']:,} features", fontsize=10)
    return _tidy(ax)


def draw_features(samples: dict[str, Any], names: Sequence[str], *, figure: Any = None) -> Any:
    """Each chosen feature by class with its quartiles, or against the quantity.

    Parameters
    ----------
    samples : dict
        ``summary["details"]["samples"]``.
    names : sequence of str
        Of the chosen features.
    figure : matplotlib figure, optional

    Returns
    -------
    figure : matplotlib figure
    """
    n_shown = len(samples["values"])
    n_columns = min(MOST_COLUMNS, n_shown)
    n_rows = -(-n_shown // n_columns)
    height = 2.0 if samples["classes"] is None else 0.9 + 0.34 * len(samples["classes"])
    if figure is None:
        figure = _pyplot().figure(figsize=(3.2 * n_columns, height * n_rows), layout="constrained")
    else:
        figure.set_size_inches(3.2 * n_columns, height * n_rows)
    for place, values in enumerate(samples["values"]):
        ax = figure.add_subplot(n_rows, n_columns, place + 1)
        _draw_feature(ax, np.array(values), samples)
        ax.set_title(f"{place + 1}. {_plain(names[place])}", fontsize=10, loc="left")
        _tidy(ax)
    return figure


def _draw_feature(ax: Any, values: Any, samples: dict[str, Any]) -> None:
    classes, outcome = samples["classes"], np.array(samples["outcome"])
    if classes is None:
        ax.scatter(values, outcome, s=10, color=COLORS[0], alpha=0.6, lw=0)
        return
    for place in range(len(classes)):
        mine = values[outcome == place]
        spread = float(np.ptp(values)) or 1.0
        lanes = spread_dots(list(66 * (mine - values.min()) / spread))
        dots = np.array(lanes).reshape(-1, 2)
        aside, apart = dots.T
        x = values.min() + aside * spread / 66
        ax.scatter(x, place + apart / 32, s=9, color=COLORS[place % 8], alpha=0.6, lw=0)
        if len(mine) >= 5:
            first, middle, third = np.quantile(mine, [0.25, 0.5, 0.75])
            ax.plot([first, third], [place, place], color="black", lw=2, alpha=0.75)
            ax.plot([middle, middle], [place - 0.3, place + 0.3], color="black", lw=2)
    ax.set_yticks(range(len(classes)), [_plain(name) for name in classes])
    ax.invert_yaxis()


def draw_heat_map(samples: dict[str, Any], names: Sequence[str], *, ax: Any = None) -> Any:
    """Chosen features by samples, in standard deviations, the samples ordered by the outcome.

    Parameters
    ----------
    samples : dict
        ``summary["details"]["samples"]``.
    names : sequence of str
        Of the chosen features.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    values = np.array(samples["values"])
    ax = _axes(ax, (8.0, 1.4 + 0.22 * len(values)))
    deviation = values.std(axis=1, keepdims=True)
    scaled = (values - values.mean(axis=1, keepdims=True)) / np.where(deviation > 0, deviation, 1)
    colors = import_extra("matplotlib.colors", extra="report", needed_by="A heat map")
    shades = colors.LinearSegmentedColormap.from_list("heat", ["#00568a", "#f2f2f2", "#b84a00"])
    limit = MOST_DEVIATIONS
    image = ax.imshow(
        scaled, cmap=shades, vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest"
    )
    ax.set_yticks(range(len(values)), [_plain(name) for name in names[: len(values)]])
    ax.figure.colorbar(image, ax=ax, label="standard deviations")
    if samples["classes"] is None:
        ax.set(xlabel="samples, by rising outcome")
        return ax
    outcome = np.array(samples["outcome"])
    middles = [float(np.flatnonzero(outcome == code).mean()) for code in np.unique(outcome)]
    for code in np.unique(outcome)[1:]:
        ax.axvline(np.flatnonzero(outcome == code)[0] - 0.5, color="black", lw=1)
    labels = [_plain(samples["classes"][code]) for code in np.unique(outcome)]
    ax.set_xticks(middles, labels)
    return ax


def draw_group(tree: dict[str, Any], *, ax: Any = None) -> Any:
    """The features of a group as a tree by correlation.

    Parameters
    ----------
    tree : dict
        An entry of ``summary["details"]["groups"]``.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    members = tree["members"]
    ax = _axes(ax, (5.6, 0.8 + 0.24 * len(members)))
    height = {
        leaf: float(place) for place, leaf in enumerate(leaf_order(len(members), tree["joins"]))
    }
    reach = dict.fromkeys(range(len(members)), 0.0)
    order = sorted(range(len(members)), key=lambda leaf: height[leaf])
    for number, (first, second, distance) in enumerate(tree["joins"], start=len(members)):
        x = [1 - reach[first], 1 - distance, 1 - distance, 1 - reach[second]]
        ax.plot(x, [height[first], height[first], height[second], height[second]], color=COLORS[0])
        height[number], reach[number] = (height[first] + height[second]) / 2, distance
    ax.yaxis.tick_right()
    ax.set_yticks(range(len(members)), [_plain(members[leaf]) for leaf in order])
    ax.invert_yaxis()
    ax.set(xlabel="absolute correlation at which they join")
    return ax


def draw_noise(noise: dict[str, Any], *, metric: str = "score", ax: Any = None) -> Any:
    """What is kept, what changes and how well it predicts, by level of noise.

    Parameters
    ----------
    noise : dict
        ``summary["details"]["noise"]``, with rows.
    metric : str
        What the score is.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 3.6))
    levels = [100 * row["level"] for row in noise["rows"]]
    series = (
        ("kept", "chosen features kept", "o", COLORS[0]),
        ("score", _plain(metric), "s", COLORS[2]),
        ("changed", "predictions changed", "^", COLORS[1]),
    )
    for name, label, marker, color in series:
        values = [row[name] for row in noise["rows"]]
        ax.plot(levels, values, marker=marker, color=color, label=label)
    ax.set(xlabel="noise, percent of each feature's standard deviation", ylabel="share, or score")
    ax.legend(frameon=False)
    return _tidy(ax)


def save_figures(
    summary: dict[str, Any], folder: str | os.PathLike[str], *, kind: str = "png"
) -> list[Path]:
    """Write all pictures of a selection as files.

    Parameters
    ----------
    summary : dict
        From `summarize` or `load_summary`, with details.
    folder : path
        Made where it is missing.
    kind : {"png", "svg", "pdf"}

    Returns
    -------
    paths : list of Path
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r}, but one of {', '.join(KINDS)} is needed.")
    details = summary["details"]
    if details is None:
        raise ValueError(
            "The summary has no details, so there is nothing to draw. Select again with --details."
        )
    names, metric = [row["name"] for row in summary["features"]], summary["metric"]
    drawings: dict[str, Any] = {
        "map": lambda f: draw_map(details["map"], ax=f.add_subplot()),
        "features": lambda f: draw_features(details["samples"], names, figure=f),
        "heat-map": lambda f: draw_heat_map(details["samples"], names, ax=f.add_subplot()),
    }
    if details["curve"] is not None:
        drawings["curve"] = lambda f: draw_curve(
            details["curve"], metric=metric, ax=f.add_subplot()
        )
    if details["noise"] is not None and details["noise"]["rows"]:
        drawings["noise"] = lambda f: draw_noise(
            details["noise"], metric=metric, ax=f.add_subplot()
        )
    for rank, tree in enumerate(details["groups"], start=1):
        if tree is not None:
            drawings[f"group-{rank}"] = lambda f, tree=tree: draw_group(tree, ax=f.add_subplot())
    return [_save(Path(folder) / f"{name}.{kind}", draw) for name, draw in drawings.items()]


def _save(path: Path, draw: Any) -> Path:
    module = import_extra("matplotlib.figure", extra="report", needed_by="Writing figures")
    figure = module.Figure(figsize=(7.2, 4.4), layout="constrained")
    draw(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date, so that equal summaries give equal files.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(path.suffix[1:], {})
    figure.savefig(path, dpi=150, metadata=metadata)
    return path


def _pyplot() -> Any:
    return import_extra("matplotlib.pyplot", extra="report", needed_by="Plotting")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    return _pyplot().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def _plain(words: str) -> str:
    """Words as they are: a dollar sign in a name is no formula."""
    return str(words).replace("$", r"\$")


def _tidy(ax: Any) -> Any:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=QUIET, alpha=0.2)
    ax.set_axisbelow(True)
    return ax
