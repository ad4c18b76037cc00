"""The HTML pages of a selection and of an evaluation."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from ._evaluation_figures import seconds_figure, sizes_figure
from ._evaluation_plots import Scale, draw_interval
from ._evaluation_summary import summarize_evaluation
from ._group_figures import effect_figure, tree_figure
from ._line_figures import curve_figure, noise_figure
from ._sample_figures import heat_figure, strip_figure
from ._template import render_template


def render_page(summary: dict[str, Any]) -> str:
    """Return a self-contained HTML page of a selection.

    Parameters
    ----------
    summary : dict
        From `perturbfs.results.summarize` or `perturbfs.results.load_summary`.

    Returns
    -------
    page : str
        It makes no network requests.
    """
    values = {**summary, **_score_intervals(summary)}
    details = summary["details"]
    if details is None:
        return render_template("page.html.j2", values)
    names = [row["name"] for row in summary["features"]]
    data = {"map": details["map"], "samples": details["samples"], "names": names}
    return render_template("page.html.j2", {**values, "figures": _figures(summary)}, data=data)


def _score_intervals(summary: dict[str, Any]) -> dict[str, Any]:
    """Return the scores as rows with the positions of their marks, and the ticks of the scale."""
    names = ("label", "mean", "low", "high")
    rows = [dict(zip(names, row, strict=True)) for row in summary["scores"]]
    scale = Scale.for_rows(rows, "r2" if summary["metric"] == "R²" else "balanced_accuracy")
    guess = next((row["mean"] for row in rows if row["label"] == "guessing"), scale.low)
    return {
        "scores": [{**row, "plot": draw_interval(row, scale, guess)} for row in rows],
        "ticks": scale.ticks,
    }


def _figures(summary: dict[str, Any]) -> dict[str, Any]:
    """Draw all figures of a summary with details, as markup: their text is already escaped."""
    details, metric, classes = summary["details"], summary["metric"], summary["classes"]
    names = [row["name"] for row in summary["features"]]
    effects = [row["effects"] for row in summary["features"]]
    curve, samples, noise = details["curve"], details["samples"], details["noise"]
    has_noise = noise is not None and noise["rows"]
    return {
        "curve": None if curve is None else Markup(curve_figure(curve, metric)),
        "noise": Markup(noise_figure(noise, metric)) if has_noise else None,
        "heat_map": Markup(heat_figure(names, samples)),
        "strips": [
            Markup(strip_figure(name, values, samples))
            for name, values in zip(names, samples["values"], strict=False)
        ],
        "bars": [
            None if each is None else Markup(effect_figure(each, classes)) for each in effects
        ],
        "trees": [
            None if tree is None else Markup(tree_figure(tree)) for tree in details["groups"]
        ],
    }


def render_evaluation(document: dict[str, Any]) -> str:
    """Return a self-contained HTML page of an evaluation.

    Parameters
    ----------
    document : dict
        From `perturbfs.results.load_evaluation`.

    Returns
    -------
    page : str
        It makes no network requests.
    """
    rows, methods = document["summary"], document["methods"]
    summary = summarize_evaluation(document)
    figures = {
        "by_size": sizes_figure(rows, methods, document["metric"], summary["metric"]),
        "by_seconds": seconds_figure(rows, methods),
    }
    # Markup, because all text in the figures is already escaped.
    safe = {name: None if figure is None else Markup(figure) for name, figure in figures.items()}
    return render_template("evaluation.html.j2", {**summary, **safe})
