"""Score every candidate on five folds: ours, scikit-learn, and the fits and predictions alone.

The candidates are those of one run of the paper's method, k from 2 to the rank. The limit is
`fit` and `predict` of the estimators without their checks, on rows that were extracted before.
"""

from __future__ import annotations

from collections.abc import Callable

from _measure import Row, measure, row  # isort: skip  (pins the threads first)
import numpy as np
import sklearn
from _data import catalogue_sets
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score

from perturbfs.cluster import without_rounding_noise
from perturbfs.paper import Grouping, characterize, propose
from perturbfs.scoring import Judge, resolve_estimator, resolve_scorer, score_candidates

JOB = "inner scoring of every k"


def rows(*, quick: bool) -> list[Row]:
    found = []
    for name, X, y in catalogue_sets(("colon",) if quick else ("colon", "leukemia")):
        for estimator in ("tree", "svm", "knn"):
            found += _compare(name, X, y, estimator, repeats=1 if quick else 3)
    return found


def _compare(name: str, X: np.ndarray, y: np.ndarray, kind: str, *, repeats: int) -> list[Row]:
    known = characterize(X, y, random_state=0)
    points = without_rounding_noise(known.matrix)
    grouping = Grouping(points, np.arange(X.shape[1]), None, "warm", 0)
    candidates = propose(grouping, range(2, known.rank + 1))
    features = np.unique(np.concatenate([each.features for each in candidates]))
    columns = X[:, features] / np.sqrt(np.mean(X[:, features] ** 2, axis=0))

    estimator = resolve_estimator(kind, task="classification", seed=0)
    scorer = resolve_scorer(None, estimator, task="classification")
    splits = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    judge = Judge(estimator, scorer, y, splits, {}, {})
    subsets = [columns[:, np.searchsorted(features, each.features)] for each in candidates]

    def ours() -> None:
        score_candidates(candidates, features, columns, judge)

    def theirs() -> None:
        for subset in subsets:
            cross_val_score(estimator, subset, y, scoring=scorer, cv=splits)

    data = f"{name}, {kind}, {len(candidates)} candidates"
    return [
        row(JOB, data, "ours", measure(ours, repeats=repeats)),
        row(
            JOB, data, "limit", measure(_bare_fits(estimator, subsets, y, splits), repeats=repeats)
        ),
        row(JOB, data, "cross_val_score", measure(theirs, repeats=repeats)),
    ]


def _bare_fits(
    estimator: object,
    subsets: list[np.ndarray],
    y: np.ndarray,
    splits: list[tuple[np.ndarray, np.ndarray]],
) -> Callable[[], None]:
    parts = [
        (np.ascontiguousarray(subset[train]), y[train], np.ascontiguousarray(subset[test]))
        for subset in subsets
        for train, test in splits
    ]

    def bare() -> None:
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            for X_train, y_train, X_test in parts:
                clone(estimator).fit(X_train, y_train).predict(X_test)

    return bare
