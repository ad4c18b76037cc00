"""Predictions of the default predictors for growing numbers of features of one order.

They equal those of scikit-learn (`default_predictors`), but sizes share distances and inner
products, and nothing is checked twice. Only with many samples another linear model takes the
place of the support vector machine. The search for the number of features spends most of its time
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from perturbfs.arrays import Array

from ._cores import fit_svm, grow_tree, single_precision
from ._cox import RidgeCox, fit_cox
from ._predictors import MIN_SAMPLES_SPLIT, N_NEIGHBORS, RIDGE_PENALTIES

TIE = 1e-9  # squared distances that agree to this share count as equal
MANY = 300  # samples from which on discriminant analysis replaces SVC; it is as accurate
SHRINKAGE = 0.1  # added to the variances within classes, of features of variance 1

# Maps a number of features to codes of classes, or quantities, of the test samples.
Predict = Callable[[int], Array]


@dataclass(frozen=True, slots=True)
class Columns:
    """Features of an order on both sides of a split, as they are and standardized.

    Attributes
    ----------
    train, test : arrays of shape (n_samples, n_features)
    train_units, test_units : arrays of the same shapes
        Minus the mean, divided by the standard deviation, of the training samples.
    outcome : array of shape (n_train,)
        As float64 codes of classes from 0, or quantities; or a survival.
    n_classes : int or None
        None if there are no classes.
    """

    train: Array
    test: Array
    train_units: Array
    test_units: Array
    outcome: Array
    n_classes: int | None

    @classmethod
    def of(cls, train: Array, test: Array, outcome: Array, n_classes: int | None) -> Columns:
        """Return the columns, standardized too."""
        train, test = (np.asarray(each, dtype=np.float64) for each in (train, test))
        center, spread = train.mean(axis=0), train.std(axis=0)
        spread[spread == 0] = 1.0
        train_units, test_units = (train - center) / spread, (test - center) / spread
        return cls(train, test, train_units, test_units, outcome, n_classes)


def decision_tree(columns: Columns) -> Predict:
    """Return predictions of the decision tree."""
    train, test = single_precision(columns.train), single_precision(columns.test)
    outcome, n_classes = columns.outcome[:, None], columns.n_classes
    sizes = None if n_classes is None else np.array([n_classes], dtype=np.intp)

    def predict(size: int) -> Array:
        tree = grow_tree(
            train[:, :size],
            outcome,
            sizes,
            seed=0,
            min_samples_split=MIN_SAMPLES_SPLIT,
        )
        found: Array = tree.predict(test[:, :size])
        return found.ravel() if n_classes is None else found.argmax(axis=1)

    return predict


def linear_svm(columns: Columns) -> Predict:
    """Return predictions of the linear support vector machine, or of a faster linear model.

    SVC changes two multipliers at a time: 1600 samples of two classes that overlap take it
    150,000 steps.
    """
    train, test, codes = columns.train_units, columns.test_units, columns.outcome
    n_classes = columns.n_classes or 0
    if len(codes) >= MANY:
        return discriminant_analysis(columns)
    among, across = np.zeros((len(train), len(train))), np.zeros((len(test), len(train)))
    n_added = 0

    def predict(size: int) -> Array:
        nonlocal n_added
        added = slice(n_added, size)
        among[...] += train[:, added] @ train[:, added].T
        across[...] += test[:, added] @ train[:, added].T
        n_added = size
        return fit_svm(among, codes, n_classes)(across)

    return predict


def discriminant_analysis(columns: Columns) -> Predict:
    """Return predictions of linear discriminant analysis with equal priors.

    With the Cholesky factor L of the covariance within classes, a class is predicted by the
    nearest mean after multiplication by the inverse of L. The first coordinates then depend on
    the first features only. So one factor serves all sizes, and distances grow with the features.
    """
    train, test, codes = columns.train_units, columns.test_units, columns.outcome.astype(np.intp)
    n_classes = columns.n_classes or 0
    members = np.eye(n_classes)[codes]
    means = (members.T @ train) / members.sum(axis=0)[:, None]
    within = train - means[codes]
    covariance = within.T @ within / len(train) + SHRINKAGE * np.eye(train.shape[1])
    factor = np.linalg.cholesky(covariance)
    test, means = (solve_triangular(factor, each.T, lower=True).T for each in (test, means))
    apart, n_added = np.zeros((len(test), n_classes)), 0

    def predict(size: int) -> Array:
        nonlocal n_added
        apart[...] += cdist(test[:, n_added:size], means[:, n_added:size], "sqeuclidean")
        n_added = size
        return apart.argmin(axis=1)

    return predict


def nearest_neighbors(columns: Columns) -> Predict:
    """Return predictions of three nearest neighbors, by squared distances that grow."""
    train, test, n_classes = columns.train_units, columns.test_units, columns.n_classes
    n_near = min(N_NEIGHBORS, len(train))
    values = columns.outcome[:, None]
    if n_classes is not None:
        values = np.eye(n_classes)[columns.outcome.astype(np.intp)]
    apart, n_added = np.zeros((len(test), len(train))), 0

    def predict(size: int) -> Array:
        nonlocal n_added
        apart[...] += cdist(test[:, n_added:size], train[:, n_added:size], "sqeuclidean")
        n_added = size
        farthest = np.partition(apart, n_near - 1, axis=1)[:, n_near - 1 : n_near]
        is_near = (apart <= farthest * (1 + TIE)).astype(np.float64)
        if is_near.sum() == n_near * len(test):
            found: Array = is_near @ values
            # argmax takes the first of equally frequent classes, as scikit-learn does.
            return found.ravel() / n_near if n_classes is None else found.argmax(axis=1)
        if n_classes is not None:
            is_sure = (apart < farthest * (1 - TIE)).astype(np.float64)
            voted = _vote(is_sure @ values, (is_near - is_sure) @ values, n_near)
            if voted is not None:
                return voted
        # Rounding decides which of equally near samples are taken, so scikit-learn predicts.
        kind = KNeighborsRegressor if n_classes is None else KNeighborsClassifier
        model = kind(n_near).fit(train[:, :size], columns.outcome)
        predicted: Array = model.predict(test[:, :size])
        return predicted

    return predict


def _vote(sure: Array, equal: Array, n_near: int) -> Array | None:
    """Return the class of most neighbors, or None if it depends on which of equals are taken.

    Parameters
    ----------
    sure : array of shape (n_test, n_classes)
        Neighbors that are nearer than the last one, by class.
    equal : array of shape (n_test, n_classes)
        Neighbors as near as the last one; only some of them are taken.
    n_near : int
    """
    n_left = n_near - sure.sum(axis=1, keepdims=True)
    others = equal.sum(axis=1, keepdims=True) - equal
    least, most = sure + np.maximum(n_left - others, 0), sure + np.minimum(n_left, equal)
    found: Array = least.argmax(axis=1)
    own = found[:, None]
    ahead = np.take_along_axis(least, own, axis=1) - most
    # scikit-learn takes the first of equally frequent classes.
    is_beaten = (ahead > 0) | ((ahead == 0) & (np.arange(sure.shape[1]) > own))
    np.put_along_axis(is_beaten, own, True, axis=1)
    return found if is_beaten.all() else None


def ridge_regression(columns: Columns) -> Predict:
    """Return predictions of ridge regression, with the penalty best for samples left out.

    With X = U S V' centered, the residual of a sample i that is left out is r_i / (1 - h_i), where
    r is the residual of the fit to all and h the diagonal of its hat matrix. This holds for every
    penalty, so one decomposition serves all of them.
    """
    mean = columns.outcome.mean()
    y, penalties = columns.outcome - mean, np.asarray(RIDGE_PENALTIES)
    train, test = columns.train_units, columns.test_units

    def predict(size: int) -> Array:
        left, values, right = np.linalg.svd(train[:, :size], full_matrices=False)
        along = left.T @ y
        # The share of the outcome along each direction that a penalty leaves.
        left_over = penalties / (values[:, None] ** 2 + penalties)
        residual = (y - left @ along)[:, None] + left @ (left_over * along[:, None])
        free = 1 - 1 / len(y) - (left**2).sum(axis=1)
        missed = residual / (free[:, None] + left**2 @ left_over)
        best = penalties[int(np.argmin((missed**2).mean(axis=0)))]
        weights = values / (values**2 + best) * along
        found: Array = mean + test[:, :size] @ (right.T @ weights)
        return found

    return predict


def ridge_cox(columns: Columns) -> Predict:
    """Return log hazards predicted by the Cox model, with a penalty that grows with the size."""
    train, test = columns.train_units, columns.test_units
    penalty = RidgeCox().penalty

    def predict(size: int) -> Array:
        found = fit_cox(train[:, :size], columns.outcome, penalty=penalty * size)
        risk: Array = test[:, :size] @ found
        return risk

    return predict


# The names are those of `default_predictors`.
WAYS: Mapping[str, Callable[[Columns], Predict]] = {
    "tree": decision_tree,
    "svm": linear_svm,
    "3nn": nearest_neighbors,
    "ridge": ridge_regression,
    "cox": ridge_cox,
}
