"""A validation in plain values: the content of validation.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from perturbfs.arrays import Array
from perturbfs.scoring import Estimate, exact_share

from ._chosen import MOST_SAMPLES, describe_samples, short, shortened
from ._data import versions
from ._documents import VALIDATION_VERSION
from ._predictions import MOST_CLASSES
from ._shift import Shift
from ._validation import Validation
from ._verdict import finite
from ._wording import class_labels, shorten


def describe_validation(
    validation: Validation, *, command: str | None = None, date: str | None = None
) -> dict[str, Any]:
    """Return what was found on a second cohort, in plain values.

    Parameters
    ----------
    validation : Validation
    command : str, optional
        The command that repeats it.
    date : str, optional
        The day, such as 2026-03-31.

    Returns
    -------
    document : dict
        The fields that https://perturbfs.github.io/perturbfs/second-cohort.html describes.
    """
    selection, second = validation.first.selection, validation.second
    data, task = selection.data, selection.data["task"]
    scores = {
        name: _interval(value) if isinstance(value, Estimate) else value
        for name, value in _fields(validation.scores).items()
        if name != "metric"
    }
    return {
        "schema_version": VALIDATION_VERSION,
        "verdict": validation.verdict,
        "comment": validation.comment,
        "conclusion": validation.conclusion,
        "date": date,
        "command": command,
        "random_state": validation.random_state,
        "task": task,
        "metric": validation.scores.metric,
        "predictor": selection.estimate["predictor"],
        "method": selection.method,
        "features": [shorten(name) for name in second.feature_names],
        "classes": None if validation.classes is None else class_labels(validation.classes),
        "first": _cohort(
            validation.first.X, validation.first.y, task, data["source_name"], data["target"]
        ),
        "second": _cohort(second.X, second.y, task, second.source_name, second.target_name),
        "scores": scores,
        "confusion": _confusion(validation.confusion),
        "predicted": _predicted(second.y, second.predicted) if task == "regression" else None,
        "shifts": [_shift(each) for each in validation.shifts],
        "findings": [{**asdict(each), "names": list(each.names)} for each in validation.findings],
        "notes": list(validation.notes),
        "versions": versions(),
    }


def _fields(scores: Any) -> dict[str, Any]:
    return {name: getattr(scores, name) for name in scores.__dataclass_fields__}


def _interval(estimate: Estimate) -> dict[str, float | None]:
    low, high = finite(estimate.low), finite(estimate.high)
    return {
        "mean": round(estimate.mean, 6),
        "low": None if low is None else round(low, 6),
        "high": None if high is None else round(high, 6),
    }


def _cohort(
    X: Array, y: Array, task: str, source_name: str | None, target: str | None
) -> dict[str, Any]:
    classes = None
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        classes = dict(zip(class_labels(labels), map(int, counts), strict=True))
    return {
        "source_name": source_name,
        "target": target,
        "n_samples": len(y),
        "classes": classes,
        "samples": describe_samples(X, y, range(X.shape[1]), task=task),
    }


def _confusion(counts: Array | None) -> dict[str, Any] | None:
    """Return the matrix and the rates of each class with exact intervals."""
    if counts is None or len(counts) > MOST_CLASSES:
        return None
    n_samples, hits = int(counts.sum()), counts.diagonal()
    n_true, n_predicted = counts.sum(axis=1), counts.sum(axis=0)
    return {
        "counts": counts.tolist(),
        "by_class": [
            {
                "sensitivity": _share(hit, n_mine),
                "specificity": _share(n_samples - n_mine - (n_named - hit), n_samples - n_mine),
            }
            for hit, n_mine, n_named in zip(
                hits.tolist(), n_true.tolist(), n_predicted.tolist(), strict=True
            )
        ],
    }


def _share(n_hits: int, n_samples: int) -> dict[str, float | None] | None:
    """Return a share with its interval, or None if there are no samples."""
    return _interval(exact_share(n_hits, n_samples)) if n_samples else None


def _predicted(y: Array, predicted: Array) -> dict[str, list[float]]:
    rows = np.argsort(y, kind="stable")
    if len(rows) > MOST_SAMPLES:
        rows = rows[np.linspace(0, len(rows) - 1, MOST_SAMPLES).round().astype(int)]
    return {"true": short(y[rows]), "predicted": short(predicted[rows])}


def _shift(shift: Shift) -> dict[str, Any]:
    numbers = {
        name: None if value is None else shortened(value)
        for name, value in asdict(shift).items()
        if name != "name"
    }
    return {"name": shorten(shift.name), **numbers, "is_shifted": shift.is_shifted}
