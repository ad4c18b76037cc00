"""A selection in plain words and numbers: what the page and the terminal show."""

from __future__ import annotations

from typing import Any

from perturbfs._selection import SelectedFeature, Selection, label_of

from ._evaluation_plots import is_share

METRIC_NAMES = {"balanced_accuracy": "balanced accuracy", "r2": "R²", "roc_auc": "ROC AUC"}


def summarize(selection: Selection) -> dict[str, Any]:
    """What there is to say about a selection.

    Parameters
    ----------
    selection : Selection

    Returns
    -------
    summary : dict
        With ``headline`` (one sentence), ``data`` (label and text pairs), ``scores`` (label,
        mean, low, high), ``stability`` (sentence), ``features`` (rows) and ``settings`` (pairs).
        Values are strings and numbers only.
    """
    return {
        "headline": _headline(selection),
        "data": data_lines(selection.data),
        "scores": _score_rows(selection),
        "metric": metric_name(selection.estimate["metric"]),
        "estimate": _estimate_sentence(selection),
        "stability": _stability_sentence(selection),
        "features": [_feature_row(feature) for feature in selection.features],
        "settings": _settings(selection),
    }


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
        f"{n_chosen} of {selection.data['n_features']:,} features were selected. On samples not "
        f"used to select them, such a selection reaches {metric} {two_digits(found['mean'])}"
        f"{_interval(found)}; {everything}guessing {two_digits(guess['mean'])}."
    )


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
        "name": feature.label,
        "score": feature.score,
        "n_stands_for": len(feature.stands_for),
        "stands_for": [label_of(member) for member in feature.stands_for[:50]],
    }


def _settings(selection: Selection) -> list[tuple[str, str]]:
    pairs = [("method", selection.method), ("random_state", str(selection.random_state))]
    pairs += [(name, str(value)) for name, value in selection.parameters.items()]
    pairs += [(f"{name} version", value) for name, value in selection.versions.items()]
    return [*pairs, ("data fingerprint", selection.data["fingerprint"])]
