"""Differences of all features between two classes, with p-values: the volcano plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from scipy.stats import false_discovery_control
from scipy.stats import t as student
from sklearn.utils.sparsefuncs import mean_variance_axis

from perturbfs.arrays import Array

from ._chosen import short, shortened
from ._wording import class_labels

RAW_FROM = 100.0  # values that are never negative and reach this are measured, not logarithms
MOST_SPREAD = 30.0  # features whose deviations differ by a larger factor share no scale
LEVEL = 0.05  # of the false discovery rate
MOST_LOG_P = 300.0
CELLS = (400, 250)  # of the plot; of the features in a cell only one is drawn

_ABOUT = {
    "log2 fold change": "The values are never negative and reach {high:,.0f}, so they were not "
    "taken for logarithms: means and tests are those of log2(value + 1).",
    "difference of means": "If the values are logarithms to base 2, this is the log2 fold change.",
    "difference of means in standard deviations": "The features are measured on different "
    "scales, so the difference of their means is divided by their standard deviation.",
}


_SHORT = {
    "log2 fold change": "log2 FC",
    "difference of means": "difference",
    "difference of means in standard deviations": "difference, SD",
}


def describe_volcano(
    X: Array, y: Array, order: Sequence[int]
) -> tuple[dict[str, Any] | None, list[dict[str, float | None]]]:
    """Compare the two classes in every feature, by Welch's t-test.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        Without missing values.
    y : array of shape (n_samples,)
        The classes.
    order : sequence of int
        The selected features, sorted by rank.

    Returns
    -------
    volcano : dict or None
        ``label``, ``short_label`` and ``about`` of the horizontal axis, ``classes`` (positive
        effects are higher in the second), ``n_features`` that vary, ``n_significant`` (false
        discovery rate of at most 5 %), ``p_limit`` (the largest of their p-values, or None),
        ``effect`` and ``log_p`` (minus the logarithm to base 10), and ``n_chosen``: the selected
        features come first, by rank. Of other features that would lie on each other only one
        is there. None unless there are two classes with at least two samples each, and a feature
        that varies.
    rows : list of dict
        ``effect``, ``p_value`` and ``q_value`` (the smallest false discovery rate, by
        Benjamini and Hochberg) of the selected features.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.results import describe_volcano
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [7.0, 0.0], [8.0, 1.0]])
    >>> found, [row] = describe_volcano(X, np.array(["a", "a", "b", "b"]), [0])
    >>> found["label"], row["effect"], round(row["p_value"], 3), round(row["q_value"], 3)
    ('difference of means', 6.0, 0.014, 0.027)
    """
    unknown: dict[str, float | None] = dict.fromkeys(("effect", "p_value", "q_value"))
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) != 2 or counts.min() < 2:
        return None, [dict(unknown) for _ in order]
    high = float(X.max())
    is_raw = float(X.min()) >= 0 and high > RAW_FROM
    first, second = (_moments(X[np.flatnonzero(y == label)], is_raw) for label in labels)
    effect = second[0] - first[0]
    p_values, varies = _welch(first, second, counts)
    if not varies.any():
        return None, [dict(unknown) for _ in order]
    q_values = np.ones(len(effect))
    q_values[varies] = false_discovery_control(p_values[varies])
    label, scale = _scale(is_raw, (first[1] + second[1]) / 2, varies)
    effect = effect / scale
    is_significant = varies & (q_values <= LEVEL)
    points = _points(effect, p_values, np.flatnonzero(varies), order)
    volcano: dict[str, Any] = {
        "label": label,
        "short_label": _SHORT[label],
        "about": _ABOUT[label].format(high=high),
        "classes": class_labels(labels),
        "n_features": int(varies.sum()),
        "n_significant": int(is_significant.sum()),
        "p_limit": shortened(float(p_values[is_significant].max()))
        if np.any(is_significant)
        else None,
        **points,
        "n_chosen": len(order),
    }
    rows: list[dict[str, float | None]] = [
        {
            "effect": shortened(float(effect[feature])),
            "p_value": shortened(float(p_values[feature])),
            "q_value": shortened(float(q_values[feature])),
        }
        for feature in order
    ]
    return volcano, rows


def _moments(X: Array, is_raw: bool) -> tuple[Array, Array]:
    """Return mean and variance of every feature, of logarithms if the values are raw."""
    if scipy.sparse.issparse(X):
        X = scipy.sparse.csr_array(X, dtype=np.float64)
        if is_raw:
            X.data = np.log2(X.data + 1)
        mean, variance = mean_variance_axis(scipy.sparse.csr_matrix(X), axis=0)
    else:
        X = np.log2(X + 1) if is_raw else np.asarray(X, dtype=np.float64)
        mean, variance = X.mean(axis=0), X.var(axis=0)
    n_samples = X.shape[0]
    return mean, variance * n_samples / (n_samples - 1)


def _welch(
    first: tuple[Array, Array], second: tuple[Array, Array], counts: Array
) -> tuple[Array, Array]:
    """Return the p-value of every feature, and which features vary."""
    a, b = first[1] / counts[0], second[1] / counts[1]
    difference, error = second[0] - first[0], np.sqrt(a + b)
    # Rounding in the mean must not look like a variance.
    tiny = 1e-12 * np.maximum(np.abs(first[0]), np.abs(second[0]))
    is_exact = error <= tiny
    freedom = (a + b) ** 2 / np.where(
        is_exact, 1.0, a**2 / (counts[0] - 1) + b**2 / (counts[1] - 1)
    )
    t_values = np.abs(difference) / np.where(is_exact, 1.0, error)
    p_values = 2 * student.sf(t_values, np.where(is_exact, 1.0, freedom))
    differs = np.abs(difference) > tiny
    p_values[is_exact] = np.where(differs[is_exact], 0.0, 1.0)
    return p_values, ~is_exact | differs


def _scale(is_raw: bool, variance: Array, varies: Array) -> tuple[str, Array | float]:
    """Return the name of the horizontal axis, and what the differences are divided by."""
    if is_raw:
        return "log2 fold change", 1.0
    deviation = np.sqrt(variance)
    known = deviation[varies & (deviation > 0)]
    if len(known) and np.quantile(known, 0.9) > MOST_SPREAD * np.quantile(known, 0.1):
        scale = np.where(deviation > 0, deviation, 1.0)
        return "difference of means in standard deviations", scale
    return "difference of means", 1.0


def _points(
    effect: Array, p_values: Array, varies: Array, order: Sequence[int]
) -> dict[str, list[float]]:
    """Return the places of the selected features, and of others that can be distinguished."""
    log_p = np.minimum(-np.log10(np.maximum(p_values, 10**-MOST_LOG_P)), MOST_LOG_P)
    rest = np.setdiff1d(varies, order)
    width = np.ptp(effect[varies]) or 1.0
    height = np.max(log_p[varies], initial=0.0) or 1.0
    cells = np.round(
        np.stack([CELLS[0] * effect[rest] / width, CELLS[1] * log_p[rest] / height])
    ).astype(int)
    _, kept = np.unique(cells, axis=1, return_index=True)
    shown = np.concatenate([np.asarray(order, dtype=int), rest[np.sort(kept)]])
    return {"effect": short(effect[shown]), "log_p": short(log_p[shown])}
