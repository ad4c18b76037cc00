"""The summary of a selection: the sentences and numbers that the page and the terminal show."""

from __future__ import annotations

from typing import Any

from ._documents import SUMMARY_VERSION
from ._selection import SelectedFeature, Selection
from ._wording import (
    class_labels,
    clip_interval,
    count_of,
    data_lines,
    label_of,
    metric_label,
    shorten,
    two_digits,
)

MOST_MEMBERS = 50  # of a group that a summary names
PREDICTORS = {
    "svm": "a linear support vector machine",
    "ridge": "ridge regression",
    "cox": "a Cox model with a ridge penalty",
}
_WITHOUT_DETAILS = dict.fromkeys(
    (
        "direction",
        "effects",
        "correlation",
        "n_again",
        "n_again_group",
        "copy_r",
        "effect",
        "p_value",
        "q_value",
    )
)


def summarize(
    selection: Selection,
    details: dict[str, Any] | None = None,
    *,
    command: str | None = None,
    date: str | None = None,
) -> dict[str, Any]:
    """Summarize a selection in sentences and plain values.

    Parameters
    ----------
    selection : Selection
    details : dict, optional
        From `describe_details`. Without them the page has no figures.
    command : str, optional
        The command that repeats the selection.
    date : str, optional
        The day of the selection, such as 2026-03-31.

    Returns
    -------
    summary : dict
        The fields that https://perturbfs.github.io/perturbfs/summary-json.html describes.
    """
    classes, metric = selection.data["classes"], selection.estimate["metric"]
    chosen = [_WITHOUT_DETAILS] * len(selection.features)
    if details is not None:
        chosen, details = details["chosen"], {k: v for k, v in details.items() if k != "chosen"}
    return {
        "schema_version": SUMMARY_VERSION,
        "headline": _headline(selection),
        "source_name": selection.data["source_name"],
        "date": date,
        "notes": selection.data["notes"],
        "findings": selection.data["findings"],
        "data": data_lines(selection.data),
        "scores": _score_rows(selection),
        "comparisons": selection.estimate["comparisons"],
        "metric": metric_label(metric),
        "estimate": _estimate_sentence(selection.estimate),
        "stability": _stability_sentence(selection.estimate["stability"]),
        "n_splits": selection.estimate["n_splits"],
        "classes": None if classes is None else class_labels(classes),
        "features": [
            {**feature_row(feature), **more}
            for feature, more in zip(selection.features, chosen, strict=True)
        ],
        "settings": _settings(selection),
        "command": command,
        **_origins(selection),
        "details": details,
    }


def _origins(selection: Selection) -> dict[str, Any]:
    """Return the tables that were joined, if there are several."""
    rows = selection.data.get("origins")
    short = [{**row, "name": shorten(row["name"])} for row in rows or ()]
    return {} if rows is None else {"origins": short}


def _headline(selection: Selection) -> str:
    """Return the verdict, then how many features were selected and how stable the choice is."""
    n_chosen, n_features = len(selection.features), selection.data["n_features"]
    verb = "was" if n_chosen == 1 else "were"
    count = f"{n_chosen} of {count_of(n_features, 'feature')} {verb} selected"
    verdict = selection.estimate["verdict"] or _scores_sentence(selection.estimate)
    return f"{verdict} {count}, and {_how_stable(selection.estimate['stability'])}."


def _scores_sentence(estimate: dict[str, Any]) -> str:
    """Return the scores of a selection of an older version, which has no verdict."""
    metric = estimate["metric"]
    found, guess = (two_digits(estimate[key]["mean"]) for key in ("selected", "guessing"))
    return (
        f"On new samples, the selection reaches {metric_label(metric)} {found}; guessing "
        f"reaches {guess}."
    )


def _how_stable(stability: float | None) -> str:
    if stability is None:
        return "the stability of the choice could not be measured"
    words = [(0.75, "is stable"), (0.4, "is fairly stable"), (0.1, "varies between samples")]
    verdict = next((word for limit, word in words if stability > limit), "is not stable")
    return f"the choice {verdict}"


def _score_rows(selection: Selection) -> list[tuple[str, float, float | None, float | None]]:
    estimate = selection.estimate
    labels = {
        "selected": "this way of selecting",
        "all_features": "all features",
        "random": "as many random features",
        "guessing": "guessing",
    }
    rows = []
    for key, label in labels.items():
        if estimate[key] is not None:
            rows.append(_score_row(label, estimate[key], estimate["metric"]))
    if estimate["batch"] is not None:
        score = estimate["batch"]["score"]
        rows.append(_score_row("the batch alone", score, estimate["metric"]))
    return rows


def _score_row(
    label: str, score: dict[str, Any], metric: str
) -> tuple[str, float, float | None, float | None]:
    row = clip_interval(score, metric)
    return label, row["mean"], row["low"], row["high"]


def _estimate_sentence(estimate: dict[str, Any]) -> str:
    sizes = estimate["n_features_in_splits"]
    spread = count_of(max(sizes), "feature")
    if min(sizes) < max(sizes):
        spread = f"{min(sizes)} to {spread}"
    name = PREDICTORS.get(estimate["predictor"], estimate["predictor"])
    batch = "" if estimate["batch"] is None else f" {estimate['batch']['sentence']}"
    return (
        f"Mean over {estimate['n_splits']} random splits, with a 95 % interval. In each split, "
        f"the whole selection was repeated on 70 % of the samples and gave {spread}. With these, "
        f"{name} was trained on the same samples and tested on the other 30 %.{batch}"
    )


def _stability_sentence(stability: float | None) -> str:
    if stability is None:
        return "Stability could not be measured, because the selections could not differ."
    verdicts = [
        (0.75, "nearly the same features are selected again"),
        (0.4, "many of the features are selected again"),
        (0.1, "some of the features are selected again; others may predict as well"),
    ]
    worst = "hardly any feature is selected again: do not interpret single features"
    verdict = next((word for limit, word in verdicts if stability > limit), worst)
    return (
        f"Stability {two_digits(stability)} (1 means always the same features, 0 means chance): "
        f"{verdict}."
    )


def feature_row(feature: SelectedFeature) -> dict[str, Any]:
    """Return what is known of a selected feature without details, in plain values."""
    members = feature.stands_for
    origin = {} if feature.origin is None else {"origin": shorten(feature.origin)}
    return {
        "rank": feature.rank,
        "name": shorten(feature.label),
        "score": feature.score,
        "n_stands_for": len(members),
        "stands_for": [shorten(label_of(member)) for member in members[:MOST_MEMBERS]],
        "copy_of": None if feature.copy_of is None else shorten(label_of(feature.copy_of)),
        **origin,
    }


def _settings(selection: Selection) -> list[tuple[str, str]]:
    pairs = [("method", selection.method), ("random_state", str(selection.random_state))]
    pairs += [(name, str(value)) for name, value in selection.parameters.items()]
    pairs += [(f"{name} version", value) for name, value in selection.versions.items()]
    return [*pairs, ("data fingerprint", selection.data["fingerprint"])]
