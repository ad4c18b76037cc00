"""What kind of outcome was given, and the columns the robust path fits."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.multiclass import type_of_target

from .backends import Array
from .core import unit_rows

_CLASSES = ("binary", "multiclass", "multilabel-indicator", "multiclass-multioutput")
_QUANTITIES = ("continuous", "continuous-multioutput")


def infer_outcome(y: Array, *, estimator: Any = None) -> str:
    """Whether an outcome of one or several columns is classes or quantities.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    estimator : estimator or None
        A regressor takes whole numbers for quantities.

    Returns
    -------
    task : {"classification", "regression"}
    """
    with np.errstate(invalid="ignore"):  # numbers too large for an integer are tried as one
        kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind not in (*_CLASSES, *_QUANTITIES):
        raise ValueError(
            f"y is {kind!r}, but classes or numbers are needed, in one column or several. "
            "Encode y as numbers, or pass one column."
        )
    if np.all(y == y[:1]):
        raise ValueError(
            f"y is the same for all {len(y)} samples ({np.asarray(y).tolist()[0]!r}): there is "
            "nothing to predict. At least two classes, or a quantity that varies, are needed."
        )
    has_kind = estimator is not None and not isinstance(estimator, str)
    if has_kind and is_classifier(estimator) and kind in _QUANTITIES:
        raise ValueError(
            f"y is a quantity, but {type(estimator).__name__} is a classifier. "
            "Pass a regressor as estimator, or class labels as y."
        )
    is_quantity = kind in _QUANTITIES or (has_kind and is_regressor(estimator))
    return "regression" if is_quantity else "classification"


def code_outcome(y: Array, weights: Array, *, task: str) -> Array:
    """The outcome as columns that all have the same say.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    weights : array of shape (n_samples,)
        Positive, sum 1.
    task : {"classification", "regression"}

    Returns
    -------
    targets : array of shape (n_samples, n_targets)
        One column a quantity, or one a class of each output: centered and of unit length, so
        that a rare class counts as much as a frequent one. Entries are multiplied by the root of
        the weight. A column that does not vary is zero.
    """
    outputs = y[:, None] if y.ndim == 1 else y
    if task == "regression":
        columns = outputs.astype(np.float64)
        largest = np.abs(columns).max(axis=0)
        columns = columns / np.where(largest > 0, largest, 1.0)
    else:
        columns = np.concatenate(
            [
                (output[:, None] == np.unique(output)).astype(np.float64)
                for output in np.moveaxis(outputs, 1, 0)
            ],
            axis=1,
        )
    return unit_rows(columns.T, weights, xp=np).T


def strata(y: Array, *, task: str) -> Array | None:
    """What splits are stratified by: the class, or the combination of classes; None for none.

    Combinations of labels that are rarer than two samples leave nothing to stratify.
    """
    if task == "regression":
        return None
    _, group = np.unique(y, axis=0, return_inverse=True)
    group = group.reshape(-1)
    is_single = y.ndim == 1
    return group if is_single or np.bincount(group).min() > 1 else None
