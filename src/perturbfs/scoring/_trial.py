"""Fit a predictor on some rows and score it on others: the one place that does so."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from perturbfs.arrays import Array

_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True, slots=True)
class TrainTest:
    """Features and outcome on both sides of a split, with parameters for `fit` and the scorer."""

    X_train: Array
    y_train: Array
    X_test: Array
    y_test: Array
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    score_params: Mapping[str, Any] = field(default_factory=dict)

    def take(self, features: Array) -> TrainTest:
        """Return the same split with some of the features."""
        # `take` keeps the rows contiguous in memory; indexing does not, which slows neighbors.
        return self.mapped(lambda X: X.take(features, axis=1))

    def first(self, n_features: int) -> TrainTest:
        """Return the same split with the first features."""
        return self.mapped(lambda X: X[:, :n_features])

    def with_params(
        self, fit_params: Mapping[str, Any], score_params: Mapping[str, Any]
    ) -> TrainTest:
        """Return the same split with parameters for `fit` and the scorer."""
        return replace(self, fit_params=fit_params, score_params=score_params)

    def mapped(self, function: Callable[[Array], Array]) -> TrainTest:
        """Return the same split with the features of both sides changed by a function."""
        return replace(self, X_train=function(self.X_train), X_test=function(self.X_test))


class Trial:
    """Fit fresh copies of an estimator, and predict or score with them.

    For a few dozen rows, the checks of parameters and values take longer than the fit. Estimators
    of scikit-learn with plain parameters, and pipelines of a scaler and such an estimator, are
    therefore checked in the first fit only. All later fits must use columns of the same finite
    table. Any other estimator is cloned and checked every time.

    Parameters
    ----------
    estimator : estimator
        Never fitted itself.
    scorer : callable, optional
        Maps a fitted estimator, features and outcome to a number. Only `score` needs it.
    """

    def __init__(self, estimator: Any, scorer: Any = None) -> None:
        self._prototype = clone(estimator)
        self._scorer = scorer
        self._is_known = _is_plain(estimator) or (
            is_scaled(estimator) and _is_plain(estimator[-1])
        )
        self._is_checked = False
        # A shallow copy shares the parameters, which is safe for plain values.
        self._copy: Callable[[Any], Any] = copy.copy if _is_plain(estimator) else clone

    def score(self, split: TrainTest) -> float:
        """Return the score on the test rows of a copy fitted to the training rows."""
        score = float(
            self._after_fit(
                split,
                lambda model: self._scorer(
                    model, split.X_test, split.y_test, **split.score_params
                ),
            )
        )
        if not math.isfinite(score):
            name = type(self._prototype).__name__
            raise ValueError(
                f"scoring returned {score} for {name} with {split.X_test.shape[1]} features on "
                f"{split.X_test.shape[0]} test samples, but every score must be a finite number. "
                "Choose another scoring, or splits with more test samples."
            )
        return score

    def predict_and_decide(self, split: TrainTest) -> tuple[Array, Array | None]:
        """Return predictions for the test rows, and decision values where the model has them."""
        found: tuple[Array, Array | None] = self._after_fit(
            split,
            lambda model: (
                model.predict(split.X_test),
                model.decision_function(split.X_test)
                if hasattr(model, "decision_function")
                else None,
            ),
        )
        return found

    def predict(self, split: TrainTest) -> Array:
        """Return the predictions for the test rows of a copy fitted to the training rows."""
        predicted: Array = self._after_fit(split, lambda model: model.predict(split.X_test))
        return predicted

    def _after_fit(self, split: TrainTest, use: Callable[[Any], Any]) -> Any:
        model = self._copy(self._prototype)
        is_checked = self._is_checked
        self._is_checked = self._is_known
        with config_context(
            assume_finite=is_checked or None, skip_parameter_validation=is_checked or None
        ):
            model.fit(split.X_train, split.y_train, **split.fit_params)
            return use(model)


def _is_plain(estimator: Any) -> bool:
    is_own = type(estimator).__module__.partition(".")[0] == "sklearn"
    return is_own and all(
        isinstance(value, _PLAIN) for value in estimator.get_params(deep=False).values()
    )


def is_scaled(estimator: Any) -> bool:
    """Return whether an estimator is a pipeline of a standard scaler and one more step."""
    steps = [step for _, step in estimator.steps] if isinstance(estimator, Pipeline) else []
    return len(steps) == 2 and isinstance(steps[0], StandardScaler)
