"""RLSR: least squares with a scale factor a feature that is learned along."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._ranking import Ranking, RankingSelector, ranking_by_score


@dataclass(frozen=True, slots=True)
class Rescaling:
    """Scale factors of least squares and how they came about."""

    theta: Array  # (n_features,), nonnegative, sums to 1
    objectives: Array  # one a step; does not rise


class RLSRSelector(RankingSelector):
    r"""Rank features by the scale factors of rescaled linear square regression.

    Least squares on the class indicators, with a penalty that pulls whole features to zero.
    Every feature has a scale factor, its share of the norm of all coefficients.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        With None one less than there are samples, at most all features. The paper takes as
        many as the smallest of GBM, LASSO and LARS did; on its wide data sets that was LARS,
        which ends with so many.
    gamma : float, default=1.0
        Weight of the penalty.
    max_iter : int, default=100
    tol : float, default=1e-6
        Stop when the objective falls by less than this share.

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
        Where X had names.

    Notes
    -----
    Minimizes :math:`\|XW + 1b^T - Y\|_F^2 + \gamma \|W\|_{2,1}^2` by

    .. math::

        W = \Theta X_c^T (X_c \Theta X_c^T + \gamma I)^{-1} Y_c, \quad
        \theta_j = \|w_j\| / \sum_l \|w_l\|

    from equal :math:`\theta` on, with centered X and Y. Only the supervised form is here; the
    authors' also takes samples without an outcome. A quantity is fitted as it is.

    As published, features are not scaled, and the factors depend on their units. Put a
    StandardScaler before it, in a Pipeline, where units differ.

    With m samples, n features and s steps, time is O(s m^2 n) and memory O(m n).

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "gamma": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
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
        if self.task_ == "classification":
            Y = np.eye(len(np.unique(y)))[np.unique(y, return_inverse=True)[1]]
        else:
            Y = y.astype(np.float64)[:, None]
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            rescaling = rescale(
                X - X.mean(axis=0),
                Y - Y.mean(axis=0),
                gamma=self.gamma,
                max_iter=self.max_iter,
                tol=self.tol,
            )
        self.objectives_ = rescaling.objectives
        self.n_iter_ = len(rescaling.objectives)
        return ranking_by_score(rescaling.theta, min(n_features, n_samples - 1))


def rescale(X: Array, Y: Array, *, gamma: float, max_iter: int, tol: float) -> Rescaling:
    """Scale factors that minimize the squared error and the squared sum of norms.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
        Centered.
    Y : array of shape (n_samples, n_targets)
        Centered.
    gamma, max_iter, tol : see RLSRSelector

    Returns
    -------
    rescaling : Rescaling
        Equal factors where no feature has anything to do with the target.
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
    return Rescaling(theta, np.array(objectives))
