"""Selection by order of entry into the lasso path."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from perturbfs.arrays import Array

from ._least_squares_path import LeastSquaresPathSelector


def follow_lasso_path(features: Array, target: Array) -> tuple[Array, Array]:
    """Return when each feature enters the lasso path, and whether it stays to the end.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    target : array of shape (n_samples,)
        Centered.

    Returns
    -------
    entry : array of shape (n_features,)
        Minus the weight of the penalty; infinity if the feature never enters.
    stays : array of bool of shape (n_features,)
        Whether the coefficient is nonzero at the end.
    """
    # Rounding ends the path when the residual vanishes, which is the right place, and repeated
    # features are left out. scikit-learn warns about both.
    ignored = warnings.catch_warnings(action="ignore", category=ConvergenceWarning)
    with ignored, np.errstate(all="ignore"):
        alphas, _, coefficients = lars_path(
            features, target, method="lasso", Gram="auto", max_iter=10 * min(features.shape)
        )
    # The path may continue with rounding errors when nothing is left to fit.
    n_points = 1 + int(np.sum(alphas > 1e-10 * alphas[0]))
    is_nonzero = coefficients[:, :n_points] != 0
    # A feature takes part from the breakpoint before its first nonzero coefficient.
    begins = is_nonzero.argmax(axis=1) - 1
    entry = np.where(is_nonzero.any(axis=1), -alphas[begins], np.inf)
    return entry, is_nonzero[:, -1]


class LassoSelector(LeastSquaresPathSelector):
    """Select the features that enter the lasso path first.

    The target is the class as a number, as in the paper, or one indicator per class. Features are
    standardized. The path runs from the empty model to the one with the smallest residual, which
    has at most about ``min(n_samples - 1, n_features)`` features per target. Asking for more
    raises an error.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a nonzero coefficient at the end of the path. The paper's
        numbers are of this kind: about as many features as samples.
    target_coding : {"codes", "indicators"}, default="codes"
        Target for classes. "codes" are the numbers 0, 1, 2, ... of the sorted classes.
        "indicators" are one column per class; a feature enters when it does for any class. A
        quantity needs "codes".

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry. Features that never enter share the last rank. Without
        `n_features_to_select`, features that leave the path again come after those that stay.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    O(s n_samples n_features) time and memory for s coefficients per feature, where s is the number
    of steps, a little more than ``min(n_samples, n_features)``.

    References
    ----------
    Tibshirani, R. (1996). Regression shrinkage and selection via the lasso. Journal of the Royal
    Statistical Society B 58(1), 267-288.

    Examples
    --------
    >>> from perturbfs.baselines import LassoSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = LassoSelector(5).fit(data.X, data.y)
    >>> bool(data.groups[selector.get_support(indices=True)].max() >= 0)
    True
    """

    _follow = staticmethod(follow_lasso_path)
