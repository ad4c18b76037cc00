"""Predictors that judge together, all sizes of an order of features in one split."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import scipy.sparse
from sklearn.base import clone

from perturbfs.backends import Array

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
        columns = self.X[:, features]
        return columns.toarray() if scipy.sparse.issparse(columns) else columns


@dataclass(frozen=True, slots=True)
class Panel:
    """Predictors that judge together, and how each is scored."""

    predictors: Mapping[str, Any]
    scorers: Mapping[str, Any]
    is_weighted: bool = False  # whether predictors, pipelines then, and scorers get the weights
    # Whether pipelines of a scaler and a predictor share the scaling, which is that of each
    # feature alone. Scorers then see the predictor and scaled features.
    shares_scaling: bool = False

    def on_split(self, train: Samples, test: Samples) -> SplitPanel:
        """The panel at work on one split."""
        return SplitPanel(self, train, test)


@dataclass(frozen=True, slots=True)
class Columns:
    """Features of both sides of a split, best first, and the same scaled where they are needed."""

    train: Array
    test: Array
    scaled_train: Array | None
    scaled_test: Array | None


class SplitPanel:
    """Fits the predictors of a panel to the training samples of a split and scores them.

    Parameters
    ----------
    panel : Panel
    train, test : Samples
    """

    def __init__(self, panel: Panel, train: Samples, test: Samples) -> None:
        self._panel, self._train, self._test = panel, train, test
        self._is_shared = {
            name: panel.shares_scaling and is_scaled(predictor)
            for name, predictor in panel.predictors.items()
        }
        self._trials = {
            name: Trial(predictor[-1] if self._is_shared[name] else predictor, panel.scorers[name])
            for name, predictor in panel.predictors.items()
        }

    def columns(self, order: Array) -> Columns:
        """All features of an order, for `scores`."""
        train, test = self._train.take(order), self._test.take(order)
        scaled = [name for name, is_shared in self._is_shared.items() if is_shared]
        if not scaled:
            return Columns(train, test, None, None)
        weights = self._train.weights if self._panel.is_weighted else None
        scaler = clone(self._panel.predictors[scaled[0]][0]).fit(train, sample_weight=weights)
        return Columns(train, test, scaler.transform(train), scaler.transform(test))

    def scores(self, columns: Columns, size: int) -> list[float]:
        """Score of each predictor, fitted to the first features of an order."""
        weights = {"sample_weight": self._test.weights} if self._panel.is_weighted else {}
        scores = []
        for name, trial in self._trials.items():
            parts = (
                (columns.scaled_train, columns.scaled_test)
                if self._is_shared[name]
                else (columns.train, columns.test)
            )
            X_train, X_test = (part[:, :size] for part in parts if part is not None)
            params = self._fit_params(name) if self._panel.is_weighted else {}
            score = float(
                trial.score(X_train, self._train.y, X_test, self._test.y, params, weights)
            )
            if not math.isfinite(score):
                raise ValueError(
                    f"scoring returned {score} for {X_train.shape[1]} features, but every score "
                    "must be a finite number. Choose another scoring or cv."
                )
            scores.append(score)
        return scores

    def _fit_params(self, name: str) -> dict[str, Array]:
        """How to hand the weights over: to all steps of a pipeline, or of one for each output."""
        weights, predictor = self._train.weights, self._panel.predictors[name]
        if self._is_shared[name]:
            return {"sample_weight": weights}
        steps = getattr(predictor, "estimator", predictor).steps
        return {f"{step}__sample_weight": weights for step, _ in steps}
