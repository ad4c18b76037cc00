"""RLSR: least squares that learns a scale factor per feature."""

from __future__ import annotations

from typing import Literal

import numpy as np
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns

from ._ranking import Ranking, RankingSelector, rank_by_score


class RLSRSelector(RankingSelector):
    r"""Rank features by the scale factors of rescaled linear square regression.

    Least squares on the class indicators, with a penalty that shrinks all coefficients of a
    feature together. The scale factor of a feature is its share of the norm of all coefficients.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default the number of samples minus one, or all features if there are fewer. The paper
        uses the smallest number that GBM, LASSO and LARS selected. On its wide data sets that was
        LARS, which selects the number of samples minus one.
    gamma : float, default=1.0
        Weight of the penalty.
    max_iter : int, default=100
    tol : float, default=1e-6
        Steps end when the objective falls by less than this share.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
    scores_ : array of shape (n_features_in_,)
        Scale factors theta; they sum to 1.
    objectives_ : array of shape (n_iter_,)
        Value of the objective after each step.
    n_iter_ : int
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    Minimizes :math:`\|XW + 1b^T - Y\|_F^2 + \gamma \|W\|_{2,1}^2` by

    .. math::

        W = \Theta X_c^T (X_c \Theta X_c^T + \gamma I)^{-1} Y_c, \quad
        \theta_j = \|w_j\| / \sum_l \|w_l\|

    starting from equal :math:`\theta`, with centered X and Y. The authors' method also takes
    samples without an outcome; this class does not. A quantity is fitted without scaling.

    As published, features are not scaled, and the factors depend on their units. If units differ,
    put a StandardScaler before this selector in a Pipeline.

    Time is O(s m^2 n) and memory O(m n) for m samples, n features and s steps.

    References
    ----------
    X. Chen, F. Nie, G. Yuan, J. Z. Huang. Semi-supervised feature selection via rescaled
    linear regression. IJCAI 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import RLSRSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 8))
    >>> y = X[:, 2] > X[:, 5]
    >>> RLSRSelector(2).fit(X, y).get_support(indices=True)
    array([2, 5])
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        gamma: float = 1.0,
        max_iter: int = 100,
        tol: float = 1e-6,
    ) -> None:
        super().__init__(n_features_to_select)
        self.gamma = gamma
        self.max_iter = max_iter
        self.tol = tol

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        n_samples, n_features = X.shape
        Y = outcome_columns(y, task=self.task_)
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            theta, self.objectives_ = rescale(
                X - X.mean(axis=0), Y - Y.mean(axis=0), **self._method_params()
            )
        self.n_iter_ = len(self.objectives_)
        return rank_by_score(theta, min(n_features, n_samples - 1))


def rescale(X: Array, Y: Array, *, gamma: float, max_iter: int, tol: float) -> tuple[Array, Array]:
    """Return the scale factors that minimize the squared error and the squared sum of norms.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Centered.
    Y : array of shape (n_samples, n_targets)
        Centered.
    gamma, max_iter, tol : see RLSRSelector

    Returns
    -------
    theta : array of shape (n_features,)
        Not negative, with sum 1; equal if no feature is related to the target.
    objectives : array of shape (n_steps,)
        Value of the objective after each step; it does not rise.
    """
    n_samples, n_features = X.shape
    theta = np.full(n_features, 1 / n_features)
    objectives: list[float] = []
    for _ in range(max_iter):
        gram = (X * theta) @ X.T
        gram[np.diag_indices(n_samples)] += gamma
        dual = np.linalg.solve(gram, Y)
        norms = theta * np.linalg.norm(X.T @ dual, axis=1)
        total = norms.sum()
        # The residual of ridge regression is gamma times its dual solution.
        objectives.append(float(np.sum((gamma * dual) ** 2) + gamma * total**2))
        if total == 0:
            break
        theta = norms / total
        if len(objectives) > 1 and objectives[-2] - objectives[-1] <= tol * objectives[-2]:
            break
    return theta, np.array(objectives)
