"""The last step to a table: the checks of features and outcome that all formats share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from perturbfs.datasets._errors import TableError

from ._grid import Dropped
from ._names import check_names, quoted
from ._options import LABELS, ReadOptions
from ._table import Table, Task

MAX_CLASSES = 20  # whole numbers with more values than this may be a quantity


@dataclass(frozen=True, slots=True)
class Parts:
    """Features, outcome and names of a file, not checked yet."""

    X: Any
    y: list[str] | NDArray[Any] | None = None  # as in the file
    feature_names: list[str] | None = None
    sample_names: list[str] | None = None
    target_name: str | None = None
    dropped: Dropped = ()


def make_table(parts: Parts, options: ReadOptions, *, source: str) -> Table:
    """Check the parts of a table and return the table.

    Parameters
    ----------
    parts : Parts
    options : ReadOptions
        Its ``task`` and ``allow_missing`` are used.
    source : str
        Path of the file.

    Returns
    -------
    table : Table
    """
    X = as_floats(parts.X)
    if 0 in X.shape:
        raise TableError(
            f"{X.shape[0]} samples and {X.shape[1]} features are left. At least one of each is "
            "needed. Check the target, and which columns hold text."
        )
    if parts.feature_names is not None:
        check_names(parts.feature_names, "feature")
    missing = _count_missing(X, parts)
    incomplete = _feature_names_at(np.flatnonzero(missing), parts)
    if incomplete and not options.allow_missing:
        raise TableError(
            f"{missing.sum()} values are missing, in {len(incomplete)} of {missing.size} "
            f"features: {quoted(incomplete)}. On the command line: --impute median or --impute "
            "knn; in Python: missing='allow' and an imputer inside a Pipeline."
        )
    return replace(
        finish_table(parts, X, source=source, task=options.task),
        n_missing=int(missing.sum()),
        missing_features=tuple(incomplete),
    )


def finish_table(parts: Parts, X: Any, *, source: str, task: Task | None) -> Table:
    """Return a table, with its outcome checked; `X` is checked before or when it is read."""
    y = None if parts.y is None else parse_target(parts.y, parts.sample_names)
    if y is None and task is not None:
        raise TableError(f"task={task!r} was given without a target. Give the target too.")
    y, task = (None, None) if y is None else decide_task(y, task)
    return Table(
        X=X,
        y=y,
        feature_names=as_names(parts.feature_names),
        sample_names=as_names(parts.sample_names),
        task=task,
        target_name=None if y is None else parts.target_name,
        source=source,
        dropped=parts.dropped,
    )


def as_floats(X: Any) -> Any:
    """Return X as float64, or float32 if it has no more digits; sparse as CSR or CSC."""
    if X.dtype.kind not in "fiub":
        raise TableError(f"the features have the type {X.dtype}, and numbers are needed.")
    is_single = X.dtype.kind == "f" and X.dtype.itemsize <= 4
    dtype = np.dtype(np.float32 if is_single else np.float64)
    if scipy.sparse.issparse(X):
        X = X if X.format in ("csr", "csc") else X.tocsr()
    return X.astype(dtype, copy=False)


def as_names(names: list[str] | None) -> NDArray[np.object_] | None:
    """Return names as scikit-learn keeps them: an array of str objects."""
    return None if names is None else np.array(names, dtype=object)


def _count_missing(X: Any, parts: Parts) -> NDArray[np.int64]:
    """Return the number of missing values of each feature; infinite values are an error."""
    if scipy.sparse.issparse(X):
        stored = X.tocoo()
        infinite = np.unique(stored.col[np.isinf(stored.data)])
        missing = np.bincount(stored.col[np.isnan(stored.data)], minlength=X.shape[1])
    else:
        infinite = np.flatnonzero(np.isinf(X).any(axis=0))
        missing = np.isnan(X).sum(axis=0)
    if infinite.size:
        raise TableError(
            f"{infinite.size} features have infinite values: "
            f"{quoted(_feature_names_at(infinite, parts))}. Correct them, or leave them empty if "
            "they are unknown."
        )
    return missing.astype(np.int64)


def _feature_names_at(places: NDArray[Any], parts: Parts) -> list[str]:
    names = parts.feature_names
    return [names[place] if names else f"feature {place + 1}" for place in places.tolist()]


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
