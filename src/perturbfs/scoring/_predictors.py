"""Predictors by name: those that judge a selection, and those inside the paper's method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ._cox import RidgeCox

# The settings of the released program: MATLAB's tree does not split a node of fewer than ten
# samples, its SVM is linear with box constraint 1, one against one, and it uses one neighbor.
_ESTIMATORS = {
    ("tree", "classification"): DecisionTreeClassifier(min_samples_split=10),
    ("svm", "classification"): SVC(kernel="linear", C=1.0),
    ("knn", "classification"): KNeighborsClassifier(n_neighbors=1),
    ("tree", "regression"): DecisionTreeRegressor(min_samples_split=10),
    ("svm", "regression"): SVR(kernel="linear", C=1.0),
    ("knn", "regression"): KNeighborsRegressor(n_neighbors=1),
}
MIN_SAMPLES_SPLIT = 10
N_NEIGHBORS = 3
RIDGE_PENALTIES = np.logspace(-3, 3, 13)
DEFAULTS = {
    "classification": ("tree", "svm", "3nn"),
    "regression": ("tree", "ridge", "3nn"),
    "survival": ("cox",),
}
# The one that takes weights, and that tells users what to expect.
LINEAR = {"classification": "svm", "regression": "ridge", "survival": "cox"}


def resolve_estimator(estimator: Any, *, task: str, seed: int) -> Any:
    """Return the inner estimator as an unfitted copy whose result depends only on the seed.

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


def default_predictors(task: str) -> dict[str, Any]:
    """Return the predictors that judge a selection: a tree, a linear model, three neighbors.

    Parameters
    ----------
    task : {"classification", "regression", "survival"}
        For a survival it is one, a Cox model with a ridge penalty.

    Returns
    -------
    predictors : dict of str to estimator

    Examples
    --------
    >>> from perturbfs.evaluation import default_predictors
    >>> list(default_predictors("classification"))
    ['tree', 'svm', '3nn']
    """
    return named_predictors(DEFAULTS[task], task)


def named_predictors(names: Sequence[str], task: str) -> dict[str, Any]:
    """Return predictors by their names.

    Parameters
    ----------
    names : sequence of str
        For classes ``"tree"``, ``"svm"`` (linear), ``"3nn"``, ``"logistic"`` and ``"forest"``;
        for quantities ``"tree"``, ``"ridge"``, ``"3nn"`` and ``"forest"``; for a survival
        ``"cox"``, a Cox model with a ridge penalty. All but trees see standardized features.
    task : {"classification", "regression", "survival"}

    Returns
    -------
    predictors : dict of str to estimator

    Examples
    --------
    >>> from perturbfs.evaluation import named_predictors
    >>> named_predictors(["3nn"], "regression")["3nn"][-1]
    KNeighborsRegressor(n_neighbors=3)
    """
    known = _KNOWN[task]()
    for name in names:
        if name not in known:
            raise ValueError(
                f"The predictor {name!r} is not known for {task}. Use one of {', '.join(known)}."
            )
    return {name: known[name] for name in names}


def dummy_predictor(task: str) -> Any:
    """Return a predictor that always predicts the most frequent class, the mean, or one risk."""
    if task == "survival":
        return RidgeCox()  # it is given no features
    return DummyRegressor() if task == "regression" else DummyClassifier(strategy="prior")


def _classifiers() -> dict[str, Any]:
    return {
        "tree": DecisionTreeClassifier(min_samples_split=MIN_SAMPLES_SPLIT, random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC(kernel="linear")),
        "3nn": make_pipeline(StandardScaler(), KNeighborsClassifier(N_NEIGHBORS)),
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "forest": RandomForestClassifier(100, random_state=0),
    }


def _regressors() -> dict[str, Any]:
    return {
        "tree": DecisionTreeRegressor(min_samples_split=MIN_SAMPLES_SPLIT, random_state=0),
        "ridge": make_pipeline(StandardScaler(), RidgeCV(RIDGE_PENALTIES)),
        "3nn": make_pipeline(StandardScaler(), KNeighborsRegressor(N_NEIGHBORS)),
        "forest": RandomForestRegressor(100, random_state=0),
    }


def _survival_models() -> dict[str, Any]:
    return {"cox": make_pipeline(StandardScaler(), RidgeCox())}


_KNOWN = {
    "classification": _classifiers,
    "regression": _regressors,
    "survival": _survival_models,
}
