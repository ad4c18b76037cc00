"""Predictions for every number of features of an order, sharing work between the numbers.

A fit to a few dozen samples takes scikit-learn a millisecond, most of it for checks. Distances and
decompositions can be shared or computed directly. The predictions equal those of scikit-learn.
Where rounding could decide, as among neighbors at the same distance, there is no quick prediction
and scikit-learn predicts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from perturbfs.arrays import Array

from ._trial import TrainTest

TIE = 1e-9  # squared distances that agree to this share count as equal
# Maps a number of features to predictions for the test samples, or to None.
Predict = Callable[[int], Array | None]


def quick_way(model: Any, split: TrainTest) -> Predict | None:
    """Return a function that predicts by the first features, for growing numbers of them.

    Parameters
    ----------
    model : estimator
        Not fitted.
    split : TrainTest
        Finite values of all features, in their order, and an outcome of one column.

    Returns
    -------
    predict : callable or None
        Call it with growing numbers. None if the model has no quick way.
    """
    if isinstance(model, (KNeighborsClassifier, KNeighborsRegressor)):
        return QuickNeighbors(model, split)
    if isinstance(model, RidgeCV):
        return QuickRidge(model, split)
    return None


class QuickNeighbors:
    """Nearest neighbors by squared distances that grow with the features."""

    def __init__(self, model: Any, split: TrainTest) -> None:
        self._n_neighbors = model.n_neighbors
        self._train, self._test = split.X_train, split.X_test
        self._apart = np.zeros((len(self._test), len(self._train)))
        self._n_added = 0
        self._classes: Array | None = None
        self._outcome = split.y_train
        if isinstance(model, KNeighborsClassifier):
            self._classes, codes = np.unique(split.y_train, return_inverse=True)
            self._outcome = np.eye(len(self._classes))[codes]

    def __call__(self, size: int) -> Array | None:
        """Return the predictions, or None where the neighbors are not unique."""
        added = slice(self._n_added, size)
        self._n_added = max(size, self._n_added)
        self._apart += cdist(self._test[:, added], self._train[:, added], "sqeuclidean")
        last = self._n_neighbors - 1
        if last + 1 >= self._apart.shape[1]:
            return None
        ordered = np.partition(self._apart, (last, last + 1), axis=1)
        farthest, next_one = ordered[:, last], ordered[:, last + 1]
        if np.any(next_one - farthest <= TIE * next_one):
            return None
        shares = (self._apart <= farthest[:, None]) @ self._outcome
        if self._classes is None:
            return shares / self._n_neighbors
        # The first of equally frequent classes, as scikit-learn does.
        return self._classes[shares.argmax(axis=1)]


class QuickRidge:
    """Ridge regression with the penalty that is best for samples left out one by one.

    With X = U S V' centered, the residual of a sample i that is left out is r_i / (1 - h_i), where
    r is the residual of the fit to all and h the diagonal of its hat matrix. This holds for every
    penalty, so one decomposition serves all of them.
    """

    def __init__(self, model: Any, split: TrainTest) -> None:
        self._penalties = np.asarray(model.alphas, dtype=float)
        self._mean = float(np.mean(split.y_train))
        self._y = split.y_train - self._mean
        center = split.X_train.mean(axis=0)
        self._train, self._test = split.X_train - center, split.X_test - center

    def __call__(self, size: int) -> Array | None:
        """Return the predictions."""
        left, values, right = np.linalg.svd(self._train[:, :size], full_matrices=False)
        along = left.T @ self._y
        # The share of the outcome along each direction that a penalty leaves.
        left_over = self._penalties / (values[:, None] ** 2 + self._penalties)
        residual = (self._y - left @ along)[:, None] + left @ (left_over * along[:, None])
        free = 1 - 1 / len(self._y) - (left**2).sum(axis=1)
        missed = residual / (free[:, None] + left**2 @ left_over)
        best = int(np.argmin((missed**2).mean(axis=0)))
        weights = values / (values**2 + self._penalties[best]) * along
        predicted: Array = self._mean + self._test[:, :size] @ (right.T @ weights)
        return predicted
