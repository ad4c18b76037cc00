"""Score every size of an order of features on one split, by several predictors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.multioutput import MultiOutputClassifier

from perturbfs.arrays import Array, to_dense

from ._concordance import concordance
from ._groups import Split
from ._predictors import LINEAR, N_NEIGHBORS, default_predictors, resolve_estimator
from ._scorers import r2, resolve_scorer
from ._trial import TrainTest, Trial
from ._usual import WAYS, Columns


@dataclass(frozen=True, slots=True)
class Samples:
    """Features, outcome and weights of all samples."""

    X: Array
    y: Array
    weights: Array  # a sample of weight 2 counts like two samples; one of weight 0 is ignored

    @property
    def is_weighted(self) -> bool:
        """Whether some samples count more than others; a weight of 0 leaves a sample out."""
        positive = self.weights[self.weights > 0]
        return bool(np.any(positive != positive[0]))

    @property
    def n_effective(self) -> int:
        """The number of equally weighted samples that would be as informative."""
        if not self.is_weighted:
            return int(np.sum(self.weights > 0))
        return int(self.weights.sum() ** 2 / np.sum(self.weights**2))

    def used(self, rows: Array) -> Array:
        """Return the rows that have a positive weight."""
        rows = np.asarray(rows)
        return rows[self.weights[rows] > 0]

    def shares(self, rows: Array) -> Array:
        """Return the weights of some rows, scaled to the sum 1."""
        weights = self.weights[rows]
        return weights / weights.sum()


@dataclass(frozen=True, slots=True)
class Panel:
    """Predictors whose scores are averaged, and the scorer of each.

    Attributes
    ----------
    predictors, scorers : mapping of str to object
    is_weighted : bool
        Whether predictors (then pipelines) and scorers get the weights.
    is_usual : bool
        Whether predictors and scorers are the default ones, which are computed in a faster way.
    """

    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]
    is_weighted: bool = False
    is_usual: bool = False


def make_panel(
    y: Array, *, task: str, estimator: Any, scoring: Any, is_weighted: bool, n_train: int
) -> Panel:
    """Return the predictors that score on inner splits, with their scorers.

    Parameters
    ----------
    y : array of shape (n_samples,) or (n_samples, n_outputs)
    task : {"classification", "regression", "survival"}
    estimator : {"tree", "svm", "knn"}, estimator or None
        None is a tree, a linear model and three neighbors together, or a Cox model with a ridge
        penalty for a survival.
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
    is_default = scoring is None and estimator is None
    return Panel(
        predictors,
        {
            name: resolve_scorer(scoring, predictor, task=task)
            for name, predictor in predictors.items()
        },
        is_weighted=is_weighted and is_default,
        is_usual=is_default and not is_weighted and y.ndim == 1,
    )


def _default_panel(y: Array, task: str, *, is_weighted: bool, n_train: int) -> dict[str, Any]:
    predictors = default_predictors(task)
    if is_weighted:
        predictors = {LINEAR[task]: predictors[LINEAR[task]]}
    elif task != "survival":
        predictors["3nn"][-1].set_params(n_neighbors=min(N_NEIGHBORS, n_train))
    if task == "classification" and y.ndim == 2:
        # The SVM takes one output only, so one is fitted to each.
        predictors["svm"] = MultiOutputClassifier(predictors["svm"])
    return predictors


