"""The HTML pages of a selection and of an evaluation."""

from __future__ import annotations

import datetime
from typing import Any

from ._curve_text import curve_sentences
from ._evaluation_figures import (
    evaluation_figures,
    interval_figure,
    row_axis,
    score_limits,
    ticks_figure,
)
from ._evaluation_summary import summarize_evaluation
from ._planned import planned_rows
from ._sample_figures import heat_figure, strip_figure
from ._selection_figures import curve_figure, effect_figure, noise_figure, tree_figure
from ._survival_figure import survival_figure
from ._template import render_template
from ._volcano_figure import volcano_figure

COLORS = [f"c{place}" for place in range(2, 10)]  # of joined tables; two classes have c0 and c1
# Not `calendar.month_name`, which depends on the language of the machine.
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


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
    details = summary["details"]
    values = {**summary, **_score_intervals(summary), "n_columns": _n_columns(details)}
    values["comparisons"] = planned_rows(summary["comparisons"])
    values |= _origins(summary)
    values["day"] = None if summary["date"] is None else in_words(summary["date"])
    if details is None:
        return render_template("page.html.j2", values)
    names = [row["name"] for row in summary["features"]]
    data = {"map": details["map"], "samples": details["samples"], "names": names}
    return render_template("page.html.j2", {**values, "figures": _figures(summary)}, data=data)


def _n_columns(details: dict[str, Any] | None) -> int:
    """Return the number of columns of the table of features after the first."""
    if details is None:
        return 3
    return 5 if details["volcano"] is None else 8


def _origins(summary: dict[str, Any]) -> dict[str, Any]:
    """Return the tables that were joined, and the color of each as a class of the style sheet."""
    origins = summary.get("origins", [])
    colors = {each["name"]: COLORS[place % len(COLORS)] for place, each in enumerate(origins)}
    rows = [{**each, "color": colors[each["name"]]} for each in origins]
    return {"origins": rows, "colors": colors}


def in_words(day: str) -> str:
    """Return a date such as 2026-03-31 as "31 March 2026"."""
    date = datetime.date.fromisoformat(day)
    return f"{date.day} {MONTHS[date.month - 1]} {date.year}"


def _score_intervals(summary: dict[str, Any]) -> dict[str, Any]:
    """Return the scores as rows with their plots, and the ticks of the scale."""
    names = ("label", "mean", "low", "high")
    rows = [dict(zip(names, row, strict=True)) for row in summary["scores"]]
    metric = "r2" if summary["metric"] == "R²" else "balanced_accuracy"
    axis = row_axis(*score_limits(rows, metric))
    guess = next((row["mean"] for row in rows if row["label"] == "guessing"), axis.low)
    for row in rows:
        row["plot"] = interval_figure(axis, row["mean"], row["low"], row["high"], guess)
    return {"scores": rows, "ticks": ticks_figure(axis)}


def _figures(summary: dict[str, Any]) -> dict[str, Any]:
    """Draw all figures of a summary with details."""
    details, metric, classes = summary["details"], summary["metric"], summary["classes"]
    names = [row["name"] for row in summary["features"]]
    effects = [row["effects"] for row in summary["features"]]
    curve, samples, noise = details["curve"], details["samples"], details["noise"]
    volcano, survival = details["volcano"], details["survival"]
    has_noise = noise is not None and noise["rows"]
    return {
        "curve": None if curve is None else curve_figure(curve, metric),
        "curve_text": [] if curve is None else curve_sentences(curve),
        "survival": None if survival is None else survival_figure(survival),
        "volcano": None if volcano is None else volcano_figure(volcano, names),
        "noise": noise_figure(noise, metric) if has_noise else None,
        "heat_map": heat_figure(names, samples),
        "strips": [
            strip_figure(name, values, samples)
            for name, values in zip(names, samples["values"], strict=False)
        ],
        "bars": [None if each is None else effect_figure(each, classes) for each in effects],
        "trees": [None if tree is None else tree_figure(tree) for tree in details["groups"]],
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
    summary = summarize_evaluation(document)
    figures = evaluation_figures(document, summary["metric"])
    return render_template("evaluation.html.j2", {**summary, **figures})
