"""SVM-RFE: features that a linear support vector machine gives up last."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.svm import SVC, SVR

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import code_targets, standardize
from ._ranking import Ranking, RankingSelector

_N_FOLDS = 5


class SVMRFESelector(RankingSelector):
    """Select features by recursive elimination with a linear support vector machine.

    The features with the smallest squared weights are taken out, half of what is left at a time,
    and one by one at the end. With more than two classes there is one machine for each class
    against the rest, and a feature's squared weights are summed. Features are standardized.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default the smallest power of two at which the machine predicts left-out samples best,
        with the elimination repeated in each of five folds. This takes about six times as long.
    C : float, default=1.0
        Cost of errors. Features are divided by the root of how many are left, so that it means
        the same at every step.
    n_one_by_one : int, default=64
        From so many features on, one is taken out at a time.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Features taken out at the same time are ordered by their weights, constant ones last.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    The machines work on the products of samples and weights come from their dual solution, so
    that a step costs O(n_samples^2 n_left) for the products and what libsvm takes for n_samples:
    fast where there are few samples. A quantity is fitted with epsilon 0.1 of its standard
    deviation.

    References
    ----------
    Guyon, I., Weston, J., Barnhill, S., Vapnik, V. (2002). Gene selection for cancer
    classification using support vector machines. Machine Learning 46, 389-422.

    Examples
    --------
    >>> from perturbfs.baselines import SVMRFESelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = SVMRFESelector(5).fit(data.X, data.y)
    >>> int((data.groups[selector.get_support(indices=True)] >= 0).sum()) >= 3
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "n_one_by_one": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
        *,
        C: float = 1.0,
        n_one_by_one: int = 64,
    ) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.n_one_by_one = n_one_by_one

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        features = standardize(X)
        options: dict[str, Any] = {
            "C": self.C,
            "n_one_by_one": self.n_one_by_one,
            "task": self.task_,
        }
        order = eliminate(features, y, **options)
        n_default = 0 if n_wanted is not None else choose_size(features, y, **options)
        return Ranking(order, n_default)


def eliminate(features: Array, y: Array, *, C: float, n_one_by_one: int, task: str) -> Array:
    """Features by when they are eliminated, the one left at the end first.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    y : array of shape (n_samples,)
    C : float
    n_one_by_one : int
    task : {"classification", "regression"}

    Returns
    -------
    order : array of int of shape (n_features,)
    """
    targets = code_targets(y, task=task, target_coding="indicators")
    if task == "classification" and targets.shape[1] == 2:
        targets = targets[:, :1]
    left = np.arange(features.shape[1])
    taken_out: list[Array] = []
    while len(left):
        weights = square_weights(features[:, left], targets, C=C, task=task)
        by_weight = np.argsort(weights, kind="stable")
        n_out = 1 if len(left) <= n_one_by_one else min(len(left) // 2, len(left) - n_one_by_one)
        taken_out.append(left[by_weight[:n_out]])
        left = np.sort(left[by_weight[n_out:]])
    return np.concatenate(taken_out)[::-1]


def square_weights(features: Array, targets: Array, *, C: float, task: str) -> Array:
    """Squared weight of each feature, summed over one machine for each target."""
    scaled = features / np.sqrt(features.shape[1])
    products = scaled @ scaled.T
    squares = np.zeros(features.shape[1])
    for target in targets.T:
        machine = _machine(task, kernel="precomputed", C=C)
        machine.fit(products, target > 0 if task == "classification" else target)
        squares += (machine.dual_coef_[0] @ scaled[machine.support_]) ** 2
    return squares


def choose_size(features: Array, y: Array, *, C: float, n_one_by_one: int, task: str) -> int:
    """The smallest power of two at which the machine predicts left-out samples best.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        Standardized.
    y : array of shape (n_samples,)
    C : float
    n_one_by_one : int
    task : {"classification", "regression"}

    Returns
    -------
    size : int
        1 where every fold leaves a single class.
    """
    sizes = 2 ** np.arange(features.shape[1].bit_length())
    wrong = np.zeros(len(sizes))
    outcome = y if task == "classification" else code_targets(y, task=task, target_coding="codes")
    outcome = outcome.reshape(-1)
    # Samples of a class go to the folds in turn.
    folds = np.empty(len(y), dtype=int)
    folds[np.argsort(y, kind="stable")] = np.arange(len(y)) % _N_FOLDS
    for fold in np.unique(folds):
        inside, outside = folds != fold, folds == fold
        if np.all(y[inside] == y[inside][0]):
            continue
        order = eliminate(features[inside], y[inside], C=C, n_one_by_one=n_one_by_one, task=task)
        for place, size in enumerate(sizes):
            nested = features[:, order[:size]] / np.sqrt(size)
            machine = _machine(task, kernel="linear", C=C).fit(nested[inside], outcome[inside])
            predicted = machine.predict(nested[outside])
            is_classes = task == "classification"
            error = predicted != outcome[outside] if is_classes else predicted - outcome[outside]
            wrong[place] += np.sum(np.square(error.astype(np.float64)))
    return int(sizes[np.argmin(wrong)])


def _machine(task: str, **options: Any) -> Any:
    return SVC(**options) if task == "classification" else SVR(**options)
