"""Infer the task from the outcome, and turn the outcome into columns and strata."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.multiclass import type_of_target

from perturbfs._support.names import Task
from perturbfs.arrays import Array, is_survival
from perturbfs.exceptions import DataWarning

from ._survival import martingale_residuals

TaskOption = Literal["auto", "classification", "regression"]
SurvivalTaskOption = Literal["auto", "classification", "regression", "survival"]
TASKS = ("auto", "classification", "regression")
SURVIVAL_TASKS = (*TASKS, "survival")  # of selectors that take survival outcomes
FEWEST_EVENTS = 5
MANY_CLASSES = 20  # whole numbers with more values than this may be a quantity
FEW_PER_CLASS = 10  # samples; classes as many as that, and as small, are rare
_QUANTITIES = ("continuous", "continuous-multioutput")
_ONE_OUTPUT = ("binary", "multiclass", "continuous")


def infer_task(
    y: Array,
    *,
    task: SurvivalTaskOption = "auto",
    estimator: Any = None,
    multi_output: bool = False,
) -> Task:
    """Return whether the outcome is classes, a quantity or a survival.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
        A structured array is a survival outcome.
    task : {"auto", "classification", "regression", "survival"}
        An answer to be checked; ``"auto"`` infers it.
    estimator : estimator, str or None
        With a regressor, whole numbers are quantities. With a classifier, quantities are an error.
    multi_output : bool
        Whether several outputs are allowed.

    Returns
    -------
    task : {"classification", "regression", "survival"}
    """
    if is_survival(y):
        _check_survival(y, task, estimator)
        return "survival"
    with np.errstate(invalid="ignore"):  # scikit-learn converts very large numbers to integers
        kind = type_of_target(y, input_name="y", raise_unknown=True)
    if not multi_output and kind not in _ONE_OUTPUT:
        raise ValueError(
            f"y is {kind!r}, but one class or one number per sample is needed. "
            "Select features for each outcome separately."
        )
    if np.all(y == y[:1]):
        raise ValueError(
            f"y is the same for all {len(y)} samples ({np.asarray(y).tolist()[0]!r}): there is "
            "nothing to predict. At least two classes, or a quantity that varies, are needed."
        )
    if task == "regression" and np.asarray(y).dtype.kind not in "biuf":
        raise ValueError(
            f"task='regression' was given, but y holds values such as {y.ravel()[0]!r}, which are "
            "no numbers. Pass numbers as y, or task='classification'."
        )
    if task == "classification" and kind in _QUANTITIES:
        raise ValueError(
            "task='classification' was given, but y holds fractions, which are no classes. "
            "Pass class labels as y, or task='regression'."
        )
    has_kind = estimator is not None and not isinstance(estimator, str)
    is_quantity = kind in _QUANTITIES or (has_kind and is_regressor(estimator))
    if task != "auto":
        is_quantity = task == "regression"
    if has_kind:
        _check_estimator(estimator, is_quantity=is_quantity)
    return "regression" if is_quantity else "classification"


def _check_estimator(estimator: Any, *, is_quantity: bool) -> None:
    """Raise an error if a predictor does not fit the outcome."""
    if is_quantity and is_classifier(estimator):
        raise ValueError(
            f"y is a quantity, but {type(estimator).__name__} is a classifier. "
            "Pass a regressor as estimator, or class labels as y."
        )
    if not is_quantity and is_regressor(estimator):
        raise ValueError(
            f"task='classification' was given, but {type(estimator).__name__} is a regressor. "
            "Pass a classifier as estimator, or task='regression'."
        )


def _check_survival(y: Array, task: str, estimator: Any) -> None:
    """Raise an error if a survival outcome does not fit the task or the estimator."""
    if task not in ("auto", "survival"):
        raise ValueError(
            f"task={task!r} was given, but y is a survival outcome with the fields "
            f"{' and '.join(map(repr, y.dtype.names))}. Leave the task out, or pass one field."
        )
    if np.all(y["time"] == y["time"][0]):
        raise ValueError(
            f"All {len(y)} survival times are {y['time'][0]:g}, so there is nothing to predict. "
            "Times that vary are needed."
        )
    if estimator is None:
        return
    if isinstance(estimator, str) or is_classifier(estimator) or is_regressor(estimator):
        name = repr(estimator) if isinstance(estimator, str) else type(estimator).__name__
        raise ValueError(
            f"The estimator {name} predicts classes or quantities, but y is a survival outcome. "
            "Pass a model of survival, such as those of scikit-survival, or None."
        )


def warn_of_many_classes(y: Array, *, task: str, stacklevel: int) -> None:
    """Warn if numbers that were taken as classes may be a quantity.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    task : {"classification", "regression"}
        As inferred.
    stacklevel : int
        As in `warnings.warn`, seen from the caller of this function.
    """
    if task != "classification" or y.ndim > 1 or y.dtype.kind not in "iuf":
        return
    n_classes = len(np.unique(y))
    if n_classes > MANY_CLASSES and len(y) < FEW_PER_CLASS * n_classes:
        warnings.warn(
            f"y has {n_classes} different whole numbers in {len(y)} samples, and they were taken "
            "as classes. If they are a quantity, pass task='regression'; otherwise pass "
            "task='classification' to turn this warning off.",
            DataWarning,
            stacklevel=stacklevel + 1,
        )


def check_coding(task: str, target_coding: str) -> None:
    """Raise an error if one column per class is wanted for an outcome that has no classes."""
    if task == "regression" and target_coding == "indicators":
        raise ValueError(
            "target_coding='indicators' needs classes, but y is a quantity. Use 'codes'."
        )


def outcome_columns(y: Array, *, task: str, weights: Array | None = None) -> Array:
    """Return the outcome as columns of numbers.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    task : {"classification", "regression", "survival"}
    weights : array of shape (n_samples,), optional
        Used for a survival only, whose residuals depend on how often each sample counts.

    Returns
    -------
    columns : array of shape (n_samples, n_columns)
        The quantities as float64, one column of 0 and 1 per class of each output, or the
        martingale residuals of a survival.
    """
    if task == "survival":
        return martingale_residuals(y, weights)[:, None]
    outputs = y[:, None] if y.ndim == 1 else y
    if task == "regression":
        return outputs.astype(np.float64)
    indicators = [
        (output[:, None] == np.unique(output)).astype(np.float64)
        for output in np.moveaxis(outputs, 1, 0)
    ]
    return np.concatenate(indicators, axis=1)


def shown_columns(y: Array, *, task: str) -> Array:
    """Return the positions of the outcome columns to keep: one for an output of two classes.

    With two classes, the columns are opposites, and the second class is the positive one, as in
    scikit-learn.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    task : {"classification", "regression", "survival"}

    Returns
    -------
    kept : array of int
        Positions among those of `outcome_columns`.
    """
    outputs = y[:, None] if y.ndim == 1 else y
    if task != "classification":
        return np.arange(outputs.shape[1])
    n_classes = [len(np.unique(output)) for output in outputs.T]
    ends = np.cumsum(n_classes)
    kept = [
        np.arange(end - (1 if n == 2 else n), end) for end, n in zip(ends, n_classes, strict=True)
    ]
    return np.concatenate(kept)


def outcome_to_split(y: Array, *, task: str) -> tuple[Array, Task]:
    """Return the outcome and the task by which splits are made.

    Splits of a survival keep the share of the events. Fewer than five censored samples have no
    share to keep; the times are then split like a quantity. Other outcomes are unchanged.
    """
    if task != "survival":
        return y, "regression" if task == "regression" else "classification"
    n_events = int(np.sum(y["event"]))
    if n_events < FEWEST_EVENTS:
        raise ValueError(
            f"The event happened in {n_events} of {len(y)} samples, but at least {FEWEST_EVENTS} "
            "events are needed to train on some and test on others. Follow the samples for "
            "longer, or collect more."
        )
    if len(y) - n_events < FEWEST_EVENTS:
        return y["time"], "regression"
    return np.where(y["event"], "event", "censored"), "classification"


def strata(y: Array, *, task: str) -> Array | None:
    """Return the group of each sample that splits keep in proportion, or None.

    Groups are the classes, or for several outputs the combinations of classes. Quantities and
    combinations that occur only once give None.
    """
    if task == "regression":
        return None
    _, group = np.unique(y, axis=0, return_inverse=True)
    group = group.reshape(-1)
    is_single = y.ndim == 1
    return group if is_single or np.bincount(group).min() > 1 else None
