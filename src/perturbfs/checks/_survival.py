"""Survival outcomes as users pass them, and the quantity that stands for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from perturbfs.arrays import Array, survival_outcome

_BINARY = {0.0, 1.0}


def as_survival(y: Any) -> Array:
    """Return a survival outcome as a structured array with the fields event and time.

    Parameters
    ----------
    y : structured array, array or frame
        Two fields as scikit-survival has them, or two columns in any order. The event is the one
        that is boolean or holds only 0 and 1, the time is the other one.

    Returns
    -------
    y : structured array of shape (n_samples,)

    Examples
    --------
    >>> from perturbfs.checks import as_survival
    >>> as_survival([[3.0, 1], [5.5, 0]])["time"].tolist()
    [3.0, 5.5]
    """
    fields = getattr(getattr(y, "dtype", None), "names", None)
    if fields:
        columns = [np.asarray(y[field]) for field in fields]
    else:
        values = np.asarray(y)
        columns = list(values.T) if values.ndim == 2 else [values]
    if len(columns) != 2:
        raise ValueError(
            f"A survival outcome has an event and a time for each sample, but y has "
            f"{len(columns)} column{'' if len(columns) == 1 else 's'}. Pass a structured array as "
            "scikit-survival has it, or an array of two columns."
        )
    numbers = [_as_numbers(column) for column in columns]
    is_binary = [set(np.unique(column).tolist()) <= _BINARY for column in numbers]
    if sum(is_binary) == 2 and [column.dtype.kind for column in columns].count("b") == 1:
        is_binary = [column.dtype.kind == "b" for column in columns]
    if sum(is_binary) != 1:
        found = "both columns" if all(is_binary) else "none of the two columns"
        raise ValueError(
            f"A survival outcome has an event, which holds only 0 (censored) and 1, and a time, "
            f"but {found} of y could be the event. Pass a structured array with a boolean field "
            "and a field of numbers."
        )
    event = is_binary.index(True)
    return survival_outcome(numbers[event] == 1, numbers[1 - event])


def _as_numbers(column: Array) -> Array:
    try:
        return column.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"A survival outcome consists of numbers, but y holds values such as "
            f"{column.ravel().tolist()[0]!r}. Pass 1 or True where the event happened, and the "
            "times as numbers."
        ) from error


def martingale_residuals(y: Array, weights: Array | None = None) -> Array:
    """Return the martingale residuals of the Cox model without features.

    Parameters
    ----------
    y : structured array of shape (n_samples,)
        From `survival_outcome`.
    weights : array of shape (n_samples,), optional
        Positive. A sample of weight 2 counts like two samples.

    Returns
    -------
    residuals : array of shape (n_samples,)
        At most 1. Large where the event came early, small where it came late or not at all.

    Notes
    -----
    The residual of a sample is 1 if it had the event, else 0, minus the Nelson-Aalen estimate of
    the cumulative hazard at its time. The weighted sum of the residuals is 0. They are the
    gradient of the partial likelihood by the log hazard of each sample.

    Examples
    --------
    >>> from perturbfs.arrays import survival_outcome
    >>> from perturbfs.checks import martingale_residuals
    >>> martingale_residuals(survival_outcome([True, False, True], [1.0, 2.0, 2.0])).round(3)
    array([ 0.667, -0.833,  0.167])
    """
    event = y["event"].astype(np.float64)
    weights = np.ones(len(y)) if weights is None else weights
    times, place = np.unique(y["time"], return_inverse=True)
    n_events = np.bincount(place, weights=weights * event, minlength=len(times))
    n_leaving = np.bincount(place, weights=weights, minlength=len(times))
    n_at_risk = np.cumsum(n_leaving[::-1])[::-1]
    residuals: Array = event - np.cumsum(n_events / n_at_risk)[place]
    return residuals


def as_quantity(y: Array, *, task: str) -> tuple[Array, str]:
    """Return the outcome and the task that stand for a survival; others are unchanged.

    Parameters
    ----------
    y : array of shape (n_samples,)
    task : {"classification", "regression", "survival"}

    Returns
    -------
    y : array of shape (n_samples,)
        The martingale residuals of a survival.
    task : {"classification", "regression"}
    """
    return (martingale_residuals(y), "regression") if task == "survival" else (y, task)
