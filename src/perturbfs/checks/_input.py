"""Checks of features, outcome and weights, with errors that say what to do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils import check_X_y
from sklearn.utils.validation import validate_data

from perturbfs.arrays import (
    Array,
    as_blocks,
    is_backed,
    is_blocks,
    is_dask_array,
    is_device_array,
    is_survival,
    open_backed,
    refuse_bad_blocks,
    refuse_bad_values,
    to_host,
)

from ._mistakes import refuse_mistakes, refuse_text
from ._survival import as_survival

_FORMAT: dict[str, Any] = {
    "accept_sparse": ["csc", "csr"],
    "dtype": [np.float64, np.float32],
    "ensure_all_finite": False,
    "ensure_min_samples": 2,
}


def check_fit_input(
    estimator: Any, X: Any, y: Any, *, multi_output: bool = False, task: str | None = None
) -> tuple[Array, Array]:
    """Return checked features and outcome, for the `fit` of an estimator.

    A survival outcome is returned as a structured array, whatever its form. Estimators that take
    one pass the task that they are asked for; to others it is an error.
    """
    outcome = None
    if task is not None and (is_survival(y) or task == "survival"):
        outcome = as_survival(y)
        y = outcome["time"]
    if is_dask_array(X):
        _check_dask_array(X)
        X = as_blocks(X)
    validate = partial(validate_data, estimator, multi_output=multi_output, **_FORMAT)
    X, y = _check(X, y, validate, estimator)
    names = getattr(X, "feature_names", None)
    if names is not None:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    if outcome is not None:
        return X, outcome
    return X, y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y


def check_arrays(X: Any, y: Any, *, caller: str) -> tuple[Array, Array]:
    """Return checked features and outcome, for a function."""
    return _check(X, y, partial(check_X_y, estimator=caller, **_FORMAT))


def check_transform_input(estimator: Any, X: Array) -> None:
    """Raise an error if an array on a device does not have the features of `fit`."""
    validate_data(estimator, _stand_in(X), reset=False, ensure_all_finite=False)


def _check(
    X: Any, y: Any, validate: Callable[..., tuple[Array, Array]], estimator: Any = None
) -> tuple[Array, Array]:
    """Check X and y with a function of scikit-learn; X on a device or in blocks is not moved."""
    refuse_mistakes(X, y)
    X = open_backed(X) if is_backed(X) else X
    if is_blocks(X) or is_device_array(X):
        _, y = validate(_stand_in(X), y.compute() if is_dask_array(y) else _on_host(y))
        if is_device_array(X):
            X = as_blocks(X)
            refuse_bad_blocks(X)  # other blocks are checked when they are read
        return X, y
    _refuse_complex(X)
    try:
        X_checked, y = validate(X, y)
    except ValueError as error:
        _explain_text(X, error)
        raise
    refuse_bad_values(X_checked, getattr(estimator, "feature_names_in_", None))
    return X_checked, y


def _check_dask_array(X: Any) -> None:
    """Raise an error for a dask array that cannot be used, before any of it is computed."""
    _refuse_complex(X)
    if X.ndim != 2 or np.isnan(X.shape).any():
        raise ValueError(
            f"X is a dask array of shape {X.shape}, but a table of known size is needed, with "
            "samples in rows and features in columns. Use X.reshape, or X.compute_chunk_sizes()."
        )
    if X.dtype.kind not in "biuf":
        raise ValueError(
            f"X is a dask array of dtype {X.dtype}, but features must be numbers. "
            "Convert it, for example with X.astype('float64')."
        )


def _stand_in(X: Array) -> Array:
    """Return zeros of the shape of X that take no memory, for scikit-learn to check.

    scikit-learn would read X, move it to the host, or fail.
    """
    _refuse_complex(X)
    return np.broadcast_to(0.0, tuple(X.shape))


def _on_host(values: Any) -> Any:
    return to_host(values) if is_device_array(values) else values


def check_weights(sample_weight: Any, n_samples: int) -> Array:
    """Return one weight per sample, 1 by default."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(_on_host(sample_weight), dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.shape != (n_samples,):
        raise ValueError(
            f"sample_weight has the shape {weights.shape}, but X has {n_samples} samples. "
            "Pass one weight per sample."
        )
    if not np.all(np.isfinite(weights)) or np.any(weights < 0) or np.sum(weights > 0) < 2:
        raise ValueError(
            f"{np.sum(weights > 0)} of {n_samples} sample weights are positive; the others are "
            "zero, negative or not finite. At least two must be positive and none negative. "
            "Check how the weights were computed."
        )
    return weights


def check_option(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise an error if a parameter is not one of the allowed names."""
    if value not in allowed:
        choices = ", ".join(repr(choice) for choice in allowed)
        raise ValueError(f"{name}={value!r} is not known. Use one of {choices}.")


def samples_for_splits(X: Array) -> Array:
    """Return X for splitters, or an array with as many samples if X is not in memory."""
    return np.zeros((X.shape[0], 1)) if is_blocks(X) else X


def _refuse_complex(X: Any) -> None:
    dtype = getattr(X, "dtype", None)
    is_numpy_complex = isinstance(dtype, np.dtype) and dtype.kind == "c"
    if is_numpy_complex or (is_device_array(X) and "complex" in str(dtype)):
        raise ValueError(
            f"Complex data not supported: X has dtype {dtype}. Pass real numbers, for example "
            "modulus and phase as separate features."
        )


def _explain_text(X: Any, error: ValueError) -> None:
    """Raise an error that names the columns of an array with text, if text was the problem."""
    if "could not convert string" not in str(error):
        return
    values = np.asarray(X)
    refuse_text(values, [f"column {j}" for j in range(values.shape[1])])
