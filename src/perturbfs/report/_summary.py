"""A selection in plain words and numbers: what the page and the terminal show."""

from __future__ import annotations

from typing import Any

from perturbfs._selection import SelectedFeature, Selection, label_of

METRIC_NAMES = {"balanced_accuracy": "balanced accuracy", "r2": "R²"}


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
        "data": _data_lines(selection),
        "scores": _score_rows(selection),
        "metric": METRIC_NAMES[selection.estimate["metric"]],
        "estimate": _estimate_sentence(selection),
        "stability": _stability_sentence(selection),
        "features": [_feature_row(feature) for feature in selection.features],
        "settings": _settings(selection),
    }


def two_digits(value: float) -> str:
    """A number as people read it; never minus zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def _headline(selection: Selection) -> str:
    n_chosen, estimate = len(selection.features), selection.estimate
    found, everything, guess = (
        _within_range(estimate[key], estimate["metric"])
        for key in ("selected", "all_features", "guessing")
    )
    metric = METRIC_NAMES[estimate["metric"]]
    return (
        f"{n_chosen} of {selection.data['n_features']:,} features were selected. On samples not "
        f"used to select them, such a selection reaches {metric} {two_digits(found['mean'])}"
        f"{_interval(found)}; all features reach {two_digits(everything['mean'])}, guessing "
        f"{two_digits(guess['mean'])}."
    )


def _interval(row: dict[str, Any]) -> str:
    if row["low"] is None:
        return ""
    return f" ({two_digits(row['low'])} to {two_digits(row['high'])})"


def _data_lines(selection: Selection) -> list[tuple[str, str]]:
    data = selection.data
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
    rows = [(label, _within_range(estimate[key], estimate["metric"])) for label, key in labels]
    return [(label, row["mean"], row["low"], row["high"]) for label, row in rows]


def _within_range(row: dict[str, Any], metric: str) -> dict[str, Any]:
    """The interval within what the score can be; the file keeps it as computed."""
    if row["low"] is None:
        return row
    low = max(row["low"], 0.0) if metric == "balanced_accuracy" else row["low"]
    return {**row, "low": low, "high": min(row["high"], 1.0)}


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
