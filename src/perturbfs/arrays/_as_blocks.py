"""Any matrix that a user may have, as blocks of features."""

from __future__ import annotations

import scipy.sparse

from ._blocks import DenseBlocks, FeatureBlocks, SparseBlocks, is_blocks, is_dask_array
from ._device_blocks import DeviceBlocks
from ._devices import is_device_array
from ._namespace import Array
from .dask._blocks import DaskBlocks


def as_blocks(X: Array) -> FeatureBlocks:
    """The matrix as blocks of features.

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
        dask_blocks: FeatureBlocks = DaskBlocks(X)
        return dask_blocks
    if scipy.sparse.issparse(X):
        return SparseBlocks(X)
    if is_device_array(X):
        return DeviceBlocks(X)
    return DenseBlocks(X)
