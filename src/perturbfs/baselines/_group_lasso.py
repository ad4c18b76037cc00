"""Group lasso: features that enter the model for all classes at once."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lasso_path

from perturbfs.arrays import Array

from ._penalty_path import PenalizedModel, PenaltyPathSelector


class MultiTaskLasso(PenalizedModel):
    """Least squares on indicators, with a penalty on the norm of each feature's coefficients."""

    slack = 0.001

    def __init__(self, features: Array, indicators: Array) -> None:
        super().__init__(np.asfortranarray(features), indicators - indicators.mean(axis=0))

    def steepness(self) -> Array:
        """Return the norm of the gradient of the mean squared error in each feature."""
        residual = self.indicators - self.predict()
        return np.linalg.norm(self.features.T @ residual, axis=1) / len(residual)

    def sizes(self) -> Array:
        """Return the norm of the coefficients of each feature."""
        return np.linalg.norm(self.coefficients, axis=1)

    def minimize(self, kept: Array, penalty: float) -> None:
        """Fit the coefficients of some features in place."""
        # scikit-learn warns about a precision that the order of entry does not need.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            _, solution, _ = lasso_path(
                self.features[:, kept],
                self.indicators,
                alphas=[penalty],
                coef_init=np.asfortranarray(self.coefficients[kept].T),
            )
        self.coefficients[kept] = solution[:, :, 0].T


class GroupLassoSelector(PenaltyPathSelector):
    """Select the features that enter the group lasso on class indicators first.

    Class indicators are regressed on all features, with a penalty on the norm of each feature's
    coefficients (multi-task lasso). A feature therefore enters for all classes or for none. The
    weight of the penalty decreases from the value at which all coefficients are zero. Features
    are standardized, indicators are centered. Asking for more features than enter raises an
    error; with a smaller `eps` more features enter.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with nonzero coefficients at the end of the path.
    n_penalties : int, default=100
        Number of points of the path. Features that enter between two points are ordered by the
        norm of their coefficients.
    eps : float, default=0.01
        Last weight of the penalty divided by the first.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of entry. Features that never enter share the last rank. Without
        `n_features_to_select`, features that leave the path again come after those that stay.
    task_ : {"classification"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    Coordinate descent of scikit-learn on the features that the sequential strong rule keeps. It
    is repeated with more features until the conditions of the optimum hold for all. A point of
    the path takes O(n_samples n_features n_classes) time, and each sweep of the descent the same
    for the features kept.

    References
    ----------
    Yuan, M., Lin, Y. (2006). Model selection and estimation in regression with grouped variables.
    Journal of the Royal Statistical Society B 68(1), 49-67.

    Obozinski, G., Taskar, B., Jordan, M. I. (2010). Joint covariate selection and joint subspace
    selection for multiple classification problems. Statistics and Computing 20, 231-252.

    Examples
    --------
    >>> from perturbfs.baselines import GroupLassoSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_classes=3, random_state=0)
    >>> selector = GroupLassoSelector(5).fit(data.X, data.y)
    >>> int((data.groups[selector.get_support(indices=True)] >= 0).sum()) >= 4
    True
    """

    _model = MultiTaskLasso
