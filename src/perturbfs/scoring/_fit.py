"""Fit a selector as a comparison does: with groups, and with an outcome of a known task."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from perturbfs.arrays import Array
from perturbfs.checks import infer_task


def fit_selector(
    selector: Any, X: Array, y: Array, *, task: str, groups: Array | None = None
) -> Any:
    """Fit a selector to an outcome of a known task.

    Parameters
    ----------
    selector : selector
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
        Whole numbers are a quantity if the task is regression.
    groups : array of shape (n_samples,) or None
        Given to selectors whose `fit` has a parameter of this name.

    Returns
    -------
    selector : fitted selector
    """
    if task == "regression" and infer_task(y) == "classification":
        # Selectors take whole numbers for classes, but no selection depends on the unit.
        y = np.asarray(y, dtype=np.float64) / np.pi
    known = {}
    if groups is not None and has_fit_parameter(selector, "groups"):
        known["groups"] = groups
    return selector.fit(X, y, **known)
