"""Which of several arrays are the features, the outcome and the names."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from ._grid import Wanted, simplify
from ._names import find_place, quoted, unknown_name
from ._parts import Parts
from ._table import TableError

FEATURE_VARIABLES = ("featurenames", "features", "genenames", "genes", "varnames")
SAMPLE_VARIABLES = ("samplenames", "samples", "sampleids", "obsnames", "rownames")


def parts_from_matrix(X: Any, wanted: Wanted) -> Parts:
    """Features from one matrix; the target is a column of it, by position.

    Parameters
    ----------
    X : array or sparse matrix
    wanted : Wanted

    Returns
    -------
    parts : Parts
    """
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise TableError(
            f"the array has shape {X.shape} and type {X.dtype}, and a table of numbers with two "
            "dimensions is needed."
        )
    if wanted.features_in_rows:
        X = X.T
    if wanted.target is None:
        return Parts(X=X)
    place = find_place(wanted.target, None, X.shape[1], what="target")
    rest = [column for column in range(X.shape[1]) if column != place]
    if scipy.sparse.issparse(X):
        X = X.tocsc()
        y = X[:, [place]].toarray().ravel()
    else:
        y = X[:, place]
    return Parts(X=X[:, rest], y=y, target_name=f"column {place + 1}")


def parts_from_arrays(arrays: dict[str, Any], wanted: Wanted) -> Parts:
    """Features, outcome and names from named arrays.

    The features are the variable X, or the only matrix. The outcome is the variable asked for,
    or Y, or y, or the only vector as long as X has rows or, if there is none, columns; then X
    is turned. Feature and sample names are taken from variables called so.

    Parameters
    ----------
    arrays : dict of str to array
    wanted : Wanted
        Its target is the name of a variable, or a position among the columns of X.

    Returns
    -------
    parts : Parts
    """
    X_name = _find_matrix(arrays)
    X, others = arrays[X_name], {n: a for n, a in arrays.items() if n != X_name}
    vectors = {n: np.ravel(a) for n, a in others.items() if _is_vector(a)}
    if isinstance(wanted.target, int):
        parts, y_name = parts_from_matrix(X, wanted), None
    else:
        y_name = _find_vector(arrays, vectors, X.shape, wanted)
        y = None if y_name is None else vectors[y_name]
        parts = Parts(X=_turned(X, y, wanted), y=y, target_name=y_name)
    names = {n: v for n, v in vectors.items() if n != y_name and v.dtype.kind in "US"}
    feature_at = _find_names(names, FEATURE_VARIABLES, parts.X.shape[1])
    sample_at = _find_names(names, SAMPLE_VARIABLES, parts.X.shape[0])
    unused = [name for name in others if name not in (y_name, feature_at, sample_at)]
    return Parts(
        X=parts.X,
        y=parts.y,
        feature_names=None if feature_at is None else names[feature_at].astype(str).tolist(),
        sample_names=None if sample_at is None else names[sample_at].astype(str).tolist(),
        target_name=parts.target_name,
        dropped=tuple((name, "variable not used") for name in unused),
    )


def _is_vector(array: Any) -> bool:
    if scipy.sparse.issparse(array) or array.dtype.kind not in "fiubUS":
        return False
    return array.ndim == 1 or (array.ndim == 2 and 1 in array.shape)


def _is_matrix(array: Any) -> bool:
    return array.ndim == 2 and array.dtype.kind in "fiub"


def _find_matrix(arrays: dict[str, Any]) -> str:
    for name in ("X", "x"):
        if name in arrays and _is_matrix(arrays[name]):
            return name
    found = [n for n, array in arrays.items() if _is_matrix(array) and not _is_vector(array)]
    if len(found) != 1:
        raise TableError(
            f"{len(found)} variables could be the features, and one is needed. There are: "
            f"{_shapes(arrays)}. Call the matrix X."
        )
    return found[0]


def _find_vector(
    arrays: dict[str, Any], vectors: dict[str, Any], shape: tuple[int, int], wanted: Wanted
) -> str | None:
    if wanted.target is not None:
        if wanted.target not in arrays:
            raise unknown_name(str(wanted.target), list(arrays), what="target")
        if wanted.target not in vectors:
            raise TableError(
                f"target={wanted.target!r} is no vector. There are: {_shapes(arrays)}."
            )
        return str(wanted.target)
    for name in ("Y", "y"):
        if name in vectors:
            return name
    usual = FEATURE_VARIABLES + SAMPLE_VARIABLES
    free = {n: v for n, v in vectors.items() if simplify(n) not in usual}
    found = [n for n, v in free.items() if v.size == shape[0]]
    found = found or [n for n, v in free.items() if v.size == shape[1]]
    if len(found) > 1:
        raise TableError(
            f"{len(found)} variables could be the target: {quoted(found)}. Name one of them with "
            f"target. There are: {_shapes(arrays)}."
        )
    return found[0] if found else None


def _turned(X: Any, y: Any, wanted: Wanted) -> Any:
    in_rows = wanted.features_in_rows
    if in_rows is None:
        in_rows = y is not None and y.size != X.shape[0] and y.size == X.shape[1]
    X = X.T if in_rows else X
    if y is not None and y.size != X.shape[0]:
        raise TableError(
            f"the target has {y.size} entries and there are {X.shape[0]} samples. Their numbers "
            "must agree; if the features are in rows, say features_in_rows=True."
        )
    return X


def _find_names(names: dict[str, Any], usual: tuple[str, ...], size: int) -> str | None:
    return next((n for n, v in names.items() if simplify(n) in usual and v.size == size), None)


def _shapes(arrays: dict[str, Any]) -> str:
    return ", ".join(f"{name} {getattr(array, 'shape', '')}" for name, array in arrays.items())
