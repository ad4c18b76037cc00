"""From what a reader found to a table: the checks that every format has in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from ._grid import Dropped
from ._names import check_names, quoted
from ._table import Table, TableError, Task
from ._target import decide_task, parse_target


@dataclass(frozen=True, slots=True)
class Parts:
    """Samples and features told apart, nothing checked yet."""

    X: Any
    y: list[str] | NDArray[Any] | None = None  # as written
    feature_names: list[str] | None = None
    sample_names: list[str] | None = None
    target_name: str | None = None
    dropped: Dropped = ()


def make_table(parts: Parts, *, source: str, task: Task | None, allow_missing: bool) -> Table:
    """A table whose every entry is a number, or missing where that is allowed.

    Parameters
    ----------
    parts : Parts
    source : str
    task : {"classification", "regression"} or None
        None infers it from the outcome.
    allow_missing : bool

    Returns
    -------
    table : Table
    """
    X = as_floats(parts.X)
    if 0 in X.shape:
        raise TableError(
            f"{X.shape[0]} samples and {X.shape[1]} features are left. At least one of each is "
            "needed: check the target and what is text."
        )
    if parts.feature_names is not None:
        check_names(parts.feature_names, "feature")
    missing = count_missing(X, parts)
    if missing.any() and not allow_missing:
        raise _missing_error(missing, parts)
    return replace(
        finish_table(parts, X, source=source, task=task),
        n_missing=int(missing.sum()),
        missing_features=tuple(_feature_names_at(np.flatnonzero(missing), parts)),
    )


def finish_table(parts: Parts, X: Any, *, source: str, task: Task | None) -> Table:
    """A table of features that are checked, or will be when they are read."""
    y = None if parts.y is None else parse_target(parts.y, parts.sample_names)
    if y is None and task is not None:
        raise TableError(f"task={task!r} was given without a target. Give a target too.")
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
    """X in double precision, or in single where it is; sparse in CSR or CSC."""
    if X.dtype.kind not in "fiub":
        raise TableError(f"the features are of type {X.dtype}, and numbers are needed.")
    is_single = X.dtype.kind == "f" and X.dtype.itemsize <= 4
    dtype = np.dtype(np.float32 if is_single else np.float64)
    if scipy.sparse.issparse(X):
        X = X if X.format in ("csr", "csc") else X.tocsr()
    return X.astype(dtype, copy=False)


def as_names(names: list[str] | None) -> NDArray[np.object_] | None:
    """Names as scikit-learn keeps them: an array of str objects."""
    return None if names is None else np.array(names, dtype=object)


def count_missing(X: Any, parts: Parts) -> NDArray[np.int64]:
    """Missing entries of each feature; infinite ones are refused."""
    if scipy.sparse.issparse(X):
        columns = X.tocoo().col
        infinite = np.unique(columns[np.isinf(X.tocoo().data)])
        missing = np.bincount(columns[np.isnan(X.tocoo().data)], minlength=X.shape[1])
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


def _missing_error(missing: NDArray[np.int64], parts: Parts) -> TableError:
    places = np.flatnonzero(missing)
    return TableError(
        f"{missing.sum()} values are missing, in {places.size} of {missing.size} features: "
        f"{quoted(_feature_names_at(places, parts))}. On the command line: --impute median or "
        "--impute knn; in Python: missing='allow' and an imputer inside a Pipeline."
    )


def _feature_names_at(places: NDArray[Any], parts: Parts) -> list[str]:
    names = parts.feature_names
    return [names[place] if names else f"feature {place + 1}" for place in places.tolist()]
