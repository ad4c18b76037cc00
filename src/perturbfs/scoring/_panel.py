"""Several predictors that score every size of an order of features in one split."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.multioutput import MultiOutputClassifier

from perturbfs.arrays import Array, to_dense

from ._predictors import default_predictors, resolve_estimator
from ._quick import Predict, quick_way
from ._scorers import R2, mean_recall, r2, resolve_scorer, score_mean_recall
from ._trial import TrainTest, Trial, is_scaled


@dataclass(frozen=True, slots=True)
class Samples:
    """Features, outcome and weights, all of them or those of one side of a split."""

    X: Array
    y: Array
    weights: Array  # a sample of weight 2 counts like two samples, one of weight 0 not at all

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
    """Return the panel that judges on inner splits.

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
        self._is_scaled = {
            name: panel.is_usual and is_scaled(predictor)
            for name, predictor in panel.predictors.items()
        }
        self._models = {
            name: predictor[-1] if self._is_scaled[name] else predictor
            for name, predictor in panel.predictors.items()
        }
        self._trials = {
            name: Trial(model, panel.scorers[name]) for name, model in self._models.items()
        }
        self._quick_score = self._find_quick_score()

    def scores(self, order: Array, sizes: Sequence[int]) -> Iterator[list[float]]:
        """Yield the scores of the predictors on the first features of an order, per size."""
        parts = self._cut(order)
        quick = self._quick_ways(parts)
        for size in sizes:
            scores = []
            for name, trial in self._trials.items():
                predicted = quick[name](size) if name in quick else None
                if predicted is None or self._quick_score is None:
                    scores.append(trial.score(self._first(parts[name], size, name)))
                else:
                    scores.append(self._quick_score(self._test.y, predicted))
            yield scores

    def _cut(self, order: Array) -> dict[str, tuple[Array, Array]]:
        """Return both sides of the split for each predictor, scaled once for all of them."""
        plain = self._train.take(order), self._test.take(order)
        parts = dict.fromkeys(self._models, plain)
        scaled = [name for name, is_scaled in self._is_scaled.items() if is_scaled]
        if scaled:
            weights = self._train.weights if self._panel.is_weighted else None
            scaler = clone(self._panel.predictors[scaled[0]][0]).fit(plain[0], None, weights)
            parts |= dict.fromkeys(scaled, tuple(scaler.transform(part) for part in plain))
        return parts

    def _quick_ways(self, parts: dict[str, tuple[Array, Array]]) -> dict[str, Predict]:
        if self._quick_score is None:
            return {}
        ways = {
            name: quick_way(model, parts[name][0], self._train.y, parts[name][1])
            for name, model in self._models.items()
        }
        return {name: way for name, way in ways.items() if way is not None}

    def _find_quick_score(self) -> Callable[[Array, Array], float] | None:
        """Return the default score as a plain function, or None for any other panel."""
        panel, y = self._panel, self._test.y
        if not panel.is_usual or panel.is_weighted or self._train.y.ndim > 1:
            return None
        scorers = list(panel.scorers.values())
        if all(scorer is score_mean_recall for scorer in scorers):
            return mean_recall
        is_r2 = all(scorer is R2 for scorer in scorers)
        return r2 if is_r2 and len(y) > 1 and np.ptp(y) > 0 else None

    def _first(self, parts: tuple[Array, Array], size: int, name: str) -> TrainTest:
        """Return the split with the first features of the order."""
        X_train, X_test = (part[:, :size] for part in parts)
        split = TrainTest(X_train, self._train.y, X_test, self._test.y)
        if not self._panel.is_weighted:
            return split
        weights = {"sample_weight": self._test.weights}
        return replace(split, fit_params=self._fit_params(name), score_params=weights)

    def _fit_params(self, name: str) -> dict[str, Array]:
        """Return the weights for all steps of a pipeline, or of the pipeline of each output."""
        weights, predictor = self._train.weights, self._panel.predictors[name]
        if self._is_scaled[name]:
            return {"sample_weight": weights}
        steps = getattr(predictor, "estimator", predictor).steps
        return {f"{step}__sample_weight": weights for step, _ in steps}
