"""Selection by order of entry into least angle regression."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from perturbfs.arrays import Array

from ._least_squares_path import LeastSquaresPathSelector


def follow_least_angle(features: Array, target: Array) -> tuple[Array, Array]:
    """Return when each feature joins least angle regression, and whether it joins.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    target : array of shape (n_samples,)
        Centered.

    Returns
    -------
    entry : array of shape (n_features,)
        Minus the correlation with the residual when the feature joins, up to a common factor;
        no two are equal. Infinity for a feature that does not join, for example because it
        depends linearly on those before it.
    joins : array of bool of shape (n_features,)

    Notes
    -----
    Section 2 of the article, with a QR decomposition of the features that have joined.

    scikit-learn's `lars_path` with ``method="lar"`` gives another order, also without repeated
    features: it reverses the sign of a feature when its coefficient passes through zero, which
    is right for the lasso only. From there on the features that have joined no longer have equal
    correlations with the residual.
    """
    n_most = min(len(target) - 1, features.shape[1])
    basis, triangle = np.zeros((len(target), n_most)), np.zeros((n_most, n_most))
    correlation = features.T @ target
    largest = first = float(np.abs(correlation).max())
    is_open = features.any(axis=0)
    entry = np.full(features.shape[1], np.inf)
    n_joined, level = 0, np.inf
    while n_joined < n_most and largest > 1e-10 * first and is_open.any():
        candidate = int(np.argmax(np.where(is_open, np.abs(correlation), -1)))
        is_open[candidate] = False
        signed = features[:, candidate] * np.sign(correlation[candidate])
        if not _extend(basis, triangle, n_joined, signed):
            continue
        n_joined += 1
        # Equal correlations keep the order of joining.
        level = min(largest, np.nextafter(level, 0))
        entry[candidate] = -level
        inner = solve_triangular(triangle[:n_joined, :n_joined], np.ones(n_joined), trans="T")
        pull = features.T @ (basis[:, :n_joined] @ inner)
        step = _step_to_next(correlation[is_open], pull[is_open], largest)
        correlation -= step * pull
        largest -= step
    return entry, np.isfinite(entry)


def _extend(basis: Array, triangle: Array, n_joined: int, feature: Array) -> bool:
    """Add a feature to the QR decomposition in place; return False if it depends on the others."""
    known = basis[:, :n_joined]
    inside = known.T @ feature
    outside = feature - known @ inside
    # A second projection removes rounding errors along the basis.
    correction = known.T @ outside
    outside -= known @ correction
    length = float(np.linalg.norm(outside))
    if length <= 1e-8 * float(np.linalg.norm(feature)):
        return False
    basis[:, n_joined] = outside / length
    triangle[:n_joined, n_joined] = inside + correction
    triangle[n_joined, n_joined] = length
    return True


def _step_to_next(correlation: Array, pull: Array, largest: float) -> float:
    """Return the step to where another feature correlates as much as those that have joined.

    The direction is scaled so that the correlation of the joined features falls by the length of
    the step.
    """
    ahead = np.concatenate([largest - correlation, largest + correlation])
    speed = np.concatenate([1 - pull, 1 + pull])
    meets = speed > 1e-12
    steps = np.maximum(ahead[meets], 0) / speed[meets]
    return float(min(largest, steps.min(initial=largest)))


class LARSSelector(LeastSquaresPathSelector):
    """Select the features that join least angle regression first.

    Like `LassoSelector`, but a feature that has joined never leaves. At most
    ``min(n_samples - 1, n_features)`` features join per target, because features are centered.
    Asking for more raises an error.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features that join: ``n_samples - 1`` on wide data without repeated
        features, as in the paper.
    target_coding : {"codes", "indicators"}, default="codes"
        Target for classes. "codes" are the numbers 0, 1, 2, ... of the sorted classes, as in the
        paper. "indicators" are one column per class; a feature joins when it does for any class.
        A quantity needs "codes".

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of joining. Features that never join share the last rank.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    O(s n_samples n_features) time for the s features that join.

    References
    ----------
    Efron, B., Hastie, T., Johnstone, I., Tibshirani, R. (2004). Least angle regression. Annals of
    Statistics 32(2), 407-499.

    Examples
    --------
    >>> from perturbfs.baselines import LARSSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> int(LARSSelector().fit(data.X, data.y).support_.sum())
    79
    """

    _follow = staticmethod(follow_least_angle)
