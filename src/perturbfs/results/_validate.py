"""Try a selection on a second cohort."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.preprocessing import StandardScaler

from perturbfs.arrays import Array
from perturbfs.checks import shared_samples
from perturbfs.datasets import Table, take_samples
from perturbfs.scoring import (
    Estimate,
    TrainTest,
    Trial,
    auc_interval,
    balanced_accuracy_interval,
    check_enough,
    corrected_interval,
    correlation_interval,
    make_splits,
    mean_recall,
    named_predictors,
    permutation_p_value,
    r2,
    r2_interval,
    resolve_scorer,
)

from ._cohort import Cohort, as_outcome, first_cohort
from ._cohort_findings import findings_on
from ._data import make_imputer
from ._holds import comment_on_cohort, conclude, verdict_on_cohort
from ._select import SelectionResult
from ._selection import SelectionError
from ._shift import comparable_samples, compare_features
from ._taken import take_selected
from ._validation import CohortScores, SecondCohort, Validation
from ._wording import count_of

REFIT_SPLITS, TEST_SIZE = 50, 0.3
FEWEST_TO_REFIT = {"classification": 10, "regression": 20}  # fewer test samples give no R^2


def validate_selection(
    first: str | os.PathLike[str] | SelectionResult | Cohort,
    second: Table,
    *,
    match_names: Literal["exact", "loose"] = "exact",
    stand_ins: bool = False,
    unknown_classes: Literal["error", "drop"] = "error",
    random_state: int | None = 0,
) -> Validation:
    """Score a second cohort with the predictor trained on the selected features of the first.

    Parameters
    ----------
    first : path, SelectionResult or Cohort
        A directory that `perturbfs select` wrote, or what `select_features` returned.
    second : Table
        With an outcome. It has the selected features under the same names, in any order.
    match_names : {"exact", "loose"}, default="exact"
        Whether names of features may differ in case, blanks or punctuation.
    stand_ins : bool, default=False
        Whether a missing feature is replaced by the most similar one of its group.
    unknown_classes : {"error", "drop"}, default="error"
        What to do about samples of classes that the first cohort does not have.
    random_state : int or None
        Of the permutations, the bootstrap samples and the splits of the refit.

    Returns
    -------
    validation : Validation

    Notes
    -----
    The predictor is that of the estimate: a linear support vector machine for classes, ridge
    regression for a quantity. It is trained on all samples of the first cohort. No sample of the
    second cohort takes part in choosing or training it, so its score is free of leaks. Intervals
    and p-value assume that the samples of the second cohort are independent.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, make_wide_classification
    >>> from perturbfs.results import select_features, validate_selection
    >>> data = make_wide_classification(120, 60, random_state=0)
    >>> first, second = (
    ...     Table(X=data.X[rows], y=data.y[rows], task="classification")
    ...     for rows in (slice(0, 60), slice(60, 120))
    ... )
    >>> found = select_features(first, method="anova", n_features=5, n_splits=5)
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # features without names are taken by position
    ...     validation = validate_selection(found, second)
    >>> validation.conclusion
    'holds'
    """
    cohort = first_cohort(first)
    second = _keep_known(cohort, second, unknown_classes)
    known = _without_missing(cohort)
    taken = take_selected(cohort.selection, second, match_names=match_names, stand_ins=stand_ins)
    _refuse_missing(taken.values, taken.names)
    task = cohort.selection.data["task"]
    y = as_outcome(np.asarray(second.y), task)
    _check_second(y, task)
    predicted, decision = _predict(known, taken.values, y)
    names = second.sample_names
    tried = SecondCohort(
        X=taken.values,
        y=y,
        feature_names=taken.names,
        sample_names=[str(k + 1) for k in range(len(y))]
        if names is None
        else list(map(str, names)),
        predicted=predicted,
        decision=decision,
        source_name=Path(second.source).name or None,
        target_name=second.target_name,
    )
    scores = _score(known, tried, random_state)
    strata = comparable_samples(known.y, y, task=task)
    shifts = compare_features(known.X, tried.X, strata, taken.names)
    classes = None if task == "regression" else (known.y, y)
    shared = shared_samples(known.X, tried.X, classes)
    return Validation(
        first=known,
        second=tried,
        scores=scores,
        classes=None if classes is None else tuple(np.unique(known.y).tolist()),
        shifts=shifts,
        findings=tuple(findings_on(known, tried, strata, shifts, shared, taken.replaced)),
        notes=(*second.notes, *taken.notes),
        conclusion=conclude(scores),
        verdict=verdict_on_cohort(scores, len(y)),
        comment=comment_on_cohort(scores),
        random_state=random_state,
    )


def _keep_known(cohort: Cohort, second: Table, unknown_classes: str) -> Table:
    """Return the second cohort without samples of classes that the first does not have."""
    task = cohort.selection.data["task"]
    if second.y is None:
        raise SelectionError(
            f"{second.source or 'The second cohort'} has no outcome, so nothing can be scored. "
            "Name its outcome as target."
        )
    if task == "regression":
        if np.asarray(second.y).dtype.kind not in "biuf":
            raise SelectionError(
                "The outcome of the first cohort is a quantity, but that of the second is text. "
                "Name the same outcome in both."
            )
        return second
    known = np.unique(cohort.y).tolist()
    y = as_outcome(np.asarray(second.y), task)
    is_known = np.isin(y, known)
    if is_known.all():
        return second
    found, n_unknown = np.unique(y).tolist(), int(np.sum(~is_known))
    if unknown_classes == "error" or not is_known.any():
        advice = (
            "Rename them, or leave out the samples of unknown classes with unknown_classes='drop'."
            if is_known.any()
            else "Rename them."
        )
        raise SelectionError(
            f"The second cohort has the classes {_named(found)}, but the first has "
            f"{_named(known)}, and only these can be predicted. {advice}"
        )
    unknown = np.unique(y[~is_known]).tolist()
    which = "class" if len(unknown) == 1 else "classes"
    note = (
        f"{count_of(n_unknown, 'sample')} of the {which} {_named(unknown)} "
        f"{'was' if n_unknown == 1 else 'were'} left out, because the first cohort has no such "
        "class."
    )
    smaller = take_samples(second, np.flatnonzero(is_known))
    return replace(smaller, notes=(*smaller.notes, note))


def _named(labels: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(map(repr, labels[:most]))
    return shown if len(labels) <= most else f"{shown} and {len(labels) - most} more"


def _without_missing(cohort: Cohort) -> Cohort:
    """Return the first cohort with missing values filled as in the selection, by medians."""
    if not np.isnan(cohort.X).any():
        return cohort
    imputer = make_imputer("median")
    return replace(cohort, X=np.asarray(imputer.fit_transform(cohort.X)))


def _refuse_missing(values: Array, names: Sequence[str]) -> None:
    counts = np.isnan(values).sum(axis=0)
    if counts.any():
        holed = [f"{name!r} ({n})" for name, n in zip(names, counts, strict=True) if n]
        raise SelectionError(
            f"The second cohort has missing values in {', '.join(holed[:10])}"
            f"{' and more' if len(holed) > 10 else ''}, and no medians of the first cohort to "
            "fill them with: it had no missing values, or the feature is a stand-in. Fill them, "
            "leave out these samples, or select again with impute='median'."
        )


def _check_second(y: Array, task: str) -> None:
    """Refuse an outcome on which no score is defined."""
    if len(np.unique(y)) < 2:
        what = "class" if task == "classification" else "value"
        raise SelectionError(
            f"All {len(y)} samples of the second cohort have the {what} {y.tolist()[0]!r}, so no "
            f"prediction can be better than guessing. At least two {what}{'e' * (what == 'class')}"
            "s are needed."
        )


def _trial(cohort: Cohort) -> Trial:
    """Return the predictor of the estimate, to be trained and to be scored."""
    task, name = cohort.selection.data["task"], cohort.selection.estimate["predictor"]
    predictor = named_predictors([name], task)[name]
    return Trial(predictor, resolve_scorer(None, predictor, task=task))


def _predict(cohort: Cohort, X: Array, y: Array) -> tuple[Array, Array | None]:
    split = TrainTest(cohort.X, cohort.y, X, y)
    return _trial(cohort).predict_and_decide(split)


def _score(cohort: Cohort, second: SecondCohort, random_state: int | None) -> CohortScores:
    """Score the trained predictor, and what it is compared with."""
    data, estimate = cohort.selection.data, cohort.selection.estimate
    y, predicted = second.y, second.predicted
    is_quantity = data["task"] == "regression"
    codes = y if is_quantity else np.unique(y, return_inverse=True)[1]
    hits = predicted if is_quantity else _codes(predicted, y)
    scaled = [StandardScaler().fit_transform(each) for each in (cohort.X, second.X)]
    rescored, _ = _predict(replace(cohort, X=scaled[0]), scaled[1], y)
    score = r2 if is_quantity else mean_recall
    return CohortScores(
        metric=estimate["metric"],
        estimated=_as_estimate(estimate["selected"]),
        second=_interval(y, predicted, random_state, is_quantity=is_quantity),
        guessing=0.0 if is_quantity else 1 / len(np.unique(y)),
        p_value=permutation_p_value(
            lambda order: score(order, hits), codes, random_state=random_state
        ),
        standardized=_interval(y, rescored, random_state, is_quantity=is_quantity),
        refit=_refit(cohort, second, random_state),
        auc=_area(cohort, second),
        correlation=correlation_interval(y, predicted) if is_quantity else None,
    )


def _codes(predicted: Array, y: Array) -> Array:
    """Return the place of each prediction among the classes of `y`, or -1."""
    labels = np.unique(y)
    places = np.searchsorted(labels, predicted).clip(max=len(labels) - 1)
    return np.where(labels[places] == predicted, places, -1)


def _interval(
    y: Array, predicted: Array, random_state: int | None, *, is_quantity: bool
) -> Estimate:
    if is_quantity:
        return r2_interval(y, predicted, random_state=random_state)
    return balanced_accuracy_interval(y, predicted)


def _as_estimate(row: dict[str, Any]) -> Estimate:
    ends = {"low": -np.inf, "high": np.inf}
    low, high = (ends[end] if row[end] is None else float(row[end]) for end in ends)
    return Estimate(float(row["mean"]), low, high)


def _refit(cohort: Cohort, second: SecondCohort, random_state: int | None) -> Estimate | None:
    """Return the score of the predictor trained on parts of the second cohort, if it is enough."""
    task, y = cohort.selection.data["task"], second.y
    if len(y) < FEWEST_TO_REFIT[task]:
        return None
    try:
        check_enough(y, task=task)
    except ValueError:  # a class has one sample
        return None
    seed = 0 if random_state is None else random_state
    splits = make_splits(
        y, groups=None, task=task, n_splits=REFIT_SPLITS, test_size=TEST_SIZE, seed=seed
    )
    trial = _trial(cohort)
    scores = np.array(
        [
            trial.score(TrainTest(second.X[train], y[train], second.X[test], y[test]))
            for train, test in splits
            if np.ptp(np.unique(y[test], return_inverse=True)[1]) > 0
        ]
    )
    return corrected_interval(scores, test_share=TEST_SIZE / (1 - TEST_SIZE))


def _area(cohort: Cohort, second: SecondCohort) -> Estimate | None:
    if second.decision is None or second.decision.ndim > 1:
        return None
    return auc_interval(second.y == np.unique(cohort.y)[-1], second.decision)
