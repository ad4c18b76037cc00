"""Select features of a table and estimate how well the selection predicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from perturbfs.arrays import Array, is_blocks
from perturbfs.datasets import Table
from perturbfs.evaluation import Estimate, Evaluation, evaluate, make_selector
from perturbfs.scoring import default_predictors

from ._data import chosen_columns, describe_data, make_imputer, outcome_of, versions
from ._match import with_medians
from ._selection import Selection, describe_features

# One predictor is enough to tell users what to expect; a linear one suits few samples.
_PREDICTOR = {"classification": "svm", "regression": "ridge"}
ALL_FEATURES, GUESSING = "all features", "guessing"  # as `evaluate` calls them


@dataclass(frozen=True, slots=True)
class SelectionResult:
    """A selection, the fitted selector and the evaluation behind the estimate.

    Attributes
    ----------
    selection : Selection
    selector : fitted selector
    evaluation : Evaluation
    X : array
        The values that the selector was fitted to, with missing values filled.
    """

    selection: Selection
    selector: Any
    evaluation: Evaluation
    X: Array


def select_features(
    table: Table,
    *,
    method: str,
    n_features: int | str = "auto",
    impute: str | None = None,
    n_splits: int = 5,
    n_jobs: int | None = None,
    random_state: int | None = 0,
    prepare: Callable[[Any], Any] | None = None,
    on_selected: Callable[[], None] | None = None,
    on_split: Callable[[], None] | None = None,
    **options: Any,
) -> SelectionResult:
    """Select features of a table and estimate, without a leak, how well they predict.

    Parameters
    ----------
    table : Table
        With an outcome.
    method : str
        Name of a method.
    n_features : int or "auto"
    impute : {"median", "knn"} or None
        How to fill missing values. The imputer is fitted inside every split.
    n_splits : int, default=5
        Number of splits of the estimate: 70 % of the samples to select and train on, 30 % to
        test.
    n_jobs : int or None
    random_state : int or None
    prepare : callable, optional
        Called with the selector before it is fitted to all samples; returns the selector to
        fit, for example with a progress bar.
    on_selected : callable, optional
        Called after the selector is fitted.
    on_split : callable, optional
        Called after every split of the estimate.
    **options
        Parameters of the method.

    Returns
    -------
    result : SelectionResult
    """
    task, y = outcome_of(table)
    make = partial(
        make_selector, method, n_features, task=task, random_state=random_state, **options
    )
    imputer = make_imputer(impute)
    if imputer is not None and is_blocks(table.X):
        raise ValueError(
            f"impute={impute!r} was given, but missing values can only be filled in a table in "
            "memory. Fill them before, or read the table into memory."
        )
    X = table.X if imputer is None else imputer.fit_transform(table.X)
    fitted = make() if prepare is None else prepare(make())
    if "n_jobs" in fitted.get_params():
        fitted.set_params(n_jobs=n_jobs)
    fitted.fit(X, y)
    if on_selected is not None:
        on_selected()
    predictor = _PREDICTOR[task]
    evaluation = evaluate(
        {method: make()},  # not a clone, which would copy the progress bar
        table.X,
        y,
        n_features=[n_features],
        task=task,
        predictors={predictor: default_predictors(task)[predictor]},
        imputer=make_imputer(impute),
        n_splits=n_splits,
        random_state=random_state,
        n_jobs=n_jobs,
        on_split=on_split,
    )
    selection = Selection(
        method=method,
        parameters=_plain_parameters(fitted),
        random_state=random_state,
        versions=versions(),
        data=describe_data(table, impute),
        features=describe_features(fitted, table.feature_names),
        estimate=_describe_estimate(evaluation, method, n_features, predictor),
    )
    columns = chosen_columns(table, selection)
    selection = replace(selection, features=with_medians(selection.features, columns))
    return SelectionResult(selection, fitted, evaluation, X)


def _plain_parameters(selector: Any) -> dict[str, Any]:
    """Return the parameters that influence the result, as values that JSON can hold."""
    parameters = selector.get_params(deep=False)
    for name in ("n_jobs", "verbose", "random_state"):
        parameters.pop(name, None)
    return {
        name: value if isinstance(value, (str, int, float, type(None))) else repr(value)
        for name, value in sorted(parameters.items())
    }


def _describe_estimate(
    evaluation: Evaluation, method: str, requested: int | str, predictor: str
) -> dict[str, Any]:
    sizes = [len(features) for features in evaluation.selections[method, requested]]
    # All features are not scored if they do not fit into memory.
    has_all = any(score.method == ALL_FEATURES for score in evaluation.scores)
    return {
        "metric": evaluation.metric,
        "predictor": predictor,
        "n_splits": len(sizes),
        "n_features_in_splits": sizes,
        "stability": _finite(evaluation.stability(method, requested)),
        "selected": _interval(evaluation.estimate(method, requested)),
        "all_features": _interval(evaluation.estimate(ALL_FEATURES, "all")) if has_all else None,
        "guessing": _interval(evaluation.estimate(GUESSING, "all")),
    }


def _interval(estimate: Estimate) -> dict[str, float | None]:
    return {
        "mean": estimate.mean,
        "low": _finite(estimate.low),
        "high": _finite(estimate.high),
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
