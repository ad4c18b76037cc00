"""Select features of a table and estimate how well the selection predicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import scipy.sparse
from joblib import effective_n_jobs

from perturbfs._support.names import Size
from perturbfs._support.progress import following
from perturbfs.arrays import Array, is_blocks
from perturbfs.checks import choice_order, twins_once, warn_of_twins
from perturbfs.datasets import Table
from perturbfs.evaluation import Estimate, Evaluation, evaluate, make_selector
from perturbfs.scoring import (
    LINEAR,
    BatchCenterer,
    check_centerable,
    check_enough,
    default_predictors,
    fit_selector,
)

from ._batch import describe_batch_alone
from ._copies import find_copies
from ._data import (
    chosen_columns,
    describe_batches,
    describe_data,
    describe_group_sizes,
    describe_origins,
    keep_batch,
    keep_samples,
    make_imputer,
    outcome_of,
    take_features,
    versions,
)
from ._match import with_medians
from ._selection import SelectedFeature, Selection, describe_features
from ._verdict import describe_planned, finite, verdict_sentence

MOST_DENSE_BYTES = 2**28  # of a sparse matrix that is made dense to train on all features
FEW_SAMPLES = 200  # below, more splits make the interval narrower and cost little


@dataclass(frozen=True, slots=True)
class SelectionResult:
    """A selection, the fitted selector and the evaluation behind the estimate.

    Attributes
    ----------
    selection : Selection
    selector : fitted selector
    evaluation : Evaluation
    X : array
        The values that the selector was fitted to: with missing values filled, and centered
        within batches if there are any.
    table : Table
        The samples that took part.
    groups : array of shape (n_samples,) or None
        Their groups.
    """

    selection: Selection
    selector: Any
    evaluation: Evaluation
    X: Array
    table: Table
    groups: Array | None = None


def default_splits(n_samples: int) -> int:
    """Return the number of splits of the estimate: ten below 200 samples, else five."""
    return 10 if n_samples < FEW_SAMPLES else 5


@twins_once()
def select_features(
    table: Table,
    *,
    method: str,
    n_features: Size = "auto",
    groups: Array | None = None,
    groups_name: str | None = None,
    batch: Array | None = None,
    batch_name: str | None = None,
    min_class_size: int | None = None,
    impute: str | None = None,
    n_splits: int | None = None,
    n_jobs: int | None = None,
    random_state: int | None = 0,
    prepare: Callable[[Any], Any] | None = None,
    on_selected: Callable[[tuple[SelectedFeature, ...]], None] | None = None,
    on_share: Callable[[float], None] | None = None,
    on_split: Callable[[], None] | None = None,
    findings: Sequence[Any] = (),
    source_name: str | None = None,
    **options: Any,
) -> SelectionResult:
    """Select features of a table and estimate, without a leak, how well they predict.

    Parameters
    ----------
    table : Table
        With an outcome. If it is sparse and would take more than 256 MB if it were dense, no
        predictor is trained on all features for comparison.
    method : str
        Name of a method.
    n_features : int or "auto"
    groups : array of shape (n_samples,), optional
        For example patients: all samples of a group are on the same side of every split, of
        the inner ones too. Without groups, samples must be independent.
    groups_name : str, optional
        What the groups are, for the description of the data.
    batch : array of shape (n_samples,), optional
        For example plates or sites: features are centered within batches, with the means of the
        training samples of each split, and the batch alone is scored as a predictor, see
        `perturbfs.evaluate`. The table must be dense and in memory.
    batch_name : str, optional
        What the batches are, for the description of the data.
    min_class_size : int, optional
        Classes with fewer samples are left out.
    impute : {"median", "knn"} or None
        How to fill missing values. The imputer is fitted inside every split.
    n_splits : int or None
        Number of splits of the estimate: 70 % of the samples to select and train on, 30 % to
        test. None is ten with fewer than 200 samples, and five with more.
    n_jobs : int or None
        Threads for inner splits and for the splits of the estimate.
    random_state : int or None
    prepare : callable, optional
        Called with the selector before it is fitted to all samples; returns the selector to
        fit, for example with a progress bar.
    on_selected : callable, optional
        Called with the selected features as soon as they are known, before the estimate.
    on_share : callable, optional
        Called with the share of the selection that is done, from 0 to 1, if the method knows it.
    on_split : callable, optional
        Called after every split of the estimate.
    findings : sequence of Finding
        What a check of the data found, to be kept with the selection.
    source_name : str or None
        Name of the file; by default the one that the table was read from.
    **options
        Parameters of the method.

    Returns
    -------
    result : SelectionResult
    """
    batch = keep_batch(table, batch, min_class_size)
    table, groups = keep_samples(table, groups, min_class_size)
    task, y = outcome_of(table)
    check_enough(y, groups, task=task)
    if batch is not None:
        check_centerable(table.X)
    warn_of_twins(table.X, y, task=task, groups=groups, cv=None, stacklevel=4)
    make = partial(make_selector, method, n_features, random_state=random_state, **options)
    imputer = make_imputer(impute)
    if imputer is not None and is_blocks(table.X):
        raise ValueError(
            f"impute={impute!r} was given, but missing values can only be filled in a table in "
            "memory. Fill them before, or read the table into memory."
        )
    X = table.X if batch is None else BatchCenterer().fit(table.X, batch).transform(table.X, batch)
    X = X if imputer is None else imputer.fit_transform(X)
    _refuse_constant(X)
    fitted = make() if prepare is None else prepare(make())
    if "n_jobs" in fitted.get_params():
        # Splits of the estimate take the other threads.
        fitted.set_params(n_jobs=max(1, effective_n_jobs(n_jobs) // 2))
    features: tuple[SelectedFeature, ...] = ()

    def fit_to_all() -> None:
        nonlocal features
        with following(on_share):
            fit_selector(fitted, X, y, task=task, groups=groups)
        chosen = take_features(X, choice_order(fitted))
        features = describe_features(
            fitted, table.feature_names, find_copies(chosen), table.origins
        )
        if on_selected is not None:
            on_selected(features)

    # One predictor is enough to tell users what to expect; a linear one suits few samples.
    predictor = LINEAR[task]
    evaluation = evaluate(
        {method: make()},  # not a clone, which would copy the progress bar
        table.X,
        y,
        n_features=[n_features],
        task=task,
        groups=groups,
        batch=batch,
        predictors={predictor: default_predictors(task)[predictor]},
        imputer=make_imputer(impute),
        n_splits=n_splits or default_splits(table.n_samples),
        random_state=random_state,
        n_jobs=n_jobs,
        prefer="threads",
        all_features=_fits_dense(table.X),
        keep_predictions=task != "regression" and not is_blocks(table.X),
        on_split=on_split,
        first=fit_to_all,
    )
    selection = Selection(
        method=method,
        parameters=_plain_parameters(fitted),
        random_state=random_state,
        versions=versions(),
        data={
            **describe_data(
                table,
                impute,
                findings=[asdict(each) for each in findings],
                groups=describe_group_sizes(groups, groups_name),
                batch=describe_batches(batch, batch_name),
                source_name=source_name,
            ),
            **describe_origins(table, [each.index for each in features]),
        },
        features=features,
        estimate=_describe_estimate(evaluation, method, n_features, predictor),
    )
    columns = chosen_columns(table, selection)
    selection = replace(selection, features=with_medians(selection.features, columns))
    return SelectionResult(selection, fitted, evaluation, X, table, groups)


def _fits_dense(X: Any) -> bool:
    """Return whether predictors may be trained on all features, which makes them dense."""
    return not scipy.sparse.issparse(X) or 8 * X.shape[0] * X.shape[1] <= MOST_DENSE_BYTES


def _refuse_constant(X: Array) -> None:
    """Raise an error if no feature of a table in memory varies; some methods would select one."""
    if not is_blocks(X) and not any((X[[row]] != X[[0]]).sum() for row in range(1, X.shape[0])):
        raise ValueError(
            f"All {X.shape[1]} features of X are constant. At least one feature that differs "
            "between samples is needed; check that the right columns were read."
        )


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
    found, metric = evaluation.estimate(method, requested), evaluation.metric
    planned = evaluation.planned(method, requested)
    references = {each.against: _interval(each.reference) for each in planned}
    comparisons = describe_planned(planned)
    return {
        "metric": metric,
        "predictor": predictor,
        "n_splits": len(sizes),
        "n_features_in_splits": sizes,
        "stability": finite(evaluation.stability(method, requested)),
        "selected": _interval(found),
        # All features are not scored if they do not fit into memory.
        "all_features": references.get("all_features"),
        "guessing": references["guessing"],
        "random": references["random"],
        "batch": describe_batch_alone(evaluation),
        "comparisons": comparisons,
        "verdict": verdict_sentence("the selection", metric, found.mean, comparisons),
    }


def _interval(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.mean, "low": finite(estimate.low), "high": finite(estimate.high)}
