"""The HTML page of a selection on a second cohort."""

from __future__ import annotations

from typing import Any

from perturbfs.results import clip_interval, count_of, metric_label

from ._cohort_figures import COHORTS, cohort_legend, prediction_figure, shift_figure
from ._evaluation_figures import interval_figure, row_axis, score_limits, ticks_figure
from ._page import in_words
from ._planned import DASH, MINUS, probability, signed
from ._template import render_template

PREDICTORS = {"svm": "a linear support vector machine", "ridge": "ridge regression"}
ROWS = (
    ("second", "trained on the first cohort"),
    ("standardized", "the same, with features standardized within each cohort"),
    ("refit", "trained again on the second cohort (refit)"),
    ("estimated", "estimated on the first cohort"),
)
INTERVALS = {
    "classification": "Its interval combines Wilson's intervals of the shares of correct samples "
    "of the classes (Zou, Huang and Zhang, 2009).",
    "regression": "Its interval comes from 2000 bootstrap samples of the second cohort.",
}
COMPARED = {
    "classification": "The cohorts are compared within each class, so that another mix of classes "
    "alone is no difference. The p-values of the classes are combined by Fisher's method.",
    "regression": "The cohorts are compared within ranges of the outcome, without what a straight "
    "line in it explains of a feature, so that other values of the outcome alone are no "
    "difference. The p-values of the ranges are combined by Fisher's method.",
}


def render_validation(document: dict[str, Any]) -> str:
    """Return a self-contained HTML page of a selection on a second cohort.

    Parameters
    ----------
    document : dict
        From `perturbfs.results.describe_validation` or `perturbfs.results.load_validation`.

    Returns
    -------
    page : str
        It makes no network requests.
    """
    date, predicted = document["date"], document["predicted"]
    values = {
        **document,
        **_score_rows(document),
        "metric": metric_label(document["metric"]),
        "day": None if date is None else in_words(date),
        "how": _how(document),
        **{
            name: None if document["scores"][name] is None else _texts(document["scores"][name])
            for name in ("auc", "correlation")
        },
        "rates": _rates(document["confusion"]),
        "compared": COMPARED[document["task"]],
        "shift_rows": [_shift_row(row) for row in document["shifts"]],
        "pictures": _pictures(document),
        "legend": cohort_legend(),
        "scatter": None if predicted is None else prediction_figure(predicted),
        "data": _data_rows(document),
        "settings": _settings(document),
    }
    return render_template("validation.html.j2", values)


def _score_rows(document: dict[str, Any]) -> dict[str, Any]:
    """Return the scores with their plots, and the ticks of the scale."""
    scores, metric = document["scores"], document["metric"]
    rows = [
        {"label": label, **clip_interval(scores[key], metric)}
        for key, label in ROWS
        if scores[key] is not None
    ]
    guess = scores["guessing"]
    rows.append({"label": "guessing", "mean": guess, "low": None, "high": None})
    axis = row_axis(*score_limits(rows, metric))
    for row in rows:
        texts = _texts(row)
        row |= {"shown": texts["mean"], "interval": texts["interval"]}
        row["plot"] = interval_figure(axis, row["mean"], row["low"], row["high"], guess)
    return {"score_rows": rows, "ticks": ticks_figure(axis)}


def _how(document: dict[str, Any]) -> list[str]:
    """Return sentences on how the scores were computed."""
    first, second = (count_of(document[each]["n_samples"], "sample") for each in COHORTS)
    name = PREDICTORS.get(document["predictor"], document["predictor"])
    features = count_of(len(document["features"]), "selected feature")
    trained = (
        f"The predictor, {name}, was trained on all {first} of the first cohort with the "
        f"{features}, and predicted the {second} of the second cohort. "
        f"{INTERVALS[document['task']]}"
    )
    by_chance = (
        "Predictions that have nothing to do with the outcome score as well with a probability "
        f"of p = {_p(document['scores']['p_value'])} (1999 random orders of the outcome)."
    )
    sentences = [trained, by_chance]
    if document["scores"]["refit"] is None:
        sentences.append("The second cohort is too small to train the predictor again.")
    else:
        sentences.append(
            "For the refit, the predictor was trained with the same features on 70 % of the "
            "second cohort and tested on the other 30 %, in 50 random splits. The interval is "
            "corrected for the overlap of the splits."
        )
    sentences.append("All intervals are 95 % intervals and assume independent samples.")
    return sentences


def _texts(row: dict[str, Any]) -> dict[str, str]:
    """Return a mean and its interval as text."""
    low, high = row["low"], row["high"]
    interval = DASH if low is None else f"{low:.3f} to {high:.3f}"
    texts = {"mean": f"{row['mean']:.3f}", "interval": interval}
    return {name: text.replace("-", MINUS) for name, text in texts.items()}


def _rates(confusion: dict[str, Any] | None) -> list[list[dict[str, str]]]:
    """Return sensitivity and specificity of each class as text; a dash without samples."""
    unknown = {"mean": DASH, "interval": DASH}
    return [
        [
            unknown if row[name] is None else _texts(row[name])
            for name in ("sensitivity", "specificity")
        ]
        for row in ([] if confusion is None else confusion["by_class"])
    ]


def _p(value: float) -> str:
    return "0.0005, the least possible" if value <= 0.0005 else probability(value)


def _shift_row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "shown": f"{row['distance']:.2f}",
        "p": probability(row["p_value"]),
        "p_corrected": probability(row["p_adjusted"]),
        "difference": DASH
        if row["mean_difference"] is None
        else signed(row["mean_difference"], 2),
        "ratio": DASH if row["sd_ratio"] is None else f"{row['sd_ratio']:.2f}",
    }


def _pictures(document: dict[str, Any]) -> list[tuple[str, bool, str]]:
    """Return name, whether it is shifted and figure of the features, the most shifted first."""
    n_stored = len(document["first"]["samples"]["values"])
    shifts = {row["name"]: row for row in document["shifts"]}
    found = []
    for place, name in enumerate(document["features"][:n_stored]):
        row = shifts.get(name)
        is_shifted = row is not None and row["is_shifted"]
        order = 1.0 if row is None else row["p_adjusted"]
        found.append((order, name, is_shifted, shift_figure(name, place, document)))
    return [rest for _, *rest in sorted(found, key=lambda each: each[0])]  # type: ignore[misc]


def _data_rows(document: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return label, first cohort and second cohort of each row of the table of the data."""
    pair = [document[each] for each in COHORTS]
    texts = {
        "file": [each["source_name"] or DASH for each in pair],
        "samples": [f"{each['n_samples']:,}" for each in pair],
        "outcome": [each["target"] or "unnamed" for each in pair],
    }
    for label in document["classes"] or ():
        texts[f"class {label}"] = [f"{each['classes'].get(label, 0):,}" for each in pair]
    return [(label, mine, other) for label, (mine, other) in texts.items()]


def _settings(document: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("method of the selection", document["method"])]
    rows.append(("random_state", str(document["random_state"])))
    return [*rows, *((f"{name} version", text) for name, text in document["versions"].items())]
