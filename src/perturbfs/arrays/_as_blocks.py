"""Any matrix that a user may have, as blocks of features."""

from __future__ import annotations

from typing import Any

import scipy.sparse

from ._blocks import DenseBlocks, FeatureBlocks, SparseBlocks
from ._device_blocks import DeviceBlocks
from ._devices import is_device_array
from ._namespace import Array
from .dask._blocks import DaskBlocks


def as_blocks(X: Array) -> FeatureBlocks:
    """Return a matrix as blocks of features.

    Parameters
    ----------
    X : array, scipy.sparse matrix, dask array or FeatureBlocks of shape (n_samples, n_features)
        Numeric, two-dimensional and already checked.

    Returns
    -------
    blocks : FeatureBlocks
        A view: nothing is copied yet.
    """
    if is_blocks(X):
        blocks: FeatureBlocks = X
        return blocks
    if is_dask_array(X):
        return DaskBlocks(X)
    if scipy.sparse.issparse(X):
        return SparseBlocks(X)
    if is_device_array(X):
        return DeviceBlocks(X)
    return DenseBlocks(X)


def is_blocks(X: Any) -> bool:
    """Return whether X is blocks of features already, such as an opened file, and no array."""
    return hasattr(X, "row_chunks") and hasattr(X, "map")


def is_dask_array(X: Any) -> bool:
    """Return whether X is a dask array, without importing dask."""
    return type(X).__module__.startswith("dask.array")
