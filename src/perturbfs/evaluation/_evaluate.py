"""Compare selectors on samples they have not seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import RidgeCV
from sklearn.metrics import r2_score
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import check_random_state

from perturbfs.backends import Array
from perturbfs.choose import mean_recall

from ._stability import stability
from ._uncertainty import Estimate, corrected_interval

MIN_SAMPLES = 6  # 70 % of fewer is less than the three neighbors one of the predictors asks
METRICS = {"classification": "balanced_accuracy", "regression": "r2"}


@dataclass(frozen=True, slots=True)
class Score:
    """One method, one size, one predictor, one split."""

    method: str
    requested: int | str  # number of features asked for, "auto" or "all"
    n_features: int  # number of features used
    predictor: str
    split: int
    score: float
    seconds: float  # time to select


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of several methods on the same splits.

    Attributes
    ----------
    scores : tuple of Score
    selections : dict of (method, requested) to list of arrays
        Features chosen in each split.
    metric : {"balanced_accuracy", "r2"}
    test_share : float
        Test samples over training samples.
    n_features_in : int
    """

    scores: tuple[Score, ...]
    selections: dict[tuple[str, int | str], list[Array]]
    metric: str
    test_share: float
    n_features_in: int

    def estimate(
        self, method: str, requested: int | str, predictor: str | None = None
    ) -> Estimate:
        """Mean score over splits, and over predictors unless one is named, with its interval."""
        by_split: dict[int, list[float]] = {}
        for row in self.scores:
            is_wanted = (row.method, row.requested) == (method, requested)
            if is_wanted and predictor in (None, row.predictor):
                by_split.setdefault(row.split, []).append(row.score)
        means = [float(np.mean(scores)) for scores in by_split.values()]
        return corrected_interval(means, test_share=self.test_share)

    def stability(self, method: str, requested: int | str) -> float:
        """Agreement beyond chance of the features chosen in the splits."""
        return stability(self.selections[method, requested], self.n_features_in)


def default_predictors(task: str) -> dict[str, Any]:
    """What judges a selection: a tree, a linear and a neighbor method."""
    if task == "regression":
        return {
            "tree": DecisionTreeRegressor(min_samples_split=10, random_state=0),
            "ridge": make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 13))),
            "3nn": make_pipeline(StandardScaler(), KNeighborsRegressor(3)),
        }
    return {
        "tree": DecisionTreeClassifier(min_samples_split=10, random_state=0),
        "svm": make_pipeline(StandardScaler(), SVC(kernel="linear")),
        "3nn": make_pipeline(StandardScaler(), KNeighborsClassifier(3)),
    }


def evaluate(
    selectors: Mapping[str, Any],
    X: Array,
    y: Array,
    *,
    n_features: Sequence[int | str] = (5, 10, 20, 40),
    task: str = "classification",
    predictors: Mapping[str, Any] | None = None,
    imputer: Any = None,
    n_splits: int = 10,
    test_size: float = 0.3,
    random_state: Any = None,
    n_jobs: int | None = None,
    on_split: Callable[[], None] | None = None,
) -> Evaluation:
    """Score selectors on repeated splits, each fitted to the training rows alone.

    All methods see the same splits. Beside them stand all features and guessing.

    Parameters
    ----------
    selectors : mapping of str to selector
        Each with a parameter `n_features_to_select`.
    X : array or sparse matrix of shape (n_samples, n_features)
        May hold NaN if there is an imputer.
    y : array of shape (n_samples,)
    n_features : sequence of int or "auto"
        Numbers of features to ask for; ``"auto"`` takes the selector as it is. A method that
        cannot give that many raises its error.
    task : {"classification", "regression"}
        Splits are stratified for classes; the score is the mean recall of the classes, or R^2.
    predictors : mapping of str to estimator, optional
        A tree, a linear and a neighbor method by default.
    imputer : transformer, optional
        Fitted to the training rows of each split.
    n_splits : int, default=10
    test_size : float, default=0.3
        Share of the samples that is held out.
    random_state : int, RandomState instance or None
        For the splits. Selectors with a `random_state` get another one in every split,
        whatever theirs is: with the same one a random choice would look stable.
    n_jobs : int or None
        Splits in parallel. The scores do not depend on it.
    on_split : callable, optional
        Called when a split is done.

    Returns
    -------
    evaluation : Evaluation

    Examples
    --------
    >>> from perturbfs import PerturbationSelector, evaluate
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(60, 200, random_state=0)
    >>> found = evaluate(
    ...     {"paper": PerturbationSelector(random_state=0)},
    ...     data.X, data.y, n_features=[5], n_splits=3, random_state=0,
    ... )
    >>> found.estimate("guessing", "all").mean
    0.5
    >>> found.estimate("paper", 5).mean > 0.6
    True
    """
    _check_enough(y, task)
    rng = check_random_state(random_state)
    splitter = ShuffleSplit if task == "regression" else StratifiedShuffleSplit
    splits = splitter(n_splits, test_size=test_size, random_state=rng.randint(2**31 - 1))
    seed = int(rng.randint(2**31 - 1))
    asked = [
        (name, size, _asked_for(selector, size))
        for name, selector in selectors.items()
        for size in n_features
    ]
    predictors = default_predictors(task) if predictors is None else dict(predictors)
    contest = _Contest(X, y, asked, predictors, imputer, task, seed)
    pairs = list(splits.split(np.zeros(len(y)), y))
    rows: list[Score] = []
    selections: dict[tuple[str, int | str], list[Array]] = {each[:2]: [] for each in asked}
    results = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(contest.play)(number, *pair) for number, pair in enumerate(pairs)
    )
    for scores, chosen in results:
        rows.extend(scores)
        for key, features in chosen.items():
            selections[key].append(features)
        if on_split is not None:
            on_split()
    train, test = pairs[0]
    return Evaluation(
        scores=tuple(rows),
        selections=selections,
        metric=METRICS[task],
        test_share=len(test) / len(train),
        n_features_in=X.shape[1],
    )


