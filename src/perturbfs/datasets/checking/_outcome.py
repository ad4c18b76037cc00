"""Findings about the outcome: labels, sizes of the classes, classes or a quantity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from perturbfs.arrays import Array

from ._finding import Finding, count, listed

FEW_SAMPLES = 8  # the training part of a split then has five, one for each inner fold
MANY_CLASSES, FEW_PER_CLASS = 10, 5
FEW_VALUES, MANY_PER_VALUE = 10, 5
FEW_EVENTS = 20  # the training part of a split then has fourteen


def check_outcome(y: Array, task: str) -> Iterator[Finding]:
    """Yield what is suspicious about an outcome.

    Parameters
    ----------
    y : array of shape (n_samples,)
    task : {"classification", "regression", "survival"}

    Yields
    ------
    finding : Finding
    """
    if task == "survival":
        yield from _few_events(y)
        return
    values, sizes = np.unique(y, return_counts=True)
    if len(values) == 1:
        yield Finding(
            "one_value",
            f"The outcome is {values.tolist()[0]!r} in all {count(len(y), 'sample')}.",
            "There is nothing to predict. Name another column with --target.",
            severity="warning",
        )
        return
    if task == "regression":
        yield from _few_values(values, len(y))
        return
    labels = [str(value) for value in values.tolist()]
    yield from _labels_alike(labels, sizes)
    if y.dtype.kind in "if" and len(values) >= MANY_CLASSES and np.median(sizes) <= FEW_PER_CLASS:
        yield Finding(
            "many_classes",
            f"The outcome is taken for {count(len(values), 'class', 'classes')} that are numbers, "
            f"half of them with {FEW_PER_CLASS} samples or fewer. It looks like a quantity.",
            "If it is one, give --task regression.",
            severity="warning",
        )
    else:
        yield from _small_classes(labels, sizes)


def _few_events(y: Array) -> Iterator[Finding]:
    n_events = int(np.sum(y["event"]))
    if n_events < FEW_EVENTS:
        yield Finding(
            "few_events",
            f"The event happened in {n_events} of {count(len(y), 'sample')}.",
            "With so few events the estimate is very uncertain. Follow the samples for longer, or "
            "collect more, if you can.",
            severity="warning",
        )


def _few_values(values: Array, n_samples: int) -> Iterator[Finding]:
    if len(values) <= FEW_VALUES and n_samples >= MANY_PER_VALUE * len(values):
        yield Finding(
            "few_values",
            f"The outcome is taken for a quantity, but has only {count(len(values), 'value')}.",
            "If these are classes, give --task classification.",
            tuple(f"{value:g}" for value in values[:FEW_VALUES]),
        )


def _labels_alike(labels: list[str], sizes: Array) -> Iterator[Finding]:
    """Yield a finding if labels differ only in case, blanks, or the like."""
    same = defaultdict(list)
    for label, size in zip(labels, sizes.tolist(), strict=True):
        same["".join(label.casefold().split())].append(f"{label!r} ({count(size, 'sample')})")
    for alike in same.values():
        if len(alike) > 1:
            yield Finding(
                "labels",
                f"The classes {listed(alike)} differ only in upper and lower case or in blanks.",
                "They count as different classes. Give them the same label in the file.",
                tuple(alike),
                "warning",
            )


def _small_classes(labels: list[str], sizes: Array) -> Iterator[Finding]:
    small = np.flatnonzero(sizes < FEW_SAMPLES)
    if not len(small):
        return
    named = [f"{labels[place]} ({sizes[place]})" for place in small.tolist()]
    them = "it" if len(small) == 1 else "them"
    advice = f"Leave {them} out with --min-class-size {FEW_SAMPLES}, or join {them} with another."
    if len(labels) - len(small) < 2:
        advice = "With so few samples the estimate is very uncertain. Collect more if you can."
    yield Finding(
        "small_classes",
        f"{count(len(small), 'class has', 'classes have')} fewer than {FEW_SAMPLES} samples: "
        f"{listed(named)}.",
        advice,
        tuple(named[:10]),
        "warning" if sizes.min() < 3 else "note",
    )
