"""One fit and one score of a small table, without what scikit-learn does around them each time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from perturbfs.arrays import Array

_PLAIN = (bool, int, float, str, type(None))


class Trial:
    """Fits fresh copies of an estimator to checked data, and scores them.

    For a table of a few dozen rows, checking parameters and values takes longer than a fit.
    scikit-learn's own estimators with plain parameters, and pipelines of them after a scaler, are
    checked in the first fit; the later ones, of the same parameters and of columns of the same
    finite table, do without. Anything else is cloned and checked every time, as it may make
    values that are not finite.

    Parameters
    ----------
    estimator : estimator
        Not fitted; it never is.
    scorer : callable
        From a fitted estimator, features and outcome to a number.
    """

    def __init__(self, estimator: Any, scorer: Any) -> None:
        self._prototype = clone(estimator)
        self._scorer = scorer
        self._is_known = _is_plain(estimator) or (
            is_scaled(estimator) and _is_plain(estimator[-1])
        )
        self._is_checked = False
        # A shallow copy shares parameters, which plain ones cannot mind.
        self._copy: Callable[[Any], Any] = copy.copy if _is_plain(estimator) else clone

    def score(
        self,
        X_train: Array,
        y_train: Array,
        X_test: Array,
        y_test: Array,
        fit_params: dict[str, Any],
        score_params: dict[str, Any],
    ) -> Any:
        """Score on one part of a copy fitted to another."""
        model = self._copy(self._prototype)
        is_checked = self._is_checked
        self._is_checked = self._is_known
        with config_context(
            assume_finite=is_checked or None, skip_parameter_validation=is_checked or None
        ):
            model.fit(X_train, y_train, **fit_params)
            return self._scorer(model, X_test, y_test, **score_params)


def _is_plain(estimator: Any) -> bool:
    is_own = type(estimator).__module__.partition(".")[0] == "sklearn"
    return is_own and all(
        isinstance(value, _PLAIN) for value in estimator.get_params(deep=False).values()
    )


def is_scaled(estimator: Any) -> bool:
    """Whether it is a pipeline of a scaler and one more step."""
    steps = [step for _, step in estimator.steps] if isinstance(estimator, Pipeline) else []
    return len(steps) == 2 and isinstance(steps[0], StandardScaler)
