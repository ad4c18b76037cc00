"""What several rivals do to features and outcome first, and to a path of coefficients last."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns

from ._ranking import Ranking


def standardize(X: Array) -> Array:
    """Features with mean 0 and standard deviation 1; constant ones are zero.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Finite.

    Returns
    -------
    features : array of shape (n_samples, n_features)
    """
    largest = np.abs(X).max(axis=0)
    # Dividing first keeps the squares of very large and very small numbers in range.
    features = X / np.where(largest > 0, largest, 1)
    features -= features.mean(axis=0)
    deviation = features.std(axis=0)
    is_constant = deviation <= 10 * np.finfo(np.float64).eps
    features[:, is_constant] = 0
    features /= np.where(is_constant, 1, deviation)
    return features


def code_targets(y: Array, *, task: str, target_coding: str) -> Array:
    """The outcome as columns with mean 0 and standard deviation 1.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Not constant.
    task : {"classification", "regression"}
    target_coding : {"codes", "indicators"}

    Returns
    -------
    targets : array of shape (n_samples, n_targets)
        One column for codes or a quantity, otherwise one a class.
    """
    if task == "classification" and target_coding == "codes":
        codes = np.unique(y, return_inverse=True)[1]
        return standardize(codes[:, None].astype(np.float64))
    return standardize(outcome_columns(np.asarray(y), task=task))


def rank_by_entry(
    entry: Array, stays: Array, n_wanted: int | None, *, sizes: Array | None = None
) -> Ranking:
    """Features by when they enter a path; the larger first where several enter at once.

    Parameters
    ----------
    entry : array of shape (n_features,)
        Smaller is earlier; infinity for a feature that never enters, which is not ranked.
    stays : array of bool of shape (n_features,)
        Whether the feature is in the last model of the path.
    n_wanted : int or None
        With None, those that stay come first, so that they are what is selected.
    sizes : array of shape (n_features,), optional

    Returns
    -------
    ranking : Ranking
        By default as many as stay.
    """
    order = np.lexsort((np.zeros_like(entry) if sizes is None else -sizes, entry))
    order = order[np.isfinite(entry[order])]
    if n_wanted is None:
        order = order[np.argsort(~stays[order], kind="stable")]
    if not len(order):
        # Nothing is related to the outcome, as with constant features.
        order = np.arange(1)
    return Ranking(order, int(stays.sum()))
