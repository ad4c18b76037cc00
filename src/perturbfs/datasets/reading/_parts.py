"""The last step to a table: the checks that all formats share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from perturbfs.datasets._errors import TableError

from ._grid import Dropped
from ._names import check_names, quoted
from ._options import ReadOptions
from ._table import Table, Task
from ._target import decide_task, parse_target


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
