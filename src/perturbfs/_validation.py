"""Checks of what a user hands in, with errors that say what to do."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import validate_data

from .backends import Array
from .exceptions import DataWarning

_FORMAT: dict[str, Any] = {
    "accept_sparse": ["csc", "csr"],
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": False,
    "ensure_min_samples": 2,
}


def check_fit_input(
    estimator: Any, X: Any, y: Any, *, multi_output: bool = False
) -> tuple[Array, Array]:
    """Features and outcome as arrays, for the `fit` of an estimator."""
    _refuse_complex(X)
    try:
        X_checked, y = validate_data(estimator, X, y, multi_output=multi_output, **_FORMAT)
    except ValueError as error:
        _explain_text(X, error)
        raise
    _refuse_bad_values(X_checked, getattr(estimator, "feature_names_in_", None))
    return X_checked, y


def check_arrays(X: Any, y: Any, *, caller: str) -> tuple[Array, Array]:
    """Features and outcome as arrays, for a function of ours."""
    _refuse_complex(X)
    try:
        X_checked, y = check_X_y(X, y, estimator=caller, **_FORMAT)
    except ValueError as error:
        _explain_text(X, error)
        raise
    _refuse_bad_values(X_checked, None)
    return X_checked, y


def check_weights(sample_weight: Any, n_samples: int) -> Array:
    """One weight a sample; 1 where none are given."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has the shape {weights.shape}, but X has {n_samples} samples. "
            "Pass one weight a sample."
        )
    if not np.all(np.isfinite(weights)) or np.any(weights < 0) or np.sum(weights > 0) < 2:
        raise ValueError(
            f"{np.sum(weights > 0)} of {n_samples} sample weights are positive and the others "
            "zero, negative or not finite. At least two must be positive, none negative. "
            "Check how the weights were made."
        )
    return weights


def check_option(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse a name that is not among the allowed ones."""
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={value!r} is not known. Use one of {choices}.")


def infer_task(y: Array, *, estimator: Any = None, target_coding: str = "codes") -> str:
    """Whether the outcome is classes or a quantity.

    The inner estimator decides where one is given; otherwise the values do.

    Returns
    -------
    task : {"classification", "regression"}
    """
    with np.errstate(invalid="ignore"):  # numbers too large for an integer are tried as one
        kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind not in ("binary", "multiclass", "continuous"):
        raise ValueError(
            f"y is {kind!r}, but one class or one number a sample is needed. "
            "Select features for each outcome separately."
        )
    if np.all(y == y[0]):
        raise ValueError(
            f"y is the same for all {len(y)} samples ({np.asarray(y).tolist()[0]!r}): there is "
            "nothing to predict. At least two classes, or a quantity that varies, are needed."
        )
    task = "regression" if kind == "continuous" else "classification"
    has_kind = estimator is not None and not isinstance(estimator, str)
    if has_kind and is_classifier(estimator) and task == "regression":
        raise ValueError(
            f"y is a quantity, but {type(estimator).__name__} is a classifier. "
            "Pass a regressor as estimator, or class labels as y."
        )
    if has_kind and is_regressor(estimator):
        task = "regression"
    if task == "regression" and target_coding == "indicators":
        raise ValueError(
            "target_coding='indicators' needs classes, but y is a quantity. Use 'codes'."
        )
    return task


def warn_of_contradictions(X: Array, y: Array, *, stacklevel: int) -> None:
    """Warn when samples have equal features and different outcomes."""
    n_samples, n_features = X.shape
    # A few features tell nearly all samples apart; only the rest are compared in full.
    few = np.unique(np.linspace(0, n_features - 1, 16).astype(int))
    n_contradictory = 0
    for alike in _groups_of_equal_rows(_dense_rows(X[:, few])):
        for equal in _groups_of_equal_rows(_dense_rows(X[alike])):
            if len(np.unique(y[alike[equal]])) > 1:
                n_contradictory += len(equal)
    if n_contradictory:
        warnings.warn(
            f"{n_contradictory} of {n_samples} samples repeat the features of another sample "
            "with a different outcome. No model can predict both, and with more features than "
            "samples least squares is unstable there. Check whether these samples were repeated "
            "or labeled by mistake.",
            DataWarning,
            stacklevel=stacklevel,
        )


def _groups_of_equal_rows(rows: Array) -> list[Array]:
    _, group, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    return [np.flatnonzero(group == repeated) for repeated in np.flatnonzero(counts > 1)]


def _dense_rows(X: Array) -> Array:
    return X.toarray() if scipy.sparse.issparse(X) else X


def _refuse_complex(X: Any) -> None:
    dtype = getattr(X, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: X has dtype {dtype}. Pass real numbers, for example "
            "modulus and phase as features of their own."
        )


def _explain_text(X: Any, error: ValueError) -> None:
    """Name the features that hold text, if that is what the conversion stumbled over."""
    if "could not convert string" not in str(error):
        return
    columns = getattr(X, "columns", None)
    if columns is not None:
        culprits = [repr(name) for name in columns if _holds_text(np.asarray(X[name]))]
    else:
        values = np.asarray(X)
        culprits = [f"column {j}" for j in range(values.shape[1]) if _holds_text(values[:, j])]
    raise ValueError(
        f"X holds text in {_enumerate(culprits)}, but features must be numbers. "
        "Drop these features or encode them, for example with OneHotEncoder."
    ) from error


def _holds_text(values: Array) -> bool:
    try:
        values.astype(np.float64)
    except (TypeError, ValueError):
        return True
    return False


def _refuse_bad_values(X: Array, names: Array | None) -> None:
    values = X.data if scipy.sparse.issparse(X) else X
    with np.errstate(over="ignore", invalid="ignore"):
        may_be_bad = not np.isfinite(np.sum(values))
    if may_be_bad and not np.all(np.isfinite(values)):
        raise ValueError(_describe_bad_values(X, names))


def _describe_bad_values(X: Array, names: Array | None) -> str:
    dense = scipy.sparse.coo_array(X) if scipy.sparse.issparse(X) else None
    values = X if dense is None else dense.data
    is_bad = ~np.isfinite(values)
    kind = "NaN" if np.any(np.isnan(values)) else "infinity"
    columns = np.unique(np.nonzero(is_bad)[-1] if dense is None else dense.coords[1][is_bad])
    labels = [f"column {j}" if names is None else repr(names[j]) for j in columns]
    advice = (
        "Impute them first, inside a Pipeline so that nothing leaks (SimpleImputer, KNNImputer)."
        if kind == "NaN"
        else "Replace inf by a number, or drop the samples or features that hold it."
    )
    return f"X contains {kind}: {int(is_bad.sum())} values, in {_enumerate(labels)}. {advice}"


def _enumerate(labels: list[str], most: int = 5) -> str:
    rest = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {rest} more" if rest > 0 else "")
