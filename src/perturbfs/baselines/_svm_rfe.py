"""SVM-RFE: recursive elimination of features with a linear support vector machine."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.svm import SVC, SVR

from perturbfs.arrays import Array

from ._preparation import code_targets, standardize
from ._ranking import Ranking, RankingSelector

_N_FOLDS = 5


class SVMRFESelector(RankingSelector):
    """Select features by recursive elimination with a linear support vector machine.

    The features with the smallest squared weights are removed: first half of the remaining
    features in each step, at the end one by one. With more than two classes there is one machine
    per class against the rest, and the squared weights of a feature are summed. Features are
    standardized.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default the power of two at which the machine predicts left-out samples best, and the
        smallest one among ties. The elimination is repeated in each of five folds, which takes
        about six times as long.
    C : float, default=1.0
        Cost of errors. Features are divided by the square root of the number of remaining
        features, so that `C` means the same at every step.
    n_one_by_one : int, default=64
        Features are removed one by one when at most this many remain.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Features removed in the same step are ordered by their weights, constant ones last.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    The machines are fitted to the products of samples, and the weights are computed from the dual
    solution. A step takes O(n_samples^2 n_left) time for the products, and the time of libsvm for
    n_samples. This is fast for few samples. For a quantity, epsilon is 0.1 standard deviations.

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

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        C: float = 1.0,
        n_one_by_one: int = 64,
    ) -> None:
        super().__init__(n_features_to_select)
        self.C = C
        self.n_one_by_one = n_one_by_one

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        features = standardize(X)
        options = self._method_params() | {"task": self.task_}
        order = eliminate(features, y, **options)
        return Ranking(order, choose_size(features, y, **options) if n_wanted is None else 0)


def eliminate(features: Array, y: Array, *, C: float, n_one_by_one: int, task: str) -> Array:
    """Return features by when they are eliminated, the last one first.

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
    """Return the squared weight of each feature, summed over one machine per target."""
    scaled = features / np.sqrt(features.shape[1])
    products = scaled @ scaled.T
    squares = np.zeros(features.shape[1])
    for target in targets.T:
        machine = _machine(task, kernel="precomputed", C=C)
        machine.fit(products, target > 0 if task == "classification" else target)
        squares += (machine.dual_coef_[0] @ scaled[machine.support_]) ** 2
    return squares


def choose_size(features: Array, y: Array, *, C: float, n_one_by_one: int, task: str) -> int:
    """Return the smallest power of two at which the machine predicts left-out samples best.

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
        1 if the training samples of every fold have a single class.
    """
    sizes = 2 ** np.arange(features.shape[1].bit_length())
    loss = np.zeros(len(sizes))
    is_classes = task == "classification"
    outcome = y if is_classes else code_targets(y, task=task, target_coding="codes")[:, 0]
    # The samples of a class are dealt to the folds in turn.
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
            predicted, actual = machine.predict(nested[outside]), outcome[outside]
            loss[place] += np.sum(predicted != actual if is_classes else (predicted - actual) ** 2)
    return int(sizes[np.argmin(loss)])


def _machine(task: str, **options: Any) -> Any:
    return SVC(**options) if task == "classification" else SVR(**options)
