"""FS-SVM: a linear support vector machine with a bound on the sum of its weights."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_FEATURES_PER_CHOSEN = 50  # 2 %


class FSSVMSelector(RankingSelector):
    r"""Select the features that a linear SVM uses when the sum of its weights is bounded.

    Bisection finds the bound on the sum of absolute weights at which the wanted number of
    features has a nonzero weight.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default 2 % of the features, rounded down, but at least one. FS-SVM selected this
        share on all three data sets of the comparison in the perturbation paper.
    C : float, default=1.0
        Weight of the errors.
    max_iter : int, default=50
        Maximum number of bisection steps. Repeated features get equal weights, so that no bound
        may give exactly the wanted number. Then the features with the largest weights are
        selected, and the first ones among ties.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling weight; features that are not selected share the last rank.
    scores_ : array of shape (n_features_in_,)
        Largest absolute weight over the classes.
    bound_ : float
        Sum of the absolute weights.
    n_iter_ : int
        Number of bisection steps.
    task_ : {"classification"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    The full text of the publication was not available. This implementation follows its abstract
    and descriptions by other authors. It solves

    .. math::

        \min \tfrac12 \|w\|_2^2 + \tfrac12 b^2
        + C \sum_i \max(0, 1 - y_i (x_i^T w + b))^2
        \quad \text{subject to} \quad \|w\|_1 \le r

    on standardized features. The term :math:`\|w\|_2^2` is kept because of the published number
    of features, 142 from 37 samples: the solution of an SVM with the 1-norm alone has about as
    many features as samples at most. The squared hinge loss and the bias follow LinearSVC. The
    multiplier of the bound is varied instead of the bound itself. The dual solution
    :math:`\alpha` gives :math:`u = X^T (\alpha y)`, and w is u shrunk towards zero by the
    multiplier. Every bisection step is therefore a smooth problem with one unknown per sample.

    The publication considers two classes. With more classes, one machine per class against the
    rest is trained, with a common multiplier. A feature counts if any machine uses it, and the
    bound is on the weights of all machines together.

    Time is O(s c m n) for m samples, n features, c machines and s evaluations in total.

    References
    ----------
    B. Ghaddar, J. Naoum-Sawaya. High dimensional data classification and feature selection
    using support vector machines. European Journal of Operational Research 265(3), 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.baselines import FSSVMSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 8))
    >>> y = X[:, 2] > X[:, 5]
    >>> FSSVMSelector(2).fit(X, y).get_support(indices=True)
    array([2, 5])
    """

    _tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        C: float = 1.0,
        max_iter: int = 50,
    ) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.max_iter = max_iter

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        n_default = max(1, X.shape[1] // _FEATURES_PER_CHOSEN)
        n_chosen = n_wanted or n_default
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            weights, self.n_iter_ = bisect_bound(
                standardize(X), signed_classes(y), n_chosen, C=self.C, max_iter=self.max_iter
            )
        self.bound_ = float(np.abs(weights).sum())
        strength = np.abs(weights).max(axis=1)
        order = np.argsort(-strength, kind="stable")[: np.count_nonzero(strength)]
        return Ranking(order[:n_chosen], n_default, strength)


def bisect_bound(
    X: Array, signs: Array, n_chosen: int, *, C: float, max_iter: int
) -> tuple[Array, int]:
    """Return the weights with the wanted number of features, or the next larger number.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    signs : array of shape (n_samples, n_machines)
    n_chosen : int
    C : float
    max_iter : int

    Returns
    -------
    weights : array of shape (n_features, n_machines)
    n_steps : int
    """
    _, duals = train(X, signs, C=C, threshold=np.inf, start=np.zeros(signs.shape))
    low, high = 0.0, float(np.abs(X.T @ (duals * signs)).max())
    best, n_steps = None, 0
    while n_steps < max_iter:
        n_steps += 1
        middle = (low + high) / 2
        weights, duals = train(X, signs, C=C, threshold=middle, start=duals)
        n_used = np.count_nonzero(weights.any(axis=1))
        if n_used >= n_chosen:
            best, low = weights, middle
        else:
            high = middle
        if n_used == n_chosen:
            break
    if best is None:
        best, _ = train(X, signs, C=C, threshold=0.0, start=duals)
    return best, n_steps


def signed_classes(y: Array) -> Array:
    """Return 1 for a class and -1 for the rest: one column per class, or one for two classes."""
    classes = np.unique(y)
    positive = classes[1:] if len(classes) == 2 else classes
    return np.where(y[:, None] == positive, 1.0, -1.0)


def train(
    X: Array, signs: Array, *, C: float, threshold: float, start: Array
) -> tuple[Array, Array]:
    """Return linear SVMs with squared hinge loss whose weights are shrunk towards zero.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    signs : array of shape (n_samples, n_machines)
    C : float
        Weight of the errors.
    threshold : float
        Multiplier of the sum of absolute weights; infinity leaves only the bias.
    start : array of shape (n_samples, n_machines)
        Dual solution of a similar problem.

    Returns
    -------
    weights : array of shape (n_features, n_machines)
    duals : array of shape (n_samples, n_machines)
        Not negative.
    """
    machines = [
        _train_one(X, sign, C=C, threshold=threshold, start=dual)
        for sign, dual in zip(signs.T, start.T, strict=True)
    ]
    weights, duals = zip(*machines, strict=True)
    return np.stack(weights, axis=1), np.stack(duals, axis=1)


def _train_one(
    X: Array, sign: Array, *, C: float, threshold: float, start: Array
) -> tuple[Array, Array]:
    def weights_of(dual: Array) -> Array:
        if np.isinf(threshold):
            return np.zeros(X.shape[1])
        pull = (dual * sign) @ X
        return np.sign(pull) * np.maximum(np.abs(pull) - threshold, 0)

    def objective(dual: Array) -> tuple[float, Array]:
        weights, bias = weights_of(dual), dual @ sign
        value = 0.5 * (weights @ weights + bias**2) + dual @ dual / (4 * C) - dual.sum()
        used = np.flatnonzero(weights)
        outputs = X[:, used] @ weights[used] + bias
        return float(value), sign * outputs + dual / (2 * C) - 1

    bounds = [(0, None)] * len(sign)
    options = {"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-8}
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return weights_of(found.x), found.x
