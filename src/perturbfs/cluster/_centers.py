"""The parts that the clusterers with centers share: checks of samples, and `predict`."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._points import FloatArray, IntArray, nearest_centers


class CentersMixin(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A clusterer with the parameter `n_clusters` that learns `cluster_centers_`."""

    n_clusters: int
    cluster_centers_: FloatArray

    def _check_samples(self, X: Any) -> Any:
        """Return the samples to fit as an array, or refuse if they are too few."""
        X = validate_data(self, X, dtype=np.float64)
        if len(X) < self.n_clusters:
            raise ValueError(
                f"n_clusters={self.n_clusters} exceeds n_samples={len(X)}. Lower n_clusters."
            )
        return X

    def _check_new_samples(self, X: Any) -> Any:
        """Return the samples to predict as an array, or refuse if nothing is fitted."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False)

    def predict(self, X: Any) -> IntArray:
        """Return the cluster of each sample, that of the nearest center.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features_in_)
            Samples.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Row of `cluster_centers_`; the lowest on ties.
        """
        return nearest_centers(self._check_new_samples(X), self.cluster_centers_)[0]
