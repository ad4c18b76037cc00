"""Findings about batches that a user names: what they say about the outcome."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from perturbfs.arrays import Array
from perturbfs.evaluation import Planned, score_batch
from perturbfs.scoring import metric_name, outcome_within, samples_to_keep, why_useless

from ._finding import Finding, count

LEVEL = 0.05  # of the planned test
TELLING = 0.05  # a difference of this size is mentioned even if it is not significant
LITTLE = 0.1  # share of the variance of the outcome that is left within batches


def check_confounding(
    batch: Array,
    y: Array,
    task: Any,
    groups: Array | None,
    *,
    min_class_size: int | None = None,
    scoring: Any = None,
    **options: Any,
) -> Iterator[Finding]:
    """Yield what a batch says about the outcome.

    Parameters
    ----------
    batch : array of shape (n_samples,)
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    groups : array of shape (n_samples,) or None
    min_class_size : int or None
        Classes with fewer samples take no part.
    scoring : str, callable or None
    **options
        ``n_splits`` and ``random_state`` of the splits.

    Yields
    ------
    finding : Finding
    """
    kept, _ = samples_to_keep(y, min_class_size, task=task)
    batch, y = batch[kept], y[kept]
    groups = None if groups is None else groups[kept]
    problem = why_useless(batch, y, task=task)
    if problem is not None:
        yield Finding("confounded", *problem, severity="warning")
        return
    try:
        found = score_batch(batch, y, task=task, groups=groups, scoring=scoring, **options)
    except ValueError:  # too few samples or groups to split, which the other commands refuse
        return
    left = outcome_within(y, batch, task=task)
    yield _describe(found, left, metric_name(scoring, task=task))
    if task == "classification":
        yield from _one_class(batch, y)


def _describe(found: Planned, left: float, metric: str) -> Finding:
    """Return a finding on what the batch alone predicts."""
    guess, change = found.reference.mean, found.difference
    is_better = change.p_value <= LEVEL and change.mean > 0
    label = {"r2": "R\N{SUPERSCRIPT TWO}"}.get(metric, metric.replace("_", " "))
    how = "better" if is_better else "no better"
    chance = (
        ", a difference that may be chance" if not is_better and change.mean >= TELLING else ""
    )
    message = (
        f"The batch alone predicts the outcome {how} than guessing ({label} "
        f"{guess + change.mean:.2f} against {guess:.2f}{chance}). Of the variance of the outcome, "
        f"{100 * left:.0f} % is within batches."
    )
    advice = "With --batch, features are selected within batches, and little is lost by it."
    if left < LITTLE:
        advice = (
            "The batch and the outcome are nearly the same, so hardly anything can be learned "
            "within batches. Add samples, so that the classes or values are mixed in each batch."
        )
    elif is_better:
        advice = (
            "With --batch, features are selected within batches, so a difference between batches "
            "is not taken for an effect of the outcome. Scores are then too low rather than too "
            "high, because the part of the effect that differs between batches is lost too."
        )
    is_warning = is_better or left < LITTLE
    return Finding("confounded", message, advice, (), "warning" if is_warning else "note")


def _one_class(batch: Array, y: Array) -> Iterator[Finding]:
    """Yield a finding about batches with samples of one class only."""
    names, codes = np.unique(batch, return_inverse=True)
    n_classes = np.array([len(np.unique(y[codes == code])) for code in range(len(names))])
    single = np.flatnonzero(n_classes == 1)
    if not len(single):
        return
    n_samples = int(np.isin(codes, single).sum())
    verb = "has" if len(single) == 1 else "have"
    yield Finding(
        "confounded",
        f"{len(single):,} of {count(len(names), 'batch', 'batches')} {verb} samples of one class "
        f"only: {n_samples:,} of {len(y):,} samples.",
        "Nothing can be compared within them. They say nothing about the classes.",
        tuple(str(name) for name in names[single][:10].tolist()),
        "warning" if n_samples > len(y) / 2 else "note",
    )
