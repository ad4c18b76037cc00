"""Predict the outcome from the batch of a sample alone."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from perturbfs.arrays import Array

from ._scorers import METRICS


class BatchClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict the usual class of a batch; X is one column of codes from 0.

    Parameters
    ----------
    is_balanced : bool, default=True
        Whether classes are weighted equally: the class with the largest share of its samples in
        the batch is predicted. A batch without training samples gets the usual class of all.
    """

    def __init__(self, is_balanced: bool = True) -> None:
        self.is_balanced = is_balanced

    def fit(self, X: Array, y: Array) -> Self:
        """Count the classes in each batch."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        batch = np.asarray(X)[:, 0].astype(np.intp)
        counts = np.zeros((int(batch.max()) + 1, len(self.classes_)))
        np.add.at(counts, (batch, codes.reshape(-1)), 1.0)
        if self.is_balanced:
            counts /= counts.sum(axis=0)
        totals = counts.sum(axis=1, keepdims=True)
        prior = counts.sum(axis=0) / counts.sum()
        self.shares_ = np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), prior)
        self.prior_ = prior
        return self

    def predict_proba(self, X: Array) -> Array:
        """Return the share of each class in the batch of each sample."""
        rows = np.concatenate([self.shares_, self.prior_[None]])
        return rows[_rows_of(X, len(self.shares_))]

    def predict(self, X: Array) -> Array:
        """Return the class with the largest share."""
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]


class BatchRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predict the mean of a batch; X is one column of codes from 0."""

    def fit(self, X: Array, y: Array) -> Self:
        """Find the mean of each batch; a batch without samples gets the mean of all."""
        batch = np.asarray(X)[:, 0].astype(np.intp)
        counts = np.bincount(batch)
        sums = np.bincount(batch, weights=y)
        self.mean_ = float(np.mean(y))
        self.means_ = np.where(counts > 0, sums / np.maximum(counts, 1), self.mean_)
        return self

    def predict(self, X: Array) -> Array:
        """Return the mean of the batch of each sample."""
        return np.append(self.means_, self.mean_)[_rows_of(X, len(self.means_))]


def _rows_of(X: Array, n_batches: int) -> Array:
    """Return the row of the batch of each sample; that after the last for an unknown batch."""
    return np.minimum(np.asarray(X)[:, 0].astype(np.intp), n_batches)


def batch_predictor(metric: str, *, task: str) -> Any:
    """Return the predictor that knows nothing but the batch.

    Parameters
    ----------
    metric : str
        The score. Classes are weighted equally for balanced accuracy.
    task : {"classification", "regression"}
    """
    if task == "regression":
        return BatchRegressor()
    return BatchClassifier(is_balanced=metric == METRICS["classification"])
