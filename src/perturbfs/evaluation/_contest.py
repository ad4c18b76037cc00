"""One split: every method selects on the training rows and is scored on the test rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from perturbfs.arrays import Array, SampleBlocks, is_blocks, to_dense
from perturbfs.checks import twins_once
from perturbfs.scoring import TrainTest, Trial, dummy_predictor, fit_selector

from ._batch import Batches
from ._results import ALL_FEATURES, GUESSING, Prediction, Refusal, Score

Asked = Sequence[tuple[str, int | str, Any]]  # method, number of features, selector
N_DRAWS = 5  # of random features; their mean score is less noisy than that of one draw
MANY_SAMPLES = 1000  # with more of them one draw must do, because predictors take long


@dataclass(frozen=True, slots=True)
class Round:
    """Scores, selections, predictions and refusals of one split.

    `random` has the score of random features by their number and by predictor.
    """

    scores: list[Score] = field(default_factory=list)
    chosen: dict[tuple[str, int | str], Array] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    random: dict[int, dict[str, float]] = field(default_factory=dict)
    predictions: dict[tuple[str, int | str], Prediction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contest:
    """Selectors and predictors, the same for every split."""

    asked: Asked
    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]  # one per predictor, and "dummy"
    imputer: Any
    task: str
    seed: int
    groups: Array | None = None
    keeps_predictions: bool = False
    batches: Batches | None = None
    trains_on_all: bool = True

    @twins_once(was_given=True)
    def play(self, X: Array, y: Array, split: int, train: Array, test: Array) -> Round:
        """Return the scores and selected features of all methods on one split."""
        if is_blocks(X):  # blocks keep their samples in order
            train, test = np.sort(train), np.sort(test)
        sides = self._sides(X, y, train, test)
        groups = None if self.groups is None else self.groups[train]
        found, guess = Round(), dummy_predictor(self.task)
        for method, size, selector in self.asked:
            self._play_one(found, sides, (method, size), selector, split, test, groups)
        rng = np.random.default_rng([self.seed, split])
        for n_features in sorted({len(features) for features in found.chosen.values()}):
            found.random[n_features] = self._random_scores(sides, n_features, rng)
        # A table on disk may not fit into memory.
        if self.trains_on_all and not is_blocks(X):
            for name, score in self._scores(sides, self.predictors, slice(None)):
                row = Score(ALL_FEATURES, "all", X.shape[1], name, split, score, 0.0)
                found.scores.append(row)
        for name, score in self._scores(sides, {"dummy": guess}, slice(0)):
            found.scores.append(Score(GUESSING, "all", 0, name, split, score, 0.0))
        if self.batches is not None:
            found.scores.append(self.batches.score(y, split, train, test))
        return found

    def _play_one(
        self,
        found: Round,
        sides: TrainTest,
        asked: tuple[str, int | str],
        selector: Any,
        split: int,
        test: Array,
        groups: Array | None,
    ) -> None:
        """Add the features and the scores of one method, or its refusal."""
        start = time.perf_counter()
        try:
            seeded = self._seeded(selector, split)
            fitted = fit_selector(
                seeded, sides.X_train, sides.y_train, task=self.task, groups=groups
            )
        except ValueError as error:  # the method cannot select as asked on these rows
            found.refusals.append(Refusal(*asked, split, str(error)))
            return
        features = fitted.get_support(indices=True)
        seconds = time.perf_counter() - start
        found.chosen[asked] = features
        guess = dummy_predictor(self.task)
        judges = self.predictors if len(features) else dict.fromkeys(self.predictors, guess)
        for name, score in self._scores(sides, judges, features):
            found.scores.append(Score(*asked, len(features), name, split, score, seconds))
        if self.keeps_predictions:
            first = next(iter(judges.values()))
            found.predictions[asked] = self._prediction(sides, first, features, test)

    def _sides(self, X: Array, y: Array, train: Array, test: Array) -> TrainTest:
        """Return both sides of the split, centered within batches and with values imputed."""
        if is_blocks(X):
            X_train, X_test = SampleBlocks(X, train), SampleBlocks(X, test)
        else:
            X_train, X_test = X[train], X[test]
        sides = TrainTest(X_train, y[train], X_test, y[test])
        if self.batches is not None:
            sides = self.batches.centered(sides, train, test)
        if self.imputer is None:
            return sides
        return sides.mapped(clone(self.imputer).fit(sides.X_train).transform)

    def _scores(
        self, sides: TrainTest, predictors: Mapping[str, Any], features: Any
    ) -> Iterator[tuple[str, float]]:
        """Yield the score of each predictor on some of the features."""
        part = sides.mapped(lambda X: _columns(X, features))
        for name, each in predictors.items():
            yield name, Trial(each, self.scorers[name]).score(part)

    def _random_scores(
        self, sides: TrainTest, n_features: int, rng: np.random.Generator
    ) -> dict[str, float]:
        """Return the mean score of each predictor on some draws of random features."""
        if n_features == 0:
            judges = dict.fromkeys(self.predictors, dummy_predictor(self.task))
            return dict(self._scores(sides, judges, slice(0)))
        is_large = is_blocks(sides.X_train) or len(sides.y_train) > MANY_SAMPLES
        n_all, totals = sides.X_train.shape[1], dict.fromkeys(self.predictors, 0.0)
        n_draws = 1 if is_large else N_DRAWS
        for _ in range(n_draws):
            features = np.sort(rng.choice(n_all, n_features, replace=False))
            for name, score in self._scores(sides, self.predictors, features):
                totals[name] += score / n_draws
        return totals

    def _prediction(
        self, sides: TrainTest, predictor: Any, features: Array, test: Array
    ) -> Prediction:
        part = sides.mapped(lambda X: _columns(X, features))
        return Prediction(np.asarray(test), *Trial(predictor).predict_and_decide(part))

    def _seeded(self, selector: Any, split: int) -> Any:
        selector = clone(selector)
        if "random_state" in selector.get_params(deep=False):
            selector.set_params(random_state=(self.seed + split) % 2**31)
        return selector


def _columns(X: Array, features: Any) -> Array:
    """Return features as a dense array, because predictors center them."""
    if is_blocks(X):
        return X.take(np.arange(X.shape[1])[features])
    return to_dense(X[:, features])
