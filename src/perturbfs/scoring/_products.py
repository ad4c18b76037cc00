"""The linear support vector machine on standardized features, fitted to inner products.

`SVC` computes the same inner products many times: of 100,000 features they take most of a minute.
Here matrix products compute each of them once, a few features at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from perturbfs.arrays import Array

from ._trial import is_scaled

PIECE = 1024  # features that are multiplied at a time
MOST_SAMPLES = 5000  # their inner products take 200 MB


def by_products(predictor: Any, n_samples: int) -> Any:
    """Return a predictor that predicts the same, in less time if there are many features.

    Parameters
    ----------
    predictor : estimator
    n_samples : int
        The most samples that it will be fitted to.

    Returns
    -------
    predictor : estimator
        A `StandardizedSVC` in place of a pipeline of a scaler and a linear `SVC`, unless there are
        very many samples. Any other predictor is returned unchanged.
    """
    if n_samples > MOST_SAMPLES or not is_scaled(predictor):
        return predictor
    scaler, machine = predictor[0], predictor[-1]
    is_default = scaler.get_params() == StandardScaler().get_params()
    is_linear = (
        type(machine) is SVC and machine.kernel == "linear" and machine.probability is not True
    )
    if not (is_default and is_linear):
        return predictor
    return StandardizedSVC(**{**machine.get_params(), "kernel": "precomputed"})


class StandardizedSVC(SVC):  # type: ignore[misc]
    """Linear support vector machine that standardizes the features itself.

    The parameters are those of `SVC`; `kernel` must be ``"precomputed"``.
    """

    def fit(self, X: Array, y: Array) -> Self:
        """Fit to finite, dense features and classes."""
        self._train = X
        self._center, self._spread = np.zeros(X.shape[1]), np.ones(X.shape[1])
        products = np.zeros((len(X), len(X)))
        for piece in _pieces(X.shape[1]):
            values = np.asarray(X[:, piece], dtype=np.float64)
            center, spread = values.mean(axis=0), values.std(axis=0)
            # The deviation of equal values is rounding.
            spread[spread <= len(X) * np.finfo(np.float64).eps * np.abs(center)] = 1.0
            self._center[piece], self._spread[piece] = center, spread
            units = self._units(X, piece)
            products += units @ units.T
        super().fit(products, y)
        return self

    def predict(self, X: Array) -> Array:
        """Return the classes."""
        found: Array = super().predict(self._products_with(X))
        return found

    def decision_function(self, X: Array) -> Array:
        """Return the values that decide on the classes."""
        found: Array = super().decision_function(self._products_with(X))
        return found

    def _products_with(self, X: Array) -> Array:
        """Return the inner products of samples with those of the training."""
        products = np.zeros((len(X), len(self._train)))
        for piece in _pieces(X.shape[1]):
            products += self._units(X, piece) @ self._units(self._train, piece).T
        return products

    def _units(self, X: Array, piece: slice) -> Array:
        """Return some features as `StandardScaler` rounds them in the precision of X."""
        centered = (X[:, piece] - self._center[piece]).astype(X.dtype)
        units: Array = (centered / self._spread[piece]).astype(X.dtype)
        return units.astype(np.float64)


def _pieces(n_features: int) -> Iterator[slice]:
    return (slice(start, start + PIECE) for start in range(0, n_features, PIECE))
