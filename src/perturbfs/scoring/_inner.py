"""Inner estimator, scorer and splits: how a candidate is judged."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import check_scoring, get_scorer
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.arrays import Array

# The settings of the released program: MATLAB's tree does not split a node of fewer than ten
# samples, its SVM is linear with box constraint 1, one against one, and it asks one neighbor.
_ESTIMATORS = {
    ("tree", "classification"): DecisionTreeClassifier(min_samples_split=10),
    ("svm", "classification"): SVC(kernel="linear", C=1.0),
    ("knn", "classification"): KNeighborsClassifier(n_neighbors=1),
    ("tree", "regression"): DecisionTreeRegressor(min_samples_split=10),
    ("svm", "regression"): SVR(kernel="linear", C=1.0),
    ("knn", "regression"): KNeighborsRegressor(n_neighbors=1),
}
ESTIMATOR_NAMES = ("tree", "svm", "knn")
MAX_DEFAULT_SPLITS = 5
R2 = get_scorer("r2")


def resolve_estimator(estimator: Any, *, task: str, seed: int) -> Any:
    """The inner estimator as an unfitted copy whose result depends on the seed alone.

    Parameters
    ----------
    estimator : {"tree", "svm", "knn"}, estimator or None
        None is the decision tree.
    task : {"classification", "regression"}
    seed : int
        Given to every ``random_state`` of the estimator that is None.

    Returns
    -------
    estimator : estimator
    """
    if estimator is None or isinstance(estimator, str):
        estimator = _ESTIMATORS[estimator or "tree", task]
    estimator = clone(estimator)
    unseeded = {
        name: seed
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return estimator.set_params(**unseeded)


def mean_recall(y_true: Array, y_pred: Array, sample_weight: Array | None = None) -> float:
    """Mean over the classes of the share of their samples that was recognized.

    The accuracy of the paper (equation `accuracy`). A class that is missing from `y_true` does
    not count, as in balanced accuracy.
    """
    _, position = np.unique(np.asarray(y_true), return_inverse=True)
    weights = np.ones(len(position)) if sample_weight is None else np.asarray(sample_weight)
    hits = np.bincount(position, weights=weights * (np.asarray(y_true) == np.asarray(y_pred)))
    return float(np.mean(hits / np.bincount(position, weights=weights)))


def score_mean_recall(model: Any, X: Array, y: Array, sample_weight: Array | None = None) -> float:
    """Mean recall of a fitted classifier.

    A plain function: what `make_scorer` wraps around one takes longer than predicting the few
    samples of a fold.
    """
    return mean_recall(y, model.predict(X), sample_weight)


def r2(y_true: Array, y_pred: Array) -> float:
    """Share of the squares of quantities, which vary, that predictions explain."""
    unexplained = np.sum((y_true - y_pred) ** 2)
    return float(1 - unexplained / np.sum((y_true - np.mean(y_true)) ** 2))


def resolve_scorer(scoring: Any, estimator: Any, *, task: str) -> Any:
    """The scorer; by default mean recall for classes and R^2 for quantities."""
    if scoring is None:
        is_classes = task == "classification"
        return score_mean_recall if is_classes else R2
    return check_scoring(estimator, scoring)


def resolve_splitter(cv: Any, y: Array, *, task: str, seed: int) -> Any:
    """The splitter; a number of folds means shuffled folds.

    Parameters
    ----------
    cv : int, splitter, iterable of splits or None
        None is five folds, or as many as the smallest class allows.
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
        Folds are stratified for classes.
    seed : int
        For the shuffling.

    Returns
    -------
    splitter : splitter
    """
    if cv is not None and not isinstance(cv, (int, np.integer)):
        return check_cv(cv)
    smallest, group = _smallest_group(y, task)
    n_splits = max(2, min(MAX_DEFAULT_SPLITS, smallest)) if cv is None else int(cv)
    if smallest < n_splits:
        raise ValueError(
            f"{group}, but {n_splits} folds need at least {n_splits}. Drop or merge the class, "
            "pass another cv, or ask for a number of features, which needs no folds. If y is a "
            "quantity, pass a regressor as estimator."
        )
    folds = StratifiedKFold if task == "classification" else KFold
    return folds(n_splits, shuffle=True, random_state=seed)


def _smallest_group(y: Array, task: str) -> tuple[int, str]:
    """Size of the group of samples that limits the folds, and how to speak of it."""
    if task == "regression":
        return len(y), f"There are {len(y)} samples"
    labels, counts = np.unique(y, return_counts=True)
    smallest = int(np.argmin(counts))
    count = int(counts[smallest])
    label = labels[smallest].item()
    return count, f"Class {label!r} has {count} sample{'' if count == 1 else 's'}"
