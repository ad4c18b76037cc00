"""A selection in plain words and numbers: what the page and the terminal show."""

from __future__ import annotations

from typing import Any

from perturbfs.results import SelectedFeature, Selection, label_of

from ._direction import describe_direction

SUMMARY_VERSION = 1
METRIC_NAMES = {"balanced_accuracy": "balanced accuracy", "r2": "R²", "roc_auc": "ROC AUC"}


def summarize(
    selection: Selection, details: dict[str, Any] | None = None, *, command: str | None = None
) -> dict[str, Any]:
    """What there is to say about a selection.

    Parameters
    ----------
    selection : Selection
    details : dict, optional
        From `perturbfs.results.describe_details`; without them there are no pictures.
    command : str, optional
        The command that repeats the selection.

    Returns
    -------
    summary : dict
        With ``headline`` (one sentence), ``data`` (label and text pairs), ``scores`` (label,
        mean, low, high), ``stability`` (sentence), ``features`` (rows), ``settings`` (pairs) and
        what else ``docs/summary-json.md`` lists. Plain values, as summary.json holds them.
    """
    chosen = [None] * len(selection.features) if details is None else details["chosen"]
    return {
        "schema_version": SUMMARY_VERSION,
        "headline": _headline(selection),
        "data": data_lines(selection.data),
        "scores": _score_rows(selection),
        "metric": metric_name(selection.estimate["metric"]),
        "estimate": _estimate_sentence(selection),
        "stability": _stability_sentence(selection),
        "n_splits": selection.estimate["n_splits"],
        "classes": _classes(selection),
        "features": [
            {**_feature_row(feature), **describe_direction(more, _classes(selection))}
            for feature, more in zip(selection.features, chosen, strict=True)
        ],
        "settings": _settings(selection),
        "command": command,
        "details": None
        if details is None
        else {name: value for name, value in details.items() if name != "chosen"},
    }


def _classes(selection: Selection) -> list[str] | None:
    classes = selection.data["classes"]
    return None if classes is None else [cut(str(name), 80) for name in classes]


def metric_name(metric: str) -> str:
    """A score as people call it; others keep the name that scikit-learn gives them."""
    return METRIC_NAMES.get(metric, metric)


def two_digits(value: float) -> str:
    """A number as people read it; never minus zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _headline(selection: Selection) -> str:
    n_chosen, estimate = len(selection.features), selection.estimate
    found, guess = (
        within_range(estimate[key], estimate["metric"]) for key in ("selected", "guessing")
    )
    everything = ""
    if estimate["all_features"] is not None:
        everything = f"all features reach {two_digits(estimate['all_features']['mean'])}, "
    metric = metric_name(estimate["metric"])
    return (
        f"{n_chosen} of {selection.data['n_features']:,} features were selected; on samples not "
        f"used to select them, such a selection reaches {metric} {two_digits(found['mean'])}"
        f"{_interval(found)}, {everything}guessing {two_digits(guess['mean'])}, and "
        f"{_how_stable(estimate['stability'])}."
    )


def _how_stable(stability: float | None) -> str:
    if stability is None:
        return "how stable the choice is could not be measured"
    words = [(0.75, "is stable"), (0.4, "is fairly stable"), (0.1, "varies between samples")]
    verdict = next((word for limit, word in words if stability > limit), "is not stable")
    return f"the choice {verdict} ({two_digits(stability)} of 1)"


def cut(name: str, longest: int = 200) -> str:
    """A name no longer than a page can bear; selection.json has it whole."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def _interval(row: dict[str, Any]) -> str:
    if row["low"] is None:
        return ""
    return f" ({two_digits(row['low'])} to {two_digits(row['high'])})"


def data_lines(data: dict[str, Any]) -> list[tuple[str, str]]:
    """How the data were understood, as pairs of label and text."""
    lines = [
        ("samples", f"{data['n_samples']:,}"),
        ("features", f"{data['n_features']:,}"),
        ("outcome", f"{data['target'] or 'unnamed'} ({data['task']})"),
    ]
    if data["classes"]:
        counts = ", ".join(f"{name}: {count}" for name, count in data["classes"].items())
        lines.append(("classes", counts))
    if data["n_missing"]:
        lines.append(("missing values", f"{data['n_missing']:,}, filled by {data['impute']}"))
    if data["n_constant"]:
        lines.append(("left out", f"{data['n_constant']:,} features that never vary"))
    for name, reason in data["dropped"]:
        lines.append(("left out", f"{name}: {reason}"))
    return lines


def _score_rows(selection: Selection) -> list[tuple[str, float, float | None, float | None]]:
    estimate = selection.estimate
    labels = [
        ("this way of selecting", "selected"),
        ("all features", "all_features"),
        ("guessing", "guessing"),
    ]
    rows = [
        (label, within_range(estimate[key], estimate["metric"]))
        for label, key in labels
        if estimate[key] is not None
    ]
    return [(label, row["mean"], row["low"], row["high"]) for label, row in rows]


def is_share(metric: str) -> bool:
    """Whether a score is between 0 and 1."""
    starts = ("balanced_accuracy", "accuracy", "roc_auc", "f1", "precision", "recall", "jaccard")
    return metric.startswith((*starts, "average_precision", "top_k_accuracy"))


def within_range(row: dict[str, Any], metric: str) -> dict[str, Any]:
    """The interval within what the score can be; the file keeps it as computed."""
    if row["low"] is None:
        return row
    low = max(row["low"], 0.0) if is_share(metric) else row["low"]
    high = min(row["high"], 1.0) if is_share(metric) or metric == "r2" else row["high"]
    return {**row, "low": low, "high": high}


def _estimate_sentence(selection: Selection) -> str:
    estimate = selection.estimate
    sizes = estimate["n_features_in_splits"]
    spread = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
    return (
        f"Mean over {estimate['n_splits']} random splits with 95 % interval. In each, the whole "
        f"selection was repeated on 70 % of the samples ({spread} features) and a predictor "
        f"({estimate['predictor']}) trained on them was tested on the other 30 %."
    )


def _stability_sentence(selection: Selection) -> str:
    stability = selection.estimate["stability"]
    if stability is None:
        return "Stability could not be measured: nothing could differ between the splits."
    if stability > 0.75:
        verdict = "nearly the same features come back"
    elif stability > 0.4:
        verdict = "many of the features come back"
    elif stability > 0.1:
        verdict = "some of the features come back; others may serve as well"
    else:
        verdict = "hardly any feature comes back: do not read meaning into single features"
    return f"Stability {two_digits(stability)} (1 always the same, 0 chance): {verdict}."


def _feature_row(feature: SelectedFeature) -> dict[str, Any]:
    return {
        "rank": feature.rank,
        "name": cut(feature.label),
        "score": feature.score,
        "n_stands_for": len(feature.stands_for),
        "stands_for": [cut(label_of(member)) for member in feature.stands_for[:50]],
    }


def _settings(selection: Selection) -> list[tuple[str, str]]:
    pairs = [("method", selection.method), ("random_state", str(selection.random_state))]
    pairs += [(name, str(value)) for name, value in selection.parameters.items()]
    pairs += [(f"{name} version", value) for name, value in selection.versions.items()]
    return [*pairs, ("data fingerprint", selection.data["fingerprint"])]
