"""Plots of a fitted selector by matplotlib (extra ``report``), for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from perturbfs._support.names import Task
from perturbfs.arrays import Array
from perturbfs.checks import as_survival, choice_order, infer_task
from perturbfs.results import (
    describe_curve,
    describe_groups,
    describe_map,
    describe_noise,
    describe_samples,
    feature_labels,
)

from . import figures


def plot_curve(selector: Any, *, ax: Any = None) -> Any:
    """Plot the inner score against the number of features.

    Parameters
    ----------
    selector : fitted selector
        Fitted with ``n_features_to_select="auto"``.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes

    Examples
    --------
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> from perturbfs.report import plot_curve
    >>> data = make_wide_classification(40, 60, random_state=0)
    >>> selector = RobustSelector(max_features=4).fit(data.X, data.y)
    >>> plot_curve(selector)  # doctest: +SKIP
    """
    check_is_fitted(selector)
    curve = describe_curve(selector)
    if curve is None:
        raise ValueError(
            "There is no curve to plot: the number of features was given, so no other numbers "
            "were scored. Fit with n_features_to_select='auto'."
        )
    return figures.draw_curve(curve, ax=ax)


def plot_map(selector: Any, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Plot all features by sensitivity and angle to the outcome, with the selected ones marked.

    Parameters
    ----------
    selector : fitted selector
    X, y : array-like
        The data that the selector was fitted to. If the selector has no characteristics, they
        are computed from these data.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    X, y, task = _check_data(selector, X, y)
    found = describe_map(
        selector, X, y, choice_order(selector), _labels(selector), _groups(selector), task=task
    )
    return figures.draw_map(found, ax=ax)


def plot_features(selector: Any, X: Any, y: Any, *, figure: Any = None) -> Any:
    """Plot the values of each selected feature by class, or against a quantity.

    Parameters
    ----------
    selector : fitted selector
    X, y : array-like
        The data that the selector was fitted to.
    figure : matplotlib figure, optional

    Returns
    -------
    figure : matplotlib figure
    """
    X, y, task = _check_data(selector, X, y)
    samples = describe_samples(X, y, choice_order(selector), task=task)
    return figures.draw_features(samples, _chosen_labels(selector), figure=figure)


def plot_heat_map(selector: Any, X: Any, y: Any, *, ax: Any = None) -> Any:
    """Plot the values of the selected features, with the samples sorted by their outcome.

    Parameters
    ----------
    selector : fitted selector
    X, y : array-like
        The data that the selector was fitted to.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    X, y, task = _check_data(selector, X, y)
    samples = describe_samples(X, y, choice_order(selector), task=task)
    return figures.draw_heat_map(samples, _chosen_labels(selector), ax=ax)


def plot_group(selector: Any, X: Any, feature: int, *, ax: Any = None) -> Any:
    """Plot the group of a selected feature as a tree by correlation.

    Parameters
    ----------
    selector : fitted selector
    X : array-like
        The data that the selector was fitted to.
    feature : int
        Position of a selected feature, from 0.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    check_is_fitted(selector)
    order = choice_order(selector)
    if feature not in order:
        chosen = ", ".join(map(str, order))
        raise ValueError(f"Feature {feature} was not selected. Pass one of {chosen}.")
    X = _check_width(selector, X)
    [tree] = describe_groups(X, [feature], _labels(selector), _groups(selector))
    if tree is None:
        raise ValueError(f"Feature {feature} stands for itself only, so there is no tree.")
    return figures.draw_group(tree, ax=ax)


def plot_noise(
    selector: Any, X: Any, y: Any, *, random_state: int | None = 0, ax: Any = None
) -> Any:
    """Plot what changes when 1 to 20 % of noise is added. This selects about thirty times.

    Parameters
    ----------
    selector : fitted selector
    X, y : array-like
        The data that the selector was fitted to.
    random_state : int or None
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes
    """
    X, y, task = _check_data(selector, X, y)
    noise = describe_noise(selector, X, y, task=task, random_state=random_state)
    if not noise["rows"]:
        raise ValueError(f"The effect of noise could not be studied: {noise['note']}")
    return figures.draw_noise(noise, ax=ax)


def _check_data(selector: Any, X: Any, y: Any) -> tuple[Array, Array, Task]:
    """Return X and y as arrays, and the task."""
    check_is_fitted(selector)
    X = _check_width(selector, X)
    y = as_survival(y) if getattr(selector, "task_", None) == "survival" else np.asarray(y)
    if y.shape != X.shape[:1]:
        raise ValueError(
            f"y has shape {y.shape}, but X has {X.shape[0]} samples and a plot needs one outcome "
            "per sample. Pass the data that the selector was fitted to."
        )
    return X, y, getattr(selector, "task_", None) or infer_task(y)


def _check_width(selector: Any, X: Any) -> Array:
    """Return a frame as an array; sparse matrices stay sparse."""
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    if X.ndim != 2 or X.shape[1] != selector.n_features_in_:
        raise ValueError(
            f"X has shape {X.shape}, but the selector was fitted to {selector.n_features_in_} "
            "features. Pass the data that the selector was fitted to."
        )
    return X


def _labels(selector: Any) -> Sequence[str]:
    names = getattr(selector, "feature_names_in_", None)
    return feature_labels(names, selector.n_features_in_)


def _chosen_labels(selector: Any) -> list[str]:
    labels = _labels(selector)
    return [labels[index] for index in choice_order(selector)]


def _groups(selector: Any) -> dict[int, Array]:
    return dict(getattr(selector, "groups_", {}))
