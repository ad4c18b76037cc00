"""From a table to a selection that can be kept: what the front ends call."""

from __future__ import annotations

import hashlib
import platform
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import scipy
import scipy.sparse
import sklearn
from sklearn.impute import KNNImputer, SimpleImputer

from perturbfs.arrays import Array, Block, as_blocks, fingerprint_files, is_blocks, to_dense
from perturbfs.datasets import Table
from perturbfs.evaluation import Evaluation, evaluate, make_selector
from perturbfs.scoring import default_predictors

from ._selection import Selection, describe_features, label_of
from .details._describe import describe_details
from .details._noise_study import is_quick

IMPUTERS = ("median", "knn")
# One predictor suffices to tell a user what to expect; a linear one suits few samples.
_PREDICTOR = {"classification": "svm", "regression": "ridge"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A selection, the fitted selector and what it was judged by."""

    selection: Selection
    selector: Any
    evaluation: Evaluation
    X: Array  # what the selector was fitted to: no missing values


def make_imputer(kind: str | None) -> Any:
    """The imputer of that name, or None.

    Features that are missing throughout stay, as zeros: dropping them would shift the others.
    """
    if kind is None:
        return None
    if kind == "median":
        return SimpleImputer(strategy="median", keep_empty_features=True)
    if kind == "knn":
        return KNNImputer(keep_empty_features=True)
    raise ValueError(f"The imputer {kind!r} is not known. Use one of {', '.join(IMPUTERS)}.")


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
) -> Outcome:
    """Select features of a table and estimate, without a leak, how well they predict.

    Parameters
    ----------
    table : Table
        With an outcome.
    method : str
        Name of a method.
    n_features : int or "auto"
    impute : {"median", "knn"} or None
        How to fill missing values, fitted inside every split.
    n_splits : int, default=5
        Splits of the estimate: 70 % of the samples to select and train on, 30 % to test.
    n_jobs : int or None
    random_state : int or None
    prepare : callable, optional
        Gets the selector before it is fitted to all samples, to attach progress.
    on_selected : callable, optional
        Called when it is fitted.
    on_split : callable, optional
        Called after every split of the estimate.
    **options
        Parameters of the method.

    Returns
    -------
    outcome : Outcome
    """
    task, y = outcome_of(table)
    make = partial(
        make_selector, method, n_features, task=task, random_state=random_state, **options
    )
    imputer = make_imputer(impute)
    if imputer is not None and is_blocks(table.X):
        raise ValueError(
            f"impute={impute!r} was given, but missing values are filled in tables in memory "
            "only. Fill them before, or read the table into memory."
        )
    X = table.X if imputer is None else imputer.fit_transform(table.X)
    fitted = make() if prepare is None else prepare(make())
    if "n_jobs" in fitted.get_params():
        fitted.set_params(n_jobs=n_jobs)
    fitted.fit(X, y)
    if on_selected is not None:
        on_selected()
    name = _PREDICTOR[task]
    evaluation = evaluate(
        {method: make()},  # not a clone, which would carry the progress along
        table.X,
        y,
        n_features=[n_features],
        task=task,
        predictors={name: default_predictors(task)[name]},
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
        estimate=_describe_estimate(evaluation, method, n_features, name),
    )
    return Outcome(selection, fitted, evaluation, X)


def explain_outcome(
    table: Table, outcome: Outcome, *, noise: bool | None = None
) -> dict[str, Any]:
    """What the page shows beyond the selection.

    Parameters
    ----------
    table : Table
    outcome : Outcome
        Of that table.
    noise : bool or None
        Whether to study how the choice changes with noise; None where that takes seconds.

    Returns
    -------
    details : dict
    """
    selection, (task, y) = outcome.selection, outcome_of(table)
    names = table.feature_names
    in_splits = [chosen for found in outcome.evaluation.selections.values() for chosen in found]
    return describe_details(
        outcome.selector,
        outcome.X,
        y,
        task=task,
        order=[feature.index for feature in selection.features],
        labels=[label_of(j) for j in range(outcome.X.shape[1])] if names is None else names,
        in_splits=in_splits,
        noise=is_quick(selection.method, outcome.X.shape) if noise is None else noise,
        random_state=selection.random_state,
    )


def outcome_of(table: Table) -> tuple[str, Array]:
    """Task and outcome of a table that must have one."""
    if table.y is None or table.task is None:
        raise ValueError("The table has no outcome, so there is nothing to select features for.")
    return table.task, table.y


def versions() -> dict[str, str]:
    """Versions of what takes part in a result."""
    return {
        "perturbfs": version("perturbfs"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def describe_data(table: Table, impute: str | None = None) -> dict[str, Any]:
    """What was read, in plain values."""
    n_samples, n_features = table.X.shape
    classes = None
    task, y = outcome_of(table)
    if task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        classes = {str(label): int(count) for label, count in zip(labels, counts, strict=True)}
    return {
        "n_samples": int(n_samples),
        "n_features": int(n_features),
        "n_constant": count_constant(table.X),
        "task": task,
        "target": table.target_name,
        "classes": classes,
        "n_missing": int(table.n_missing),
        "impute": impute,
        "dropped": [list(pair) for pair in table.dropped],
        "fingerprint": fingerprint(table),
    }


def count_constant(X: Array) -> int:
    """Features that have the same value in all samples where they are known."""
    return sum(found for _, found in as_blocks(X).map(_count_constant))


def _count_constant(block: Block) -> int:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN", RuntimeWarning)
        values = block.dense()
        return int(np.sum(~(np.nanmax(values, axis=0) > np.nanmin(values, axis=0))))


def fingerprint(table: Table) -> str:
    """SHA-256 of the values, the outcome and the names, whatever file they came from.

    Of a table on disk the names, sizes and times of its files stand for the values.
    """
    digest = hashlib.sha256()
    X = table.X
    if is_blocks(X):  # reading it all would take another pass
        digest.update(fingerprint_files(table.source).encode())
    else:
        for part in (X.data, X.indices, X.indptr) if scipy.sparse.issparse(X) else (X,):
            digest.update(np.ascontiguousarray(part).tobytes())
    for part in (table.y, table.feature_names):
        if part is not None:
            digest.update("\x00".join(map(str, np.asarray(part).tolist())).encode())
    return digest.hexdigest()


def _plain_parameters(selector: Any) -> dict[str, Any]:
    """Parameters that decide the result, as JSON can hold them."""
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
    stability = evaluation.stability(method, requested)
    sizes = [len(features) for features in evaluation.selections[method, requested]]
    rows = [("selected", method, requested), ("all_features", "all features", "all")]
    estimate: dict[str, Any] = {
        "metric": evaluation.metric,
        "predictor": predictor,
        "n_splits": len(sizes),
        "n_features_in_splits": sizes,
        "stability": None if np.isnan(stability) else stability,
    }
    for key, name, size in [*rows, ("guessing", "guessing", "all")]:
        if all(score.method != name for score in evaluation.scores):
            estimate[key] = None  # all features, where they do not fit into memory
            continue
        found = evaluation.estimate(name, size)
        estimate[key] = {
            "mean": found.mean,
            "low": _finite(found.low),
            "high": _finite(found.high),
        }
    return estimate


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def chosen_columns(table: Table, selection: Selection) -> Array:
    """Values of the chosen features, by rank."""
    features = [feature.index for feature in selection.features]
    if is_blocks(table.X):
        return table.X.take(np.asarray(features))
    return to_dense(table.X[:, features])
