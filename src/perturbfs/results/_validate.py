"""Try a selection on a second cohort."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import shared_samples
from perturbfs.datasets import Table, take_samples

from ._cohort import Cohort, as_outcome, first_cohort
from ._cohort_findings import findings_on
from ._cohort_scores import predict_with, score_cohort
from ._data import make_imputer
from ._holds import comment_on_cohort, conclude, verdict_on_cohort
from ._select import SelectionResult
from ._selection import SelectionError
from ._shift import comparable_samples, compare_features
from ._taken import Taken, take_selected
from ._validation import SecondCohort, Validation
from ._wording import count_of


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
    known = _without_missing(first_cohort(first))
    task = known.selection.data["task"]
    table = _keep_known(known, second, unknown_classes)
    taken = take_selected(known.selection, table, match_names=match_names, stand_ins=stand_ins)
    tried = _predict_second(known, table, taken)
    scores = score_cohort(known, tried, random_state)
    strata = comparable_samples(known.y, tried.y, task=task)
    shifts = compare_features(known.X, tried.X, strata, taken.names)
    is_quantity = task == "regression"
    shared = shared_samples(known.X, tried.X, None if is_quantity else (known.y, tried.y))
    return Validation(
        first=known,
        second=tried,
        scores=scores,
        classes=None if is_quantity else tuple(np.unique(known.y).tolist()),
        shifts=shifts,
        findings=tuple(findings_on(known, tried, strata, shifts, shared, taken.replaced)),
        notes=(*table.notes, *taken.notes),
        conclusion=conclude(scores),
        verdict=verdict_on_cohort(scores, len(tried.y)),
        comment=comment_on_cohort(scores),
        random_state=random_state,
    )


def _predict_second(cohort: Cohort, table: Table, taken: Taken) -> SecondCohort:
    """Return the second cohort with the predictions of the predictor of the first."""
    _refuse_missing(taken.values, taken.names)
    task = cohort.selection.data["task"]
    y = as_outcome(np.asarray(table.y), task)
    _check_second(y, task)
    predicted, decision = predict_with(cohort, taken.values, y)
    names = range(1, len(y) + 1) if table.sample_names is None else table.sample_names
    return SecondCohort(
        X=taken.values,
        y=y,
        feature_names=taken.names,
        sample_names=[str(name) for name in names],
        predicted=predicted,
        decision=decision,
        source_name=Path(table.source).name or None,
        target_name=table.target_name,
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
