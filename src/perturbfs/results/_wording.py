"""Names and numbers as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from perturbfs.arrays import Array

LONGEST_NAME, LONGEST_CLASS = 200, 80
MOST_LINES, MOST_CLASSES = 10, 20  # of what is left out, and of classes, that are listed
METRIC_LABELS = {"balanced_accuracy": "balanced accuracy", "r2": "R²", "roc_auc": "ROC AUC"}
SHARES = (
    "balanced_accuracy",
    "accuracy",
    "roc_auc",
    "f1",
    "precision",
    "recall",
    "jaccard",
    "average_precision",
    "top_k_accuracy",
    "concordance",
)


def label_of(name_or_index: str | int) -> str:
    """Return the name of a feature, or "feature 8" for the index 7 of one without a name."""
    if isinstance(name_or_index, str):
        return name_or_index
    return f"feature {name_or_index + 1}"


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 feature" or "1,200 features"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def feature_labels(feature_names: Array | None, n_features: int) -> Sequence[str]:
    """Return a label for every feature, whether the features have names or not."""
    if feature_names is not None:
        return [str(name) for name in feature_names]
    return [label_of(index) for index in range(n_features)]


def shorten(name: str, longest: int = LONGEST_NAME) -> str:
    """Cut a long name for the page; selection.json keeps the whole name."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def class_labels(classes: Iterable[Any]) -> list[str]:
    """Return the names of classes, cut where they are long."""
    return [shorten(str(name), LONGEST_CLASS) for name in classes]


def two_digits(value: float) -> str:
    """Return a number with two decimals, never as minus zero."""
    return f"{round(value, 2) + 0.0:.2f}"


def with_sign(value: float) -> str:
    """Return a number with two decimals and its sign, with a real minus sign."""
    return f"{round(value, 2) + 0.0:+.2f}".replace("-", "\N{MINUS SIGN}")


def metric_label(metric: str) -> str:
    """Return the usual name of a score; an unknown score keeps its scikit-learn name."""
    return METRIC_LABELS.get(metric, metric)


def is_share(metric: str) -> bool:
    """Return whether a score lies between 0 and 1."""
    return metric.startswith(SHARES)


def clip_interval(row: dict[str, Any], metric: str) -> dict[str, Any]:
    """Limit the ends of an interval to values that the score can take."""
    if row["low"] is None:
        return row
    low = max(row["low"], 0.0) if is_share(metric) else row["low"]
    high = min(row["high"], 1.0) if is_share(metric) or metric == "r2" else row["high"]
    return {**row, "low": low, "high": high}


def data_lines(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Describe the data that were read, as pairs of label and text."""
    lines = [
        ("samples", f"{data['n_samples']:,}"),
        ("features", f"{data['n_features']:,}"),
        ("outcome", f"{data['target'] or 'unnamed'} ({data['task']})"),
    ]
    if "origins" in data:
        counts = ", ".join(f"{each['name']}: {each['n_features']:,}" for each in data["origins"])
        lines.insert(2, ("origin of the features", counts))
    if data["n_events"] is not None:
        n_censored = data["n_samples"] - data["n_events"]
        lines.append(("events", f"{data['n_events']:,}, and {n_censored:,} samples censored"))
    if data["classes"]:
        named = [f"{name}: {count:,}" for name, count in data["classes"].items()]
        counts = ", ".join(named[:MOST_CLASSES])
        if len(named) > MOST_CLASSES:
            counts += f" and {len(named) - MOST_CLASSES} more classes"
        lines.append(("classes", counts))
    lines += _sample_lines(data)
    if data["n_missing"]:
        how = {"median": "the median", "knn": "nearest neighbors"}.get(data["impute"])
        filled = "not filled" if how is None else f"filled by {how}"
        lines.append(("missing values", f"{data['n_missing']:,}, {filled}"))
    if data.get("n_constant"):
        verb = "never varies" if data["n_constant"] == 1 else "never vary"
        lines.append(("left out", f"{count_of(data['n_constant'], 'feature')} that {verb}"))
    lines += [("left out", f"{name}: {reason}") for name, reason in data["dropped"][:MOST_LINES]]
    if len(data["dropped"]) > MOST_LINES:
        n_more = len(data["dropped"]) - MOST_LINES
        lines.append(("left out", f"{n_more:,} more, all listed in the JSON file"))
    return lines


def _sample_lines(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Describe the groups and the batches of the samples."""
    lines = []
    if data["groups"]:
        groups = count_of(data["groups"]["n_groups"], "group")
        lines.append(("groups", f"{data['groups']['name']}: {groups}"))
    if data["batch"]:
        name, n_batches = data["batch"]["name"], data["batch"]["n_batches"]
        text = f"{name}: {n_batches:,} batches; features are centered within them"
        lines.append(("batches", text))
    return lines
