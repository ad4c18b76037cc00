"""The default predictors on every size of an order, without starting anew for each.

A fit to a few dozen samples takes scikit-learn a millisecond, nearly all of it checks. Here the
sizes share what they can: distances grow by the features added, and trees get a table that was
checked once. Predictions equal those of scikit-learn (for `QuickSVM` nearly). Where rounding
could decide, as among neighbors at the same distance, there is no quick prediction and
scikit-learn is asked.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.arrays import Array

MANY = 500  # samples from which on LinearSVC is faster than SVC
TIE = 1e-9  # squared distances that agree to this share count as equal
# Maps a number of features to predictions for the test samples, or None to ask scikit-learn.
Predict = Callable[[int], Array | None]


def quick_way(model: Any, X_train: Array, y_train: Array, X_test: Array) -> Predict | None:
    """Return a function that predicts by the first features, for growing numbers of them.

    Parameters
    ----------
    model : estimator
        Not fitted.
    X_train, X_test : arrays of shape (n_samples, n_features)
        Finite; all features, in their order.
    y_train : array of shape (n_samples,)

    Returns
    -------
    predict : callable or None
        Call it with growing numbers. None if the model has no quick way.
    """
    kind = type(model)
    if kind in (DecisionTreeClassifier, DecisionTreeRegressor):
        return QuickTree(model, X_train, y_train, X_test)
    if kind in (KNeighborsClassifier, KNeighborsRegressor):
        return QuickNeighbors(model, X_train, y_train, X_test)
    if kind is RidgeCV:
        return QuickRidge(model, X_train, y_train, X_test)
    if kind is SVC and len(y_train) >= MANY and len(np.unique(y_train)) == 2:
        return QuickSVM(model, X_train, y_train, X_test)
    return None


class QuickTree:
    """A tree that is fitted to a table that was checked before."""

    def __init__(self, model: Any, X_train: Array, y_train: Array, X_test: Array) -> None:
        self._model, self._y = model, y_train
        with np.errstate(over="ignore"):
            self._train, self._test = X_train.astype(np.float32), X_test.astype(np.float32)
        self._is_sound = bool(np.isfinite(self._train).all() and np.isfinite(self._test).all())

    def __call__(self, size: int) -> Array | None:
        """Return the predictions, or None for values too large for a tree, which then says so."""
        if not self._is_sound:
            return None
        model = copy.copy(self._model)
        with config_context(assume_finite=True, skip_parameter_validation=True):
            model.fit(self._train[:, :size], self._y, check_input=False)
            predicted: Array = model.predict(self._test[:, :size], check_input=False)
        return predicted


class QuickNeighbors:
    """Nearest neighbors by squared distances that grow with the features."""

    def __init__(self, model: Any, X_train: Array, y_train: Array, X_test: Array) -> None:
        self._n_neighbors = model.n_neighbors
        self._train, self._test = X_train, X_test
        self._apart = np.zeros((len(X_test), len(X_train)))
        self._n_added = 0
        self._classes: Array | None = None
        self._outcome = y_train
        if isinstance(model, KNeighborsClassifier):
            self._classes, codes = np.unique(y_train, return_inverse=True)
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


class QuickSVM:
    """A linear support vector machine of two classes and many samples, by coordinate descent.

    `SVC` changes two multipliers at a time: 1600 samples of classes that overlap take it 150,000
    steps. `LinearSVC` minimizes the same loss; it also penalizes the intercept and stops after
    1000 sweeps, so a few predictions near the plane differ. On Madelon it takes less than half of
    the time, and the same features are selected.
    """

    def __init__(self, model: Any, X_train: Array, y_train: Array, X_test: Array) -> None:
        self._model = LinearSVC(C=model.C, loss="hinge", random_state=0)
        self._train, self._test, self._y = X_train, X_test, y_train

    def __call__(self, size: int) -> Array | None:
        """Return the predictions."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._model.fit(self._train[:, :size], self._y)
        predicted: Array = self._model.predict(self._test[:, :size])
        return predicted


class QuickRidge:
    """Ridge regression with the penalty that is best for samples left out one by one.

    With X = U S V' centered, the residual of a sample i that is left out is r_i / (1 - h_i), where
    r is the residual of the fit to all and h the diagonal of its hat matrix. This holds for every
    penalty, so one decomposition serves all of them.
    """

    def __init__(self, model: Any, X_train: Array, y_train: Array, X_test: Array) -> None:
        self._penalties = np.asarray(model.alphas, dtype=float)
        self._mean = float(np.mean(y_train))
        self._y = y_train - self._mean
        center = X_train.mean(axis=0)
        self._train, self._test = X_train - center, X_test - center

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
