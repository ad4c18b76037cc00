"""The figures of the page, drawn by matplotlib (extra ``report``) for notebooks and files.

Each function takes a part of a summary, as described in
https://perturbfs.github.io/perturbfs/summary-json.html:

>>> from perturbfs.report import figures
>>> from perturbfs.results import load_summary
>>> summary = load_summary("result/summary.json")  # doctest: +SKIP
>>> figures.draw_curve(summary["details"]["curve"], metric=summary["metric"])  # doctest: +SKIP
>>> figures.save_figures(summary, "pictures", kind="svg")  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.arrays import Array

from . import _layout as layout

__all__ = [
    "draw_curve",
    "draw_features",
    "draw_group",
    "draw_heat_map",
    "draw_map",
    "draw_means",
    "draw_noise",
    "draw_survival",
    "save_figures",
]

MAIN, CHOSEN, POINT, QUIET = *layout.COLORS[:2], "#6b7a89", "#57606a"
MARKERS = {"circle": "o", "square": "s", "triangle": "^"}
KINDS = ("png", "svg", "pdf")
MOST_COLUMNS = 3
MOST_SIDE_BY_SIDE = 4  # names of classes under a heat map


def draw_curve(curve: dict[str, Any], *, metric: str = "score", ax: Any = None) -> Any:
    """Draw the inner score by number of features, and mark the best and the chosen number.

    Parameters
    ----------
    curve : dict
        ``summary["details"]["curve"]``.
    metric : str
        Name of the score.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 3.6))
    found = layout.read_curve(curve)
    best = (found.sizes[found.best], found.scores[found.best])
    ax.fill_between(found.sizes, found.lows, found.highs, color=MAIN, alpha=0.16, lw=0)
    ax.plot(found.sizes, found.scores, ".-", color=MAIN, label="mean, one standard error")
    ax.plot(*best, "D", mfc="white", mec=MAIN, label="best")
    equal = [(size, found.scores[found.sizes.index(size)]) for size in found.equal]
    if len(equal) > 1:
        label = "counts as equal to the best"
        ax.plot(*zip(*equal, strict=True), "o", color=MAIN, label=label, zorder=1)
    if found.least is not None and found.least > 1:
        ax.axvline(found.least, color=QUIET, ls="--", lw=1, label=f"at least {found.least}")
    ax.axvline(found.chosen, color=CHOSEN, label=f"chosen: {found.chosen}")
    if found.chosen_score is not None:
        ax.plot(found.chosen, found.chosen_score, "o", color=CHOSEN)
    values = layout.round_values(min(found.sizes), max(found.sizes), whole=True)
    ax.set_xticks(*zip(*values, strict=True))
    ax.set(xlabel="number of features", ylabel=_plain(metric))
    ax.legend(frameon=False)
    return _tidy(ax)


def draw_map(found: dict[str, Any], *, across: int = 0, upwards: int = 1, ax: Any = None) -> Any:
    """Draw all features by two characteristics, the chosen ones with their rank.

    Parameters
    ----------
    found : dict
        ``summary["details"]["map"]``.
    across, upwards : int
        Positions of the axes in ``found["axes"]``.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 4.6))
    points, axes = found["points"], [found["axes"][across], found["axes"][upwards]]
    x, y = (np.maximum(points[axis["key"]], axis["low"]) for axis in axes)
    # The chosen features are the first points, in the order of their ranks.
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
    """Draw each chosen feature by class with its quartiles, or against the quantity.

    Parameters
    ----------
    samples : dict
        ``summary["details"]["samples"]``.
    names : sequence of str
        Names of the chosen features.
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
        figure = _pyplot().figure(layout="constrained")
    figure.set_size_inches(3.2 * n_columns, height * n_rows)
    for place, values in enumerate(samples["values"]):
        ax = figure.add_subplot(n_rows, n_columns, place + 1)
        _draw_feature(ax, values, samples)
        ax.set_title(f"{place + 1}. {_plain(names[place])}", fontsize=10, loc="left")
        _tidy(ax)
    return figure


