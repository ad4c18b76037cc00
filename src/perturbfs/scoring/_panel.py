"""Predictors that judge together, all sizes of an order of features in one split."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from perturbfs.arrays import Array, to_dense

from ._inner import R2, mean_recall, r2, score_mean_recall
from ._quick import Predict, quick_way
from ._trial import Trial, is_scaled


@dataclass(frozen=True, slots=True)
class Samples:
    """Features, outcome and weights, all of them or those of one side of a split."""

    X: Array
    y: Array
    weights: Array  # a sample of weight 2 counts like two samples, one of weight 0 not at all

    def part(self, rows: Array) -> Samples:
        """Those of these samples that have a weight."""
        rows = rows[self.weights[rows] > 0]
        return Samples(self.X[rows], self.y[rows], self.weights[rows])

    def take(self, features: Array) -> Array:
        """The named features as a dense array."""
        return to_dense(self.X[:, features])


@dataclass(frozen=True, slots=True)
class Panel:
    """Predictors that judge together, and how each is scored."""

    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]
    is_weighted: bool = False  # whether predictors, pipelines then, and scorers get the weights
    # Whether the predictors are the usual ones: pipelines of a scaler and a model, or models,
    # with a quick way where there is one. Scorers may then see the model and scaled features.
    is_usual: bool = False

    def on_split(self, train: Samples, test: Samples) -> SplitPanel:
        """The panel at work on one split."""
        return SplitPanel(self, train, test)


class SplitPanel:
    """Fits the predictors of a panel to the training samples of a split and scores them.

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
        """Score of each predictor by the first features of an order, for growing sizes."""
        parts = self._cut(order)
        quick = self._quick_ways(parts)
        for size in sizes:
            scores = []
            for name, trial in self._trials.items():
                predicted = quick[name](size) if name in quick else None
                score = (
                    self._try(name, trial, *(part[:, :size] for part in parts[name]))
                    if predicted is None or self._quick_score is None
                    else self._quick_score(self._test.y, predicted)
                )
                if not math.isfinite(score):
                    raise ValueError(
                        f"scoring returned {score} for {size} features, but every score must be a "
                        "finite number. Choose another scoring or cv."
                    )
                scores.append(score)
            yield scores

    def _cut(self, order: Array) -> dict[str, tuple[Array, Array]]:
        """Features of both sides of the split for each predictor, scaled once for all of them."""
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
        """The usual score as a plain function; None where the panel is not the usual one."""
        panel, y = self._panel, self._test.y
        if not panel.is_usual or panel.is_weighted or self._train.y.ndim > 1:
            return None
        scorers = list(panel.scorers.values())
        if all(scorer is score_mean_recall for scorer in scorers):
            return mean_recall
        is_r2 = all(scorer is R2 for scorer in scorers)
        return r2 if is_r2 and len(y) > 1 and np.ptp(y) > 0 else None

    def _try(self, name: str, trial: Trial, X_train: Array, X_test: Array) -> float:
        train, test = self._train, self._test
        if not self._panel.is_weighted:
            return float(trial.score(X_train, train.y, X_test, test.y, {}, {}))
        weights = {"sample_weight": test.weights}
        return float(
            trial.score(X_train, train.y, X_test, test.y, self._fit_params(name), weights)
        )

    def _fit_params(self, name: str) -> dict[str, Array]:
        """How to hand the weights over: to all steps of a pipeline, or of one for each output."""
        weights, predictor = self._train.weights, self._panel.predictors[name]
        if self._is_scaled[name]:
            return {"sample_weight": weights}
        steps = getattr(predictor, "estimator", predictor).steps
        return {f"{step}__sample_weight": weights for step, _ in steps}
