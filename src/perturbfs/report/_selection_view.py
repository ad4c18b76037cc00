"""From the summary of a selection to what its page holds: figures made, numbers as text."""

from __future__ import annotations

from typing import Any

from ._evaluation_figures import interval_figure, row_axis, score_limits, ticks_figure
from ._sample_figures import heat_figure, strip_figure
from ._selection_figures import curve_figure, effect_figure, noise_figure, tree_figure

DASH = "\N{EN DASH}"
STRIPS_AT_ONCE = 12  # the others are behind a click


def view_selection(summary: dict[str, Any]) -> dict[str, Any]:
    """What the template of a selection needs.

    Parameters
    ----------
    summary : dict
        From `summarize` or `load_summary`.

    Returns
    -------
    view : dict
        The summary with figures as markup that is safe to show: their text was escaped.
    """
    details = summary["details"] or {}
    trees = details.get("groups") or [None] * len(summary["features"])
    samples = details.get("samples")
    return {
        **summary,
        **_score_rows(summary),
        "features": [
            _feature(row, tree, summary)
            for row, tree in zip(summary["features"], trees, strict=True)
        ],
        "curve": _curve(details.get("curve"), summary["metric"]),
        "samples": None if samples is None else _samples(samples, summary["features"]),
        "noise": _noise(details.get("noise"), summary["metric"]),
        "map": _map(details.get("map")),
        "glossary": GLOSSARY,
    }


def _score_rows(summary: dict[str, Any]) -> dict[str, Any]:
    rows = [
        {"label": label, "mean": mean, "low": low, "high": high}
        for label, mean, low, high in summary["scores"]
    ]
    metric = "r2" if summary["metric"] == "R²" else "balanced_accuracy"
    axis = row_axis(*score_limits(rows, metric))
    guess = next((row["mean"] for row in rows if row["label"] == "guessing"), axis.low)
    for row in rows:
        row["plot"] = interval_figure(axis, row["mean"], row["low"], row["high"], guess)
        row["interval"] = DASH if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}"
    return {"scores": rows, "ticks": ticks_figure(axis)}


def _feature(
    row: dict[str, Any], tree: dict[str, Any] | None, summary: dict[str, Any]
) -> dict[str, Any]:
    effects, classes = row["effects"], summary["classes"]
    return {
        **row,
        "score_text": DASH if row["score"] is None else f"{row['score']:.3f}",
        "n_more": row["n_stands_for"] - len(row["stands_for"]),
        "bars": None if effects is None else effect_figure(effects, classes),
        "tree": None if tree is None else tree_figure(tree),
        "n_not_drawn": 0 if tree is None else tree["n_left_out"],
    }


def _curve(curve: dict[str, Any] | None, metric: str) -> dict[str, Any] | None:
    if curve is None:
        return None
    rows = zip(curve["n_features"], curve["score"], curve["standard_error"], strict=True)
    return {**curve, "figure": curve_figure(curve, metric), "rows": list(rows)}


def _samples(samples: dict[str, Any], features: list[dict[str, Any]]) -> dict[str, Any]:
    names = [row["name"] for row in features]
    strips = [
        (row["rank"], row["name"], strip_figure(row["name"], values, samples))
        for row, values in zip(features, samples["values"], strict=False)
    ]
    return {
        **samples,
        "strips": strips[:STRIPS_AT_ONCE],
        "more_strips": strips[STRIPS_AT_ONCE:],
        "heat": heat_figure(names, samples),
        "n_features": len(samples["values"]),
    }


def _noise(noise: dict[str, Any] | None, metric: str) -> dict[str, Any] | None:
    if noise is None or not noise["rows"]:
        return noise
    return {**noise, "figure": noise_figure(noise, metric)}


def _map(found: dict[str, Any] | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {key: found[key] for key in ("n_features", "n_shown", "is_own", "axes")}


GLOSSARY = (
    ("sample", "a row of the table: a patient, a specimen, a recording"),
    ("feature", "a column that may be selected: a gene, a wavelength, a measure"),
    ("outcome", "what is to be predicted: a class for every sample, or a quantity"),
    (
        "balanced accuracy",
        "share of samples predicted rightly, each class counting the same; guessing 1 of n",
    ),
    ("R²", "share of a quantity's variance that is predicted; guessing its mean gets 0"),
    (
        "95 % interval",
        "where the mean would lie in 95 of 100 such studies, roughly; wide with few samples",
    ),
    (
        "stability",
        "agreement of features chosen on different samples: 1 always the same, 0 as by chance",
    ),
    ("split", "samples to select and train on, and others to test on"),
    ("SD", "standard deviation: how far values usually are from their mean"),
    ("group", "features that are so alike that one of them stands for all"),
    ("angle to the outcome", "0 or 180 degrees: the feature is the outcome; 90: unrelated"),
    ("sensitivity", "how far a feature's coefficient moves when the data are perturbed a little"),
    (
        "angle without it",
        "how much worse the outcome is fitted when the feature is left out, in degrees",
    ),
    ("noise", "random numbers added to the data, here up to 20 % of a feature's spread"),
)
