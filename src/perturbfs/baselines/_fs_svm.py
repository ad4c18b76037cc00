"""FS-SVM: a linear support vector machine under a bound on the sum of its weights."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_FEATURES_PER_CHOSEN = 50  # 2 %


@dataclass(frozen=True, slots=True)
class Machine:
    """Linear machines, one a column, that share a threshold."""

    weights: Array  # (n_features, n_machines)
    duals: Array  # (n_samples, n_machines), nonnegative


class FSSVMSelector(RankingSelector):
    r"""Select the features that a linear SVM uses when its weights have little room.

    A bound on the sum of absolute weights is tightened, by bisection, until the wanted number
    of features has a weight other than zero.

    Parameters
    ----------
    n_features_to_select : int or None, default=None
        With None 2 % of the features, rounded down, at least one. That is what FS-SVM ended
        with on all three data sets of the comparison in the perturbation paper.
    C : float, default=1.0
        Weight of the errors.
    max_iter : int, default=50
        Most bisection steps. Where no bound gives exactly the wanted number, as with repeated
        features, which get equal weights, the largest weights decide, the first of equal ones.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling weight; features that are not selected share the last place.
    scores_ : array of shape (n_features_in_,)
        Absolute weights, the largest over classes.
    bound_ : float
        The sum of absolute weights found.
    n_iter_ : int
        Bisection steps taken.
    task_ : {"classification"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    The full text of the publication was not at hand; what is here follows its abstract and its
    description by others. We solve

    .. math::

        \min \tfrac12 \|w\|_2^2 + \tfrac12 b^2
        + C \sum_i \max(0, 1 - y_i (x_i^T w + b))^2
        \quad \text{subject to} \quad \|w\|_1 \le r

    on standardized features. The term :math:`\|w\|_2^2` is kept because the published number of
    features, 142 from 37 samples, cannot come from an SVM with the 1-norm alone, whose solution
    has at most about as many as samples. The squared hinge loss and the bias follow
    LinearSVC. The bound is moved through its multiplier: the dual solution :math:`\alpha` gives
    :math:`u = X^T (\alpha y)`, and w is u drawn towards zero by the multiplier, so that every
    bisection step is a smooth problem with one unknown a sample.

    The publication has two classes. With more, one machine per class against the rest is
    trained with one common multiplier, and a feature counts when any of them uses it; the
    bound is then on all machines together.

    With m samples, n features, c machines and s evaluations in all, time is O(s c m n).

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
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, n_features_to_select: int | None = None, *, C: float = 1.0, max_iter: int = 50
    ) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.max_iter = max_iter

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        n_default = max(1, X.shape[1] // _FEATURES_PER_CHOSEN)
        n_chosen = n_default if n_wanted is None else n_wanted
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            machine, self.n_iter_ = self._bisect(standardize(X), signed_classes(y), n_chosen)
        self.bound_ = float(np.abs(machine.weights).sum())
        strength = np.abs(machine.weights).max(axis=1)
        order = np.argsort(-strength, kind="stable")[: np.count_nonzero(strength)]
        return Ranking(order[:n_chosen], n_default, strength)

    def _bisect(self, X: Array, signs: Array, n_chosen: int) -> tuple[Machine, int]:
        """The machine with the wanted number of features, or the next with more."""
        none = train(X, signs, C=self.C, threshold=np.inf, start=np.zeros(signs.shape))
        low, high = 0.0, float(np.abs(X.T @ (none.duals * signs)).max())
        best, start, n_steps = None, none.duals, 0
        while n_steps < self.max_iter:
            n_steps += 1
            middle = (low + high) / 2
            machine = train(X, signs, C=self.C, threshold=middle, start=start)
            start = machine.duals
            n_used = np.count_nonzero(machine.weights.any(axis=1))
            if n_used >= n_chosen:
                best, low = machine, middle
            else:
                high = middle
            if n_used == n_chosen:
                break
        if best is None:
            best = train(X, signs, C=self.C, threshold=0.0, start=start)
        return best, n_steps


def signed_classes(y: Array) -> Array:
    """+1 for a class and -1 for the rest, one column a class; a single column for two."""
    classes = np.unique(y)
    positive = classes[1:] if len(classes) == 2 else classes
    return np.where(y[:, None] == positive[None, :], 1.0, -1.0)


def train(X: Array, signs: Array, *, C: float, threshold: float, start: Array) -> Machine:
    """Linear SVMs with squared hinge loss whose weights are drawn towards zero.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    signs : array of shape (n_samples, n_machines)
    C : float
        Weight of the errors.
    threshold : float
        Multiplier of the sum of absolute weights; infinity leaves the bias alone.
    start : array of shape (n_samples, n_machines)
        Dual solution of a similar problem.

    Returns
    -------
    machine : Machine
    """
    machines = [
        _train_one(X, sign, C=C, threshold=threshold, start=dual)
        for sign, dual in zip(signs.T, start.T, strict=True)
    ]
    weights, duals = (np.stack(columns, axis=1) for columns in zip(*machines, strict=True))
    return Machine(weights, duals)


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

    found = minimize(
        objective,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(sign),
        options={"maxiter": 2000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-8},
    )
    return weights_of(found.x), found.x
