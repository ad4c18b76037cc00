"""Checks of what a user hands in, with errors that say what to do."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import check_X_y
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import validate_data

from .backends import (
    Array,
    Block,
    FeatureBlocks,
    as_blocks,
    enumerate_some,
    is_blocks,
    is_dask_array,
    is_device_array,
    namespace_of,
    refuse_bad_blocks,
    refuse_bad_values,
    to_host,
)
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
    if is_device_array(X):
        _, y = validate_data(
            estimator, _stand_in(X), _on_host(y), multi_output=multi_output, **_FORMAT
        )
        return _finite_blocks(X), y
    if is_dask_array(X):
        X = _checked_blocks(X)
    if is_blocks(X):
        return X, _check_outcome(estimator, X, y, multi_output=multi_output)
    _refuse_complex(X)
    try:
        X_checked, y = validate_data(estimator, X, y, multi_output=multi_output, **_FORMAT)
    except ValueError as error:
        _explain_text(X, error)
        raise
    refuse_bad_values(X_checked, getattr(estimator, "feature_names_in_", None))
    return X_checked, y


def _check_outcome(estimator: Any, X: Any, y: Any, *, multi_output: bool) -> Array:
    """The outcome of features that are read, and checked, block by block."""
    validate_data(estimator, X, skip_check_array=True)
    names = getattr(X, "feature_names", None)
    if names is not None:
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    if is_dask_array(y):
        y = y.compute()
    # Samples of no value stand for those that are not read yet.
    stand_in = np.zeros((X.shape[0], 1))
    return check_X_y(stand_in, y, multi_output=multi_output, estimator=estimator, **_FORMAT)[1]


def _checked_blocks(X: Any) -> Array:
    """The blocks of a dask array, of which only what is known without its values is checked."""
    _refuse_complex(X)
    if X.ndim != 2 or np.isnan(X.shape).any():
        raise ValueError(
            f"X is a dask array of shape {X.shape}, but samples in rows and features in columns, "
            "as many as are known, are needed. Use X.reshape, or X.compute_chunk_sizes()."
        )
    if X.dtype.kind not in "biuf":
        raise ValueError(
            f"X is a dask array of dtype {X.dtype}, but features must be numbers. "
            "Convert it, for example with X.astype('float64')."
        )
    if X.shape[1] == 0:
        raise ValueError(
            f"X is a dask array of shape {X.shape}: it has 0 feature(s), but a minimum of 1 is "
            "required. Check how X was made."
        )
    return as_blocks(X)


def check_arrays(X: Any, y: Any, *, caller: str) -> tuple[Array, Array]:
    """Features and outcome as arrays, for a function of ours."""
    if is_device_array(X):
        _, y = check_X_y(_stand_in(X), _on_host(y), estimator=caller, **_FORMAT)
        return _finite_blocks(X), y
    _refuse_complex(X)
    try:
        X_checked, y = check_X_y(X, y, estimator=caller, **_FORMAT)
    except ValueError as error:
        _explain_text(X, error)
        raise
    refuse_bad_values(X_checked, None)
    return X_checked, y


def check_transform_input(estimator: Any, X: Array) -> None:
    """Refuse an array on a device that has other features than an estimator was fitted to."""
    validate_data(estimator, _stand_in(X), reset=False, ensure_all_finite=False)


def _stand_in(X: Array) -> Array:
    """Zeros of the same shape that take no memory, for scikit-learn to check.

    It would move an array to the host or fail on it, by its library and our user's settings.
    """
    _refuse_complex(X)
    return np.broadcast_to(0.0, tuple(X.shape))


def _finite_blocks(X: Array) -> FeatureBlocks:
    blocks = as_blocks(X)
    refuse_bad_blocks(blocks)
    return blocks


def _on_host(values: Any) -> Any:
    return to_host(values) if is_device_array(values) else values


def check_weights(sample_weight: Any, n_samples: int) -> Array:
    """One weight a sample; 1 where none are given."""
    if sample_weight is None:
        return np.ones(n_samples)
    weights = np.asarray(_on_host(sample_weight), dtype=np.float64)
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
    # A few features tell nearly all samples apart; only the rest are compared in full. Of a file
    # neighbors are taken, which are read at once.
    last = min(n_features, 64) - 1 if is_blocks(X) else n_features - 1
    few = np.unique(np.linspace(0, last, 16).astype(int))
    n_contradictory = 0
    for alike in _groups_of_equal_rows(_features_of(X, few)):
        for equal in _groups_of_equal_rows(_samples_of(X, alike)):
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


def _features_of(X: Array, few: Array) -> Array:
    return to_host(X.take(few)) if is_blocks(X) else _dense_rows(X[:, few])


def _samples_of(X: Array, few: Array) -> Array:
    """Rows that are equal where those of X are."""
    if not is_blocks(X):
        return _dense_rows(X[few])
    parts = [found for _, found in X.map(_SampleCodes(few))]
    return np.stack(parts, axis=1)


@dataclass(frozen=True, slots=True)
class _SampleCodes:
    """Which of some samples are equal in a block, as a number each."""

    samples: Array

    def __call__(self, block: Block) -> Array:
        values = block.dense()
        xp = namespace_of(values)
        rows = to_host(xp.take(values, xp.asarray(self.samples), axis=0))
        return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def _dense_rows(X: Array) -> Array:
    return X.toarray() if scipy.sparse.issparse(X) else X


def samples_for_splits(X: Array) -> Array:
    """What splitters get for X: something with as many samples, where X is not in memory."""
    return np.zeros((X.shape[0], 1)) if is_blocks(X) else X


def _refuse_complex(X: Any) -> None:
    dtype = getattr(X, "dtype", None)
    is_numpy_complex = isinstance(dtype, np.dtype) and dtype.kind == "c"
    if is_numpy_complex or (is_device_array(X) and "complex" in str(dtype)):
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
        f"X holds text in {enumerate_some(culprits)}, but features must be numbers. "
        "Drop these features or encode them, for example with OneHotEncoder."
    ) from error


def _holds_text(values: Array) -> bool:
    try:
        values.astype(np.float64)
    except (TypeError, ValueError):
        return True
    return False