def _asked_for(selector: Any, size: int | str) -> Any:
    selector = clone(selector)
    return selector if size == "auto" else selector.set_params(n_features_to_select=size)


@dataclass(frozen=True, slots=True)
class _Contest:
    """What is the same in every split."""

    X: Array
    y: Array
    asked: Sequence[tuple[str, int | str, Any]]
    predictors: Mapping[str, Any]
    imputer: Any
    task: str
    seed: int

    def play(
        self, split: int, train: Array, test: Array
    ) -> tuple[list[Score], dict[tuple[str, int | str], Array]]:
        """Scores and selected features of all methods on one split."""
        X_train, X_test = self.X[train], self.X[test]
        if self.imputer is not None:
            imputer = clone(self.imputer).fit(X_train)
            X_train, X_test = imputer.transform(X_train), imputer.transform(X_test)
        y_train, y_test = self.y[train], self.y[test]
        rows: list[Score] = []
        chosen = {}

        def judge(
            method: str, size: int | str, features: Any, n_used: int, seconds: float
        ) -> None:
            dummies = {"dummy": _dummy(self.task)}
            for name, predictor in (self.predictors if n_used else dummies).items():
                model = clone(predictor).fit(_dense(X_train[:, features]), y_train)
                predicted = model.predict(_dense(X_test[:, features]))
                score = float(
                    (r2_score if self.task == "regression" else mean_recall)(y_test, predicted)
                )
                rows.append(Score(method, size, n_used, name, split, score, seconds))

        for method, size, selector in self.asked:
            start = time.perf_counter()
            features = (
                self._seeded(selector, split).fit(X_train, y_train).get_support(indices=True)
            )
            seconds = time.perf_counter() - start
            chosen[method, size] = features
            judge(method, size, features, len(features), seconds)
        judge("all features", "all", slice(None), self.X.shape[1], 0.0)
        judge("guessing", "all", slice(None), 0, 0.0)
        return rows, chosen

    def _seeded(self, selector: Any, split: int) -> Any:
        selector = clone(selector)
        if "random_state" in selector.get_params(deep=False):
            selector.set_params(random_state=(self.seed + split) % 2**31)
        return selector


def _dense(columns: Array) -> Array:
    """Predictors center what they get, so sparse features are filled in for them."""
    return columns.toarray() if scipy.sparse.issparse(columns) else columns


def _check_enough(y: Array, task: str) -> None:
    """Refuse what cannot be split, in words."""
    if len(y) < MIN_SAMPLES:
        raise ValueError(
            f"There are {len(y)} samples, but at least {MIN_SAMPLES} are needed to train on some "
            "and test on others."
        )
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        for label, count in zip(labels.tolist(), counts.tolist(), strict=True):
            if count < 2:
                raise ValueError(
                    f"Class {label!r} has 1 sample, but every class needs at least 2: one to "
                    "train on and one to test. Drop or merge the class."
                )


def _dummy(task: str) -> Any:
    return DummyRegressor() if task == "regression" else DummyClassifier(strategy="prior")
