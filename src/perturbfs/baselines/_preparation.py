"""Steps before the ranking that several rivals share: features and outcome as numbers."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns


def center(X: Array) -> Array:
    """Return features with mean 0, divided by their largest absolute value."""
    largest = np.abs(X).max(axis=0)
    # Dividing first keeps the squares of very large and very small numbers in range.
    features = X / np.where(largest > 0, largest, 1)
    features -= features.mean(axis=0)
    return features


def standardize(X: Array) -> Array:
    """Return features with mean 0 and standard deviation 1; constant ones become zero.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Finite.

    Returns
    -------
    features : array of shape (n_samples, n_features)
    """
    features = center(X)
    deviation = features.std(axis=0)
    is_constant = deviation <= 10 * np.finfo(np.float64).eps
    features[:, is_constant] = 0
    features /= np.where(is_constant, 1, deviation)
    return features


def code_targets(y: Array, *, task: str, target_coding: str) -> Array:
    """Return the outcome as columns with mean 0 and standard deviation 1.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Not constant.
    task : {"classification", "regression"}
    target_coding : {"codes", "indicators"}

    Returns
    -------
    targets : array of shape (n_samples, n_targets)
        One column for codes or a quantity, otherwise one per class.
    """
    if task == "classification" and target_coding == "codes":
        codes = np.unique(y, return_inverse=True)[1]
        return standardize(codes[:, None].astype(np.float64))
    return standardize(outcome_columns(y, task=task))


def refuse_lone_samples(y: Array, *, method: str) -> None:
    """Raise an error if no class has two samples."""
    if len(np.unique(y)) == len(y):
        raise ValueError(
            f"y has {len(y)} classes for {len(y)} samples, but {method} needs a class with at "
            "least two samples. Check whether y holds identifiers instead of classes."
        )
