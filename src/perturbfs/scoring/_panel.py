"""Score every size of an order of features on one split, by several predictors."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.arrays import Array, to_dense

from ._predictors import default_predictors, resolve_estimator
from ._quick import Predict, quick_way
from ._scorers import R2, mean_recall, r2, resolve_scorer, score_mean_recall
from ._trial import TrainTest, Trial, is_scaled

MANY = 500  # samples from which on LinearSVC is faster than SVC


@dataclass(frozen=True, slots=True)
class Samples:
    """Features, outcome and weights of all samples or of one side of a split."""

    X: Array
    y: Array
    weights: Array  # a sample of weight 2 counts like two samples; one of weight 0 is ignored

    def part(self, rows: Array) -> Samples:
        """Return the samples of these rows that have a positive weight."""
        rows = rows[self.weights[rows] > 0]
        return Samples(self.X[rows], self.y[rows], self.weights[rows])

    def take(self, features: Array) -> Array:
        """Return some features as a dense array."""
        return to_dense(self.X[:, features])


@dataclass(frozen=True, slots=True)
class Panel:
    """Predictors whose scores are averaged, and the scorer of each."""

    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]
    is_weighted: bool = False  # whether predictors (then pipelines) and scorers get the weights
    # Whether the predictors are the default ones: models, or pipelines of a scaler and a model,
    # which may have a quick way. Scorers may then see the model and scaled features.
    is_usual: bool = False


def make_panel(
    y: Array, *, task: str, estimator: Any, scoring: Any, is_weighted: bool, n_train: int
) -> Panel:
    """Return the predictors that score on inner splits, with their scorers.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    task : {"classification", "regression"}
    estimator : {"tree", "svm", "knn"}, estimator or None
        None is a tree, a linear model and three neighbors together.
    scoring : str, callable or None
    is_weighted : bool
        Whether the samples have weights. The default predictors are then the linear model alone:
        neighbors take no weights, and trees count samples where they stop splitting.
    n_train : int
        The fewest training samples of any split.

    Returns
    -------
    panel : Panel
    """
    if estimator is None:
        predictors = _default_panel(y, task, is_weighted=is_weighted, n_train=n_train)
    else:
        predictors = {"estimator": resolve_estimator(estimator, task=task, seed=0)}
    return Panel(
        predictors,
        {
            name: resolve_scorer(scoring, predictor, task=task)
            for name, predictor in predictors.items()
        },
        is_weighted=is_weighted and scoring is None and estimator is None,
        # A scorer of the user's own may look at the features.
        is_usual=estimator is None and not callable(scoring),
    )


def _default_panel(y: Array, task: str, *, is_weighted: bool, n_train: int) -> dict[str, Any]:
    predictors = default_predictors(task)
    if is_weighted:
        linear = "ridge" if task == "regression" else "svm"
        predictors = {linear: predictors[linear]}
    else:
        predictors["3nn"][-1].set_params(n_neighbors=min(3, n_train))
    if task == "classification" and y.ndim == 2:
        # The SVM takes one output only, so one is fitted to each.
        predictors["svm"] = MultiOutputClassifier(predictors["svm"])
    return predictors


class SplitPanel:
    """Fit the predictors of a panel to the training samples of a split and score them.

    Parameters
    ----------
    panel : Panel
    train, test : Samples
    """

    def __init__(self, panel: Panel, train: Samples, test: Samples) -> None:
        self._panel, self._train, self._test = panel, train, test
        self._quick_score = _find_quick_score(panel, train.y, test.y)
        self._models = {name: self._model(each) for name, each in panel.predictors.items()}
        self._trials = {
            name: Trial(model, panel.scorers[name]) for name, model in self._models.items()
        }

    def scores(self, order: Array, sizes: Sequence[int]) -> Iterator[list[float]]:
        """Yield the scores of the predictors on the first features of an order, per size."""
        splits = self._cut(order)
        quick: dict[str, Predict | None] = dict.fromkeys(splits)
        if self._quick_score is not None:
            quick = {name: quick_way(self._models[name], each) for name, each in splits.items()}
        for size in sizes:
            yield [
                self._score(name, split.first(size), quick[name]) for name, split in splits.items()
            ]

    def _model(self, predictor: Any) -> Any:
        """Return the model to fit: without its scaler, and a faster one where that is enough."""
        if not self._is_scaled(predictor):
            return predictor
        model, y = predictor[-1], self._train.y
        is_slow = isinstance(model, SVC) and len(y) >= MANY and self._quick_score is not None
        if is_slow and len(np.unique(y)) == 2:
            # SVC changes two multipliers at a time: 1600 samples of classes that overlap take it
            # 150,000 steps. LinearSVC minimizes the same loss; it also penalizes the intercept
            # and stops after 1000 sweeps, so a few predictions near the plane differ. On Madelon
            # it takes less than half of the time, and the same features are selected.
            return LinearSVC(C=model.C, loss="hinge", random_state=0)
        return model

    def _is_scaled(self, predictor: Any) -> bool:
        return self._panel.is_usual and is_scaled(predictor)

    def _cut(self, order: Array) -> dict[str, TrainTest]:
        """Return the split as each predictor gets it, with all features of the order."""
        train, test = self._train, self._test
        plain = TrainTest(train.take(order), train.y, test.take(order), test.y)
        splits = dict.fromkeys(self._models, plain)
        predictors = self._panel.predictors
        scaled = [name for name, each in predictors.items() if self._is_scaled(each)]
        if scaled:
            weights = train.weights if self._panel.is_weighted else None
            scaler = clone(predictors[scaled[0]][0]).fit(plain.X_train, None, weights)
            splits |= dict.fromkeys(scaled, plain.mapped(scaler.transform))
        if self._panel.is_weighted:
            return {name: self._weighted(name, split) for name, split in splits.items()}
        if self._quick_score is not None:
            trees = [name for name, model in self._models.items() if _is_tree(model)]
            splits |= dict.fromkeys(trees, _checked_for_trees(plain))
        return splits

    def _weighted(self, name: str, split: TrainTest) -> TrainTest:
        """Return the split with weights for all steps of a predictor and for its scorer."""
        predictor, weights = self._panel.predictors[name], self._train.weights
        keys = ["sample_weight"]
        if not self._is_scaled(predictor):  # a pipeline, or one for each output
            steps = getattr(predictor, "estimator", predictor).steps
            keys = [f"{step}__sample_weight" for step, _ in steps]
        test_weights = {"sample_weight": self._test.weights}
        return replace(split, fit_params=dict.fromkeys(keys, weights), score_params=test_weights)

    def _score(self, name: str, split: TrainTest, quick: Predict | None) -> float:
        trial = self._trials[name]
        if self._quick_score is None:
            return trial.score(split)
        predicted = None if quick is None else quick(split.X_train.shape[1])
        if predicted is None:
            with warnings.catch_warnings():
                if isinstance(self._models[name], LinearSVC):
                    warnings.simplefilter("ignore", ConvergenceWarning)
                predicted = trial.predict(split)
        return self._quick_score(split.y_test, predicted)


def _find_quick_score(
    panel: Panel, y_train: Array, y_test: Array
) -> Callable[[Array, Array], float] | None:
    """Return the default score as a plain function, or None for any other panel."""
    if not panel.is_usual or panel.is_weighted or y_train.ndim > 1:
        return None
    scorers = list(panel.scorers.values())
    if all(scorer is score_mean_recall for scorer in scorers):
        return mean_recall
    is_r2 = all(scorer is R2 for scorer in scorers)
    return r2 if is_r2 and len(y_test) > 1 and np.ptp(y_test) > 0 else None


def _is_tree(model: Any) -> bool:
    return isinstance(model, (DecisionTreeClassifier, DecisionTreeRegressor))


def _checked_for_trees(split: TrainTest) -> TrainTest:
    """Return the split in single precision, checked once for all sizes.

    A tree reports values that are too large for it, so these are left as they are.
    """
    with np.errstate(over="ignore"):
        single = split.mapped(lambda X: X.astype(np.float32))
    if np.isfinite(single.X_train).all() and np.isfinite(single.X_test).all():
        return replace(single, fit_params={"check_input": False})
    return split