def _draw_feature(ax: Any, values: Sequence[float], samples: dict[str, Any]) -> None:
    classes = samples["classes"]
    if classes is None:
        ax.scatter(values, samples["outcome"], s=10, color=MAIN, alpha=0.6, lw=0)
        return
    low, high = layout.with_room(values)
    for place, mine in enumerate(layout.values_by_class(values, samples)):
        dots = np.reshape(layout.spread_dots(mine, low, high), (-1, 2))
        color = layout.COLORS[place % len(layout.COLORS)]
        ax.scatter(dots[:, 0], place + dots[:, 1], s=9, color=color, alpha=0.6, lw=0)
        box = layout.quartiles(mine)
        if box is not None:
            ax.plot([box[0], box[2]], [place, place], color="black", lw=2, alpha=0.75)
            ax.plot([box[1], box[1]], [place - 0.3, place + 0.3], color="black", lw=2)
    ax.set_xlim(low, high)
    ax.set_yticks(range(len(classes)), [_plain(name) for name in classes])
    ax.invert_yaxis()


def draw_heat_map(samples: dict[str, Any], names: Sequence[str], *, ax: Any = None) -> Any:
    """Draw the chosen features by samples in standard deviations; the outcome orders the samples.

    Parameters
    ----------
    samples : dict
        ``summary["details"]["samples"]``.
    names : sequence of str
        Names of the chosen features.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    scaled = np.array([layout.standardize(values) for values in samples["values"]])
    ax = _axes(ax, (8.0, 1.4 + 0.22 * len(scaled)))
    _shade(ax, scaled, names)
    if samples["classes"] is None:
        ax.set(xlabel="samples, by rising outcome")
        return ax
    classes = layout.stretches(samples["outcome"])
    for _, start, _ in classes[1:]:
        ax.axvline(start - 0.5, color="black", lw=1)
    ax.set_xticks(
        [start + (length - 1) / 2 for _, start, length in classes],
        [_plain(samples["classes"][code]) for code, *_ in classes],
        # Many names side by side would touch each other.
        rotation=90 if len(classes) > MOST_SIDE_BY_SIDE else 0,
    )
    return ax


def draw_means(
    means: Array, classes: Sequence[str], names: Sequence[str], *, ax: Any = None
) -> Any:
    """Draw the means of features by class.

    Parameters
    ----------
    means : array of shape (n_classes, n_features)
        In standard deviations from the mean of all samples.
    classes : sequence of str
    names : sequence of str
        Names of the features.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    n_classes, n_features = means.shape
    ax = _axes(ax, (3.0 + 0.28 * n_features, 1.8 + 0.26 * n_classes))
    _shade(ax, means, classes)
    ax.set_xticks(range(n_features), [_plain(name) for name in names], rotation=90)
    return ax


def _shade(ax: Any, values: Array, rows: Sequence[str]) -> None:
    """Draw values in standard deviations as shades, with the names of their rows."""
    colors = import_extra("matplotlib.colors", extra="report", needed_by="A heat map")
    shades = colors.LinearSegmentedColormap.from_list("heat", ["#00568a", "#f2f2f2", "#b84a00"])
    limits = {"vmin": -layout.MOST_DEVIATIONS, "vmax": layout.MOST_DEVIATIONS}
    image = ax.imshow(values, cmap=shades, aspect="auto", interpolation="nearest", **limits)
    ax.set_yticks(range(len(values)), [_plain(name) for name in rows[: len(values)]])
    ax.figure.colorbar(image, ax=ax, label="standard deviations")


def draw_group(tree: dict[str, Any], *, ax: Any = None) -> Any:
    """Draw the features of a group as a tree by correlation.

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
    order, joins = layout.arrange_tree(tree)
    ax = _axes(ax, (5.6, 0.8 + 0.24 * len(members)))
    for join in joins:
        ax.plot(*zip(*join, strict=True), color=MAIN)
    ax.yaxis.tick_right()
    ax.set_yticks(range(len(members)), [_plain(members[leaf]) for leaf in order])
    ax.invert_yaxis()
    ax.set(xlabel="absolute correlation at which they join")
    return ax


def draw_noise(noise: dict[str, Any], *, metric: str = "score", ax: Any = None) -> Any:
    """Draw the features kept, the predictions changed and the score, by level of noise.

    Parameters
    ----------
    noise : dict
        ``summary["details"]["noise"]``, with rows.
    metric : str
        Name of the score.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 3.6))
    levels, series = layout.noise_series(noise, metric)
    for each in series:
        marker, color = MARKERS[each.shape], layout.COLORS[each.color]
        ax.plot(levels, each.values, marker=marker, color=color, label=_plain(each.label))
    ax.set(xlabel="noise, percent of each feature's standard deviation", ylabel="share, or score")
    ax.legend(frameon=False)
    return _tidy(ax)


