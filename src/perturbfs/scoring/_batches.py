"""Center features within batches of samples, such as plates or sites."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator

from perturbfs.arrays import Array, is_blocks
from perturbfs.checks import outcome_columns

from ._groups import check_groups

LEAST_PER_BATCH = 2  # samples per batch on average; with fewer, hardly any value is left


class BatchCenterer(BaseEstimator):  # type: ignore[misc]
    """Subtract from each feature its mean in the batch of the sample.

    The means are those of the samples that it was fitted to, so that nothing is learned from test
    samples.

    Attributes
    ----------
    batches_ : array of shape (n_batches,)
        Sorted names or numbers of the batches.
    means_ : array of shape (n_batches, n_features)
        What is subtracted in each batch: the means of the known values. A feature without any
        known value in a batch has the mean of all samples there.
    mean_ : array of shape (n_features,)
        Means of all samples, for samples of other batches.

    Notes
    -----
    The outcome is not used, on purpose. If the classes have different shares in the batches, the
    mean of a batch also has a part of the difference between the classes, so this difference
    shrinks, by the same factor in every feature. Least squares with one intercept per batch finds
    the same coefficients whether the outcome is centered too or not (Frisch and Waugh, 1933), so
    the order of the features does not suffer. Scores do: they fall towards guessing. Means that
    are adjusted for the outcome avoid this, but they carry the batch into the features of test
    samples: features without any relation to the outcome then seem to predict it.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.evaluation import BatchCenterer
    >>> X = np.array([[1.0, 0.0], [3.0, 0.0], [10.0, 5.0], [14.0, 5.0]])
    >>> centerer = BatchCenterer().fit(X, ["a", "a", "b", "b"])
    >>> centerer.transform(X, ["a", "a", "b", "b"])
    array([[-1.,  0.],
           [ 1.,  0.],
           [-2.,  0.],
           [ 2.,  0.]])

    A sample of an unknown batch is centered with the mean of all samples:

    >>> centerer.transform([[9.0, 2.5]], ["c"])
    array([[2., 0.]])
    """

    def fit(self, X: Any, batch: Any) -> Self:
        """Find the means.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Dense; missing values are NaN.
        batch : array of shape (n_samples,)
            Names or numbers.

        Returns
        -------
        self : object
        """
        X = _as_floats(X)
        batch = check_groups(batch, len(X), "batch")
        self.batches_, codes = np.unique(batch, return_inverse=True)
        self.mean_ = np.nan_to_num(_known_means(X))
        means = [_known_means(X[codes == code]) for code in range(len(self.batches_))]
        self.means_ = np.where(np.isnan(means), self.mean_, means)
        return self

    def transform(self, X: Any, batch: Any) -> Array:
        """Return the features minus the means of the batch of each sample.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        batch : array of shape (n_samples,)

        Returns
        -------
        centered : array of shape (n_samples, n_features)
            Exactly 0 where a feature has its only value in a batch: rounding must not leave
            differences between batches.
        """
        X = _as_floats(X)
        means = np.concatenate([self.means_, self.mean_[None]]).astype(X.dtype)
        centered: Array = X - means[self._places(batch, len(X))]
        return centered

    def is_known(self, batch: Any) -> Array:
        """Return which samples are of a batch that it was fitted to."""
        return self._places(batch, len(batch)) >= 0

    def _places(self, batch: Any, n_samples: int) -> Array:
        """Return the position of the batch of each sample; -1 for an unknown one."""
        batch = check_groups(batch, n_samples, "batch")
        place_of = {name: place for place, name in enumerate(self.batches_.tolist())}
        return np.array([place_of.get(name, -1) for name in batch.tolist()], dtype=np.intp)


def _as_floats(X: Any) -> Array:
    X = np.asarray(X)
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def _known_means(X: Array) -> Array:
    """Return the means of the known values; NaN without one, the value itself if it is one."""
    known = ~np.isnan(X)
    counts = known.sum(axis=0)
    sums = np.where(known, X, 0.0).sum(axis=0, dtype=np.float64)
    means = np.divide(sums, counts, out=np.full(X.shape[1], np.nan), where=counts > 0)
    lowest = np.fmin.reduce(X, axis=0).astype(np.float64)
    return np.where(lowest == np.fmax.reduce(X, axis=0), lowest, means)


def outcome_within(y: Array, batch: Array, *, task: str) -> float:
    """Return the share of the variance of the outcome that is within batches, from 0 to 1.

    For classes it is the variance of their indicators. 0 means that the batch determines the
    outcome, 1 that all batches have the same mean or the same shares of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> y, batch = np.array(["ill", "ill", "well", "well"]), np.array([1, 1, 2, 2])
    >>> outcome_within(y, batch, task="classification")
    0.0
    >>> outcome_within(y, np.array([1, 2, 1, 2]), task="classification")
    1.0
    """
    columns = outcome_columns(np.asarray(y), task=task)
    total = np.sum((columns - columns.mean(axis=0)) ** 2)
    within = np.sum(BatchCenterer().fit(columns, batch).transform(columns, batch) ** 2)
    return float(within / total) if total > 0 else 1.0


def check_batch(batch: Any, y: Array, *, task: str) -> Array:
    """Return the batch of each sample; refuse batches within which nothing can be selected.

    Parameters
    ----------
    batch : array of shape (n_samples,)
    y : array of shape (n_samples,)
    task : {"classification", "regression"}

    Returns
    -------
    batch : array of shape (n_samples,)
    """
    batch = check_groups(batch, len(y), "batch")
    problem = why_useless(batch, y, task=task)
    if problem is not None:
        raise ValueError(" ".join(problem))
    return batch


def why_useless(batch: Array, y: Array, *, task: str) -> tuple[str, str] | None:
    """Return why nothing can be selected within batches, and what to do; None if it can."""
    names = np.unique(batch).tolist()
    problem = advice = ""
    if task == "survival":
        problem = "Batches were given with a survival outcome, for which they are not supported."
        advice = "Leave the batch out, or center the features within batches before."
    elif len(names) == 1:
        problem = f"All samples are of the batch {names[0]!r}, so no batches differ."
        advice = "Leave the batch out."
    elif len(y) < LEAST_PER_BATCH * len(names):
        problem = (
            f"There are {len(names)} batches for {len(y)} samples, so most samples are alone in "
            "their batch, and nothing can be compared within it."
        )
        advice = "Name a column with few values, such as the plate, the site or the year."
    elif outcome_within(y, batch, task=task) == 0:
        same = "samples of one class only" if task == "classification" else "one outcome only"
        problem = (
            f"Every batch has {same}. A difference between batches cannot be distinguished from "
            "the effect of the outcome, so nothing can be selected within batches."
        )
        advice = (
            "No method can correct such data. Add samples, so that batches have more than one "
            "class or value; leave the batch out only if you know that batches do not differ."
        )
    return (problem, advice) if problem else None


def check_centerable(X: Any) -> None:
    """Refuse a table whose features cannot be centered within batches."""
    if is_blocks(X):
        raise ValueError(
            "A batch was given, but only a table in memory can be centered within batches. Read "
            "the table into memory, or correct it for the batches before."
        )
    if scipy.sparse.issparse(X):
        raise ValueError(
            "A batch was given, but the table is sparse, and centering within batches would make "
            "it dense. Store it as a dense table if memory allows, or correct it for the batches "
            "before."
        )
