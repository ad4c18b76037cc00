"""Selection by order of entry into L1 logistic regression."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

from ._penalty_path import PenalizedModel, PenaltyPathSelector

_MOST_STEPS = 5000


class LogisticModel(PenalizedModel):
    """Multinomial logistic regression with a penalty on the absolute coefficients."""

    slack = 0.002
    tol = 1e-3  # the steepness at a solution is the penalty up to this fraction of it

    def __init__(self, features: Array, indicators: Array) -> None:
        super().__init__(features, indicators)
        self.intercept = np.log(indicators.mean(axis=0))

    def steepness(self) -> Array:
        """Return the largest slope of the mean loss in each feature, over the classes."""
        error = shares_of(self.predict() + self.intercept) - self.indicators
        return np.abs(self.features.T @ error / len(error)).max(axis=1)

    def sizes(self) -> Array:
        """Return the sum of the absolute coefficients of each feature."""
        return np.abs(self.coefficients).sum(axis=1)

    def minimize(self, kept: Array, penalty: float) -> None:
        """Fit the coefficients of some features and the intercept in place.

        Notes
        -----
        Accelerated proximal gradient with restarts (Beck and Teboulle 2009; O'Donoghue and Candes
        2015).
        """
        n_samples = len(self.features)
        design = np.column_stack([np.ones(n_samples), self.features[:, kept]])
        # The Hessian of softmax is at most 1/2.
        step = 2 * n_samples / float(np.linalg.eigvalsh(design @ design.T)[-1])
        thresholds = np.r_[0, np.full(len(kept), penalty * step)][:, None]
        solution = ahead = np.vstack([self.intercept, self.coefficients[kept]])
        momentum = 1.0
        for _ in range(_MOST_STEPS):
            error = shares_of(design @ ahead) - self.indicators
            moved = ahead - step / n_samples * (design.T @ error)
            moved = np.sign(moved) * np.maximum(np.abs(moved) - thresholds, 0)
            largest_move = np.abs(ahead - moved).max()
            change = moved - solution
            if np.vdot(ahead - moved, change) > 0:
                momentum = 1.0
            following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
            ahead = moved + (momentum - 1) / following * change
            momentum, solution = following, moved
            if largest_move <= self.tol * penalty * step:
                break
        self.intercept, self.coefficients[kept] = solution[0], solution[1:]


def shares_of(linear: Array) -> Array:
    """Return the probability of each class in each sample (softmax over the last axis)."""
    # For so few numbers, SciPy's softmax spends most of its time on checks.
    shares = np.exp(linear - linear.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


class L1LogisticSelector(PenaltyPathSelector):
    """Select the features that enter multinomial logistic regression first.

    The weight of an L1 penalty decreases from the value at which all coefficients are zero. A
    feature enters when its coefficient for any class becomes nonzero. Features are standardized,
    and the intercept is not penalized. Asking for more features than enter raises an error; with
    a smaller `eps` more features enter.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a nonzero coefficient at the end of the path.
    n_penalties : int, default=100
        Number of points of the path. Features that enter between two points are ordered by the
        size of their coefficients.
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
    Accelerated proximal gradient steps on the features that the sequential strong rule keeps.
    They are repeated with more features until the conditions of the optimum hold for all. A
    point of the path takes O(n_samples n_features n_classes) time, and each step the same for the
    features kept.

    References
    ----------
    Friedman, J., Hastie, T., Tibshirani, R. (2010). Regularization paths for generalized linear
    models via coordinate descent. Journal of Statistical Software 33(1), 1-22.

    Tibshirani, R. et al. (2012). Strong rules for discarding predictors in lasso-type problems.
    Journal of the Royal Statistical Society B 74(2), 245-266.

    Examples
    --------
    >>> from perturbfs.baselines import L1LogisticSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = L1LogisticSelector(5).fit(data.X, data.y)
    >>> int((data.groups[selector.get_support(indices=True)] >= 0).sum()) >= 4
    True
    """

    _model = LogisticModel