def draw_survival(found: dict[str, Any], *, ax: Any = None) -> Any:
    """Draw the share of samples without the event by time, one curve per risk group.

    Parameters
    ----------
    found : dict
        ``summary["details"]["survival"]``, or from `perturbfs.results.describe_survival`.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    ax = _axes(ax, (6.8, 3.8))
    colors = layout.risk_colors(len(found["curves"]))
    for each, color in zip(found["curves"], colors, strict=True):
        label = f"{each['label']} ({each['n_events']} of {each['n_samples']})"
        steps = {"where": "post", "color": layout.COLORS[color], "label": label}
        ax.step(each["time"], each["survival"], **steps)
    ax.set(xlabel=_plain(found["time_label"]), ylabel="share without the event", ylim=(0, 1.02))
    ax.legend(frameon=False)
    return _tidy(ax)


def save_figures(
    summary: dict[str, Any], folder: str | os.PathLike[str], *, kind: str = "png"
) -> list[Path]:
    """Write all figures of a selection as files.

    Parameters
    ----------
    summary : dict
        From `summarize` or `load_summary`, with details.
    folder : path
        Created if it is missing.
    kind : {"png", "svg", "pdf"}

    Returns
    -------
    paths : list of Path
    """
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown. Use one of {', '.join(KINDS)}.")
    details = summary["details"]
    if details is None:
        raise ValueError(
            "The summary has no details, so there is nothing to draw. Select again with --details."
        )
    names, metric = [row["name"] for row in summary["features"]], summary["metric"]
    curve, noise, samples = details["curve"], details["noise"], details["samples"]
    drawings = {
        "map": _on_axes(draw_map, details["map"]),
        "features": lambda figure: draw_features(samples, names, figure=figure),
        "heat-map": _on_axes(draw_heat_map, samples, names),
    }
    if curve is not None:
        drawings["curve"] = _on_axes(draw_curve, curve, metric=metric)
    if noise is not None and noise["rows"]:
        drawings["noise"] = _on_axes(draw_noise, noise, metric=metric)
    if details["survival"] is not None:
        drawings["survival"] = _on_axes(draw_survival, details["survival"])
    for rank, tree in enumerate(details["groups"], start=1):
        if tree is not None:
            drawings[f"group-{rank}"] = _on_axes(draw_group, tree)
    return [_save(Path(folder) / f"{name}.{kind}", draw) for name, draw in drawings.items()]


def _on_axes(draw: Callable[..., Any], *values: Any, **options: Any) -> Callable[[Any], Any]:
    """Return a function that draws on new axes of a figure."""
    return lambda figure: draw(*values, ax=figure.add_subplot(), **options)


def _save(path: Path, draw: Callable[[Any], Any]) -> Path:
    module = import_extra("matplotlib.figure", extra="report", needed_by="Writing figures")
    figure = module.Figure(figsize=(7.2, 4.4), layout="constrained")
    draw(figure)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without the date, equal summaries give equal files.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(path.suffix[1:], {})
    figure.savefig(path, dpi=150, metadata=metadata)
    return path


def _pyplot() -> Any:
    return import_extra("matplotlib.pyplot", extra="report", needed_by="Plotting")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    return _pyplot().subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def _plain(words: str) -> str:
    """Return words in which matplotlib does not read dollar signs as a formula."""
    return str(words).replace("$", r"\$")


def _tidy(ax: Any) -> Any:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color=QUIET, alpha=0.2)
    ax.set_axisbelow(True)
    return ax
