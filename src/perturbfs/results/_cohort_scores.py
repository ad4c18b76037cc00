"""Score a second cohort, and what its score is compared with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from perturbfs.arrays import Array
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

from ._cohort import Cohort
from ._validation import CohortScores, SecondCohort

REFIT_SPLITS, TEST_SIZE = 50, 0.3
FEWEST_TO_REFIT = {"classification": 10, "regression": 20}  # fewer test samples give no R^2


def _trial(cohort: Cohort) -> Trial:
    """Return the predictor of the estimate, to be trained and to be scored."""
    task, name = cohort.selection.data["task"], cohort.selection.estimate["predictor"]
    predictor = named_predictors([name], task)[name]
    return Trial(predictor, resolve_scorer(None, predictor, task=task))


def predict_with(cohort: Cohort, X: Array, y: Array) -> tuple[Array, Array | None]:
    """Return predictions and decision values of the predictor trained on a cohort."""
    split = TrainTest(cohort.X, cohort.y, X, y)
    return _trial(cohort).predict_and_decide(split)


def score_cohort(cohort: Cohort, second: SecondCohort, random_state: int | None) -> CohortScores:
    """Score the predictor of the first cohort on the second, and what it is compared with.

    Parameters
    ----------
    cohort : Cohort
        The first one, without missing values.
    second : SecondCohort
    random_state : int or None

    Returns
    -------
    scores : CohortScores
    """
    data, estimate = cohort.selection.data, cohort.selection.estimate
    y, predicted = second.y, second.predicted
    is_quantity = data["task"] == "regression"
    codes = y if is_quantity else np.unique(y, return_inverse=True)[1]
    hits = predicted if is_quantity else _codes(predicted, y)
    scaled = [StandardScaler().fit_transform(each) for each in (cohort.X, second.X)]
    rescored, _ = predict_with(replace(cohort, X=scaled[0]), scaled[1], y)
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