class SplitPanel:
    """Fit the predictors of a panel to the training samples of a split and score them.

    Parameters
    ----------
    panel : Panel
    samples : Samples
    split : (train, test)
    task : {"classification", "regression", "survival"}
    """

    def __init__(self, panel: Panel, samples: Samples, split: Split, *, task: str) -> None:
        self._panel, self._samples, self._task = panel, samples, task
        self._train, self._test = (samples.used(rows) for rows in split)
        y_test = samples.y[self._test]
        # R^2 of a quantity that does not vary is reported by its scorer.
        varies = task != "regression" or (len(y_test) > 1 and bool(np.ptp(y_test) > 0))
        self._is_usual = panel.is_usual and varies

    def scores(self, order: Array, sizes: Sequence[int]) -> Iterator[list[float]]:
        """Yield the scores of the predictors on the first features of an order.

        Parameters
        ----------
        order : array of int
        sizes : sequence of int
            Growing.
        """
        columns = to_dense(self._samples.X[:, order[: sizes[-1]]])
        score = self._usual_scores if self._is_usual else self._trial_scores
        yield from score(columns[self._train], columns[self._test], sizes)

    def _usual_scores(
        self, train: Array, test: Array, sizes: Sequence[int]
    ) -> Iterator[list[float]]:
        y_train, y_test = self._samples.y[self._train], self._samples.y[self._test]
        if self._task == "classification":
            classes, codes = np.unique(y_train, return_inverse=True)
            columns = Columns.of(train, test, codes.astype(np.float64), len(classes))
            score = _recall_of(y_test, classes)
        elif self._task == "survival":
            columns = Columns.of(train, test, y_train, None)
            score = partial(concordance, y_test)
        else:
            columns = Columns.of(train, test, y_train.astype(np.float64), None)
            score = _r2_of(y_test)
        ways = [WAYS[name](columns) for name in self._panel.predictors]
        for size in sizes:
            yield [score(predict(size)) for predict in ways]

    def _trial_scores(
        self, train: Array, test: Array, sizes: Sequence[int]
    ) -> Iterator[list[float]]:
        y, panel = self._samples.y, self._panel
        split = TrainTest(train, y[self._train], test, y[self._test])
        trials = {
            name: (Trial(each, panel.scorers[name]), self._weights(each))
            for name, each in panel.predictors.items()
        }
        for size in sizes:
            part = split.first(size)
            yield [trial.score(part.with_params(*params)) for trial, params in trials.values()]

    def _weights(self, predictor: Any) -> tuple[dict[str, Array], dict[str, Array]]:
        """Return the weights for all steps of a predictor, and for its scorer."""
        if not self._panel.is_weighted:
            return {}, {}
        weights = self._samples.weights
        return _by_step(predictor, weights[self._train]), {"sample_weight": weights[self._test]}


def fit_predictor(panel: Panel, samples: Samples, features: Array) -> Any:
    """Fit the predictor of a panel, of several the linear one, to some features of all samples.

    Parameters
    ----------
    panel : Panel
    samples : Samples
    features : array of int

    Returns
    -------
    predictor : fitted predictor
    """
    name = next(each for each in ("estimator", "svm", "ridge", "cox") if each in panel.predictors)
    rows = samples.used(np.arange(len(samples.y)))
    columns = to_dense(samples.X[:, features])[rows]
    predictor = clone(panel.predictors[name])
    weights = _by_step(predictor, samples.weights[rows]) if panel.is_weighted else {}
    return predictor.fit(columns, samples.y[rows], **weights)


def _by_step(predictor: Any, weights: Array) -> dict[str, Array]:
    """Return the weights under the name that each step of a pipeline knows them by."""
    steps = getattr(predictor, "estimator", predictor).steps  # one pipeline for each output
    return dict.fromkeys([f"{step}__sample_weight" for step, _ in steps], weights)


def _recall_of(y_test: Array, classes: Array) -> Callable[[Array], float]:
    """Return the function from predicted codes to `mean_recall`."""
    found, position = np.unique(y_test, return_inverse=True)
    counts = np.bincount(position)
    # A class that was not trained on has a code that is never predicted.
    code = np.searchsorted(classes, found)
    is_known = classes[np.minimum(code, len(classes) - 1)] == found
    expected = np.where(is_known, code, -1)[position]

    def score(predicted: Array) -> float:
        hits = np.bincount(position, weights=predicted == expected, minlength=len(counts))
        return float(np.mean(hits / counts))

    return score


def _r2_of(y_test: Array) -> Callable[[Array], float]:
    return lambda predicted: r2(y_test, predicted)
