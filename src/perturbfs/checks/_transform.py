"""`transform` of both selectors for tables on disk and arrays on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from perturbfs.arrays import (
    Array,
    as_blocks,
    is_blocks,
    is_dask_array,
    is_device_array,
    namespace_of,
)

from ._input import check_transform_input


class BlockSelectorMixin(SelectorMixin):  # type: ignore[misc]
    """A selector that also takes features from tables on disk and from arrays on a device."""

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array, frame, scipy.sparse matrix, dask array or ColumnStore of shape \
                (n_samples, n_features)
            Of a dask array or a table on disk, only the selected features are read. An array of
            torch, cupy or another library stays on its device.

        Returns
        -------
        X_r : array of shape (n_samples, n_selected_features)
            Of the same library as X, on the same device.
        """
        if is_device_array(X):
            check_is_fitted(self)
            check_transform_input(self, X)
            xp = namespace_of(X)
            return xp.take(X, xp.asarray(np.flatnonzero(self.support_)), axis=1)
        if is_dask_array(X):
            X = as_blocks(X)
        if not is_blocks(X):
            return super().transform(X)
        support = self.get_support()
        if X.shape[1] != len(support):
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} was fitted to "
                f"{len(support)}. Pass a table with the same features."
            )
        return X.take(np.flatnonzero(support))

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_
