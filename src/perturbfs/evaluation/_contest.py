"""One split: every method selects on the training rows and is scored on the test rows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from perturbfs.arrays import Array, SampleBlocks, is_blocks, to_dense
from perturbfs.scoring import (
    TrainTest,
    Trial,
    dummy_predictor,
)

from ._results import ALL_FEATURES, GUESSING, Refusal, Score

Key = tuple[str, int | str]


@dataclass(frozen=True, slots=True)
class Round:
    """Scores, selections and refusals of one split."""

    scores: list[Score] = field(default_factory=list)
    chosen: dict[Key, Array] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)

    def add(
        self,
        scores: Mapping[str, float],
        method: str,
        size: int | str,
        n_used: int,
        split: int,
        seconds: float = 0.0,
    ) -> None:
        """Add the score of each predictor for a method."""
        for predictor, score in scores.items():
            row = Score(method, size, n_used, predictor, split, score, seconds)
            self.scores.append(row)


@dataclass(frozen=True, slots=True)
class Contest:
    """Data, selectors and predictors, the same for every split."""

    X: Array
    y: Array
    asked: Sequence[tuple[str, int | str, Any]]
    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]  # one per predictor
    imputer: Any
    task: str
    seed: int

    def play(self, split: int, train: Array, test: Array) -> Round:
        """Return the scores and selected features of all methods on one split."""
        X_train, X_test = _samples(self.X, train), _samples(self.X, test)
        if self.imputer is not None:
            imputer = clone(self.imputer).fit(X_train)
            X_train, X_test = imputer.transform(X_train), imputer.transform(X_test)
        if is_blocks(self.X):
            train, test = np.sort(train), np.sort(test)  # blocks keep their samples in order
        y_train, y_test = self.y[train], self.y[test]

        def judge(predictors: Mapping[str, Any], features: Any) -> dict[str, float]:
            columns = _columns(X_train, features), _columns(X_test, features)
            sides = TrainTest(columns[0], y_train, columns[1], y_test)
            return {
                name: Trial(each, self.scorers[name]).score(sides)
                for name, each in predictors.items()
            }

        found, guess = Round(), dummy_predictor(self.task)
        for method, size, selector in self.asked:
            start = time.perf_counter()
            try:
                fitted = self._seeded(selector, split).fit(X_train, y_train)
            except ValueError as error:  # the method cannot select as asked on these rows
                found.refusals.append(Refusal(method, size, split, str(error)))
                continue
            features = fitted.get_support(indices=True)
            seconds = time.perf_counter() - start
            found.chosen[method, size] = features
            judges = self.predictors if len(features) else dict.fromkeys(self.predictors, guess)
            scores = judge(judges, features)
            found.add(scores, method, size, len(features), split, seconds)
        if not is_blocks(self.X):  # a table on disk may not fit into memory
            everything = judge(self.predictors, slice(None))
            found.add(everything, ALL_FEATURES, "all", self.X.shape[1], split)
        found.add(judge({"dummy": guess}, slice(0)), GUESSING, "all", 0, split)
        return found

    def _seeded(self, selector: Any, split: int) -> Any:
        selector = clone(selector)
        if "random_state" in selector.get_params(deep=False):
            selector.set_params(random_state=(self.seed + split) % 2**31)
        return selector


def _samples(X: Array, samples: Array) -> Array:
    return SampleBlocks(X, np.sort(samples)) if is_blocks(X) else X[samples]


def _columns(X: Array, features: Any) -> Array:
    """Return features as a dense array, because predictors center them."""
    if is_blocks(X):
        return X.take(np.arange(X.shape[1])[features])
    return to_dense(X[:, features])
