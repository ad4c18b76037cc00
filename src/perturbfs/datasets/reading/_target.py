"""The values of the outcome, and whether they are classes or a quantity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs.datasets._errors import TableError

from ._names import quoted
from ._options import LABELS
from ._table import Task

MAX_CLASSES = 20  # whole numbers with more values than this may be a quantity


def parse_target(
    values: list[str] | NDArray[Any], sample_names: list[str] | None = None
) -> NDArray[Any]:
    """Return the outcome as whole numbers if possible, else as fractions, else as text.

    Parameters
    ----------
    values : list of str or array of shape (n_samples,)
    sample_names : list of str or None
        To name the samples whose outcome is missing.

    Returns
    -------
    y : array of shape (n_samples,)
        int64, float64 or str.

    Raises
    ------
    TableError
        If a value is missing or infinite.

    Examples
    --------
    >>> parse_target(["1", "2.0"]), parse_target(["a", "1"])
    (array([1, 2]), array(['a', '1'], dtype='<U1'))
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        return _as_whole(values, sample_names)
    entries = [str(value).strip() for value in values]
    _refuse_missing([LABELS.is_missing(entry) for entry in entries], sample_names)
    numbers = [LABELS.parse(entry) for entry in entries]
    if None in numbers or np.isnan(np.array(numbers, dtype=float)).any():
        return np.array(entries, dtype=np.str_)
    return _as_whole(np.array(numbers, dtype=np.float64), sample_names)


def _as_whole(values: NDArray[Any], sample_names: list[str] | None) -> NDArray[Any]:
    if values.dtype.kind in "iub":
        return values.astype(np.int64)
    _refuse_missing(~np.isfinite(values), sample_names)
    if np.all(values == np.round(values)) and np.abs(values).max() < 2**53:
        return values.astype(np.int64)
    return values.astype(np.float64)


def _refuse_missing(is_missing: Any, sample_names: list[str] | None) -> None:
    places = np.flatnonzero(is_missing).tolist()
    if places:
        names = [sample_names[place] if sample_names else f"row {place + 1}" for place in places]
        raise TableError(
            f"the target is missing or infinite for {len(places)} samples: {quoted(names)}. Give "
            "its values, or remove these samples."
        )


def decide_task(y: NDArray[Any], task: Task | None = None) -> tuple[NDArray[Any], Task]:
    """Return the outcome and its task, which is inferred unless it is given.

    Text is classes. Numbers with a fraction are a quantity. Whole numbers are classes, unless
    they have more than 20 distinct values and more than half of the samples differ.

    Parameters
    ----------
    y : array of shape (n_samples,)
        As `parse_target` returns it.
    task : {"classification", "regression"} or None

    Returns
    -------
    y : array of shape (n_samples,)
        As float64 for a regression.
    task : {"classification", "regression"}

    Examples
    --------
    >>> decide_task(np.array([1, 2, 1]))
    (array([1, 2, 1]), 'classification')
    >>> decide_task(np.array([0.5, 2.0]))[1]
    'regression'
    """
    if task is None:
        n_values = np.unique(y).size
        is_quantity = y.dtype.kind == "i" and n_values > max(MAX_CLASSES, y.size / 2)
        task = "regression" if y.dtype.kind == "f" or is_quantity else "classification"
    if task == "classification" and y.dtype.kind == "f":
        raise TableError(
            f"task='classification' was given, but the target has fractions such as "
            f"{y[np.argmax(y != np.round(y))]}. Use task='regression', or replace the numbers by "
            "classes."
        )
    if task == "regression":
        if y.dtype.kind == "U":
            texts = [entry for entry in np.unique(y).tolist() if LABELS.parse(entry) is None]
            raise TableError(
                f"task='regression' was given, but the target has text: {quoted(texts)}. Use "
                "task='classification', or correct these entries."
            )
        y = y.astype(np.float64)
    return y, task
