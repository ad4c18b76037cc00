"""Survival outcomes in all their forms, and their martingale residuals."""

import numpy as np
import pandas as pd
import pytest
from made_survival import make_survival

from perturbfs.arrays import is_survival, survival_outcome
from perturbfs.checks import as_quantity, as_survival, infer_task, martingale_residuals
from perturbfs.checks._outcome import outcome_to_split

EVENT, TIME = [True, False, True, False], [3.0, 1.0, 2.5, 0.0]
OUTCOME = survival_outcome(EVENT, TIME)


def slow_residuals(y, weights):
    """The definition: for each sample, sum the hazards of all times until its own."""
    residuals = []
    for event, time in y.tolist():
        hazard = 0.0
        for other in sorted({each for _, each in y.tolist() if each <= time}):
            here = (y["time"] == other) & y["event"]
            hazard += weights[here].sum() / weights[y["time"] >= other].sum()
        residuals.append(event - hazard)
    return np.array(residuals)


def test_residuals_of_three_samples_by_hand():
    y = survival_outcome([True, False, True], [1.0, 2.0, 2.0])
    assert martingale_residuals(y) == pytest.approx([1 - 1 / 3, -1 / 3 - 1 / 2, 1 - 1 / 3 - 1 / 2])


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_residuals_are_those_of_the_definition(ties, weighted):
    _, y = make_survival(60, 3, 2, ties=ties)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y)) if weighted else np.ones(len(y))
    found = martingale_residuals(y, weights)
    assert found == pytest.approx(slow_residuals(y, weights), abs=1e-12)
    assert weights @ found == pytest.approx(0, abs=1e-10)
    assert found.max() <= 1


def test_a_weight_of_two_is_a_sample_that_is_there_twice():
    _, y = make_survival(40, 3, 2, ties=True)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = martingale_residuals(np.repeat(y, counts))
    assert np.repeat(martingale_residuals(y, counts), counts) == pytest.approx(repeated)


@pytest.mark.parametrize("ties", [False, True])
def test_residuals_agree_with_the_cumulative_hazard_of_scikit_survival(ties):
    nonparametric = pytest.importorskip("sksurv.nonparametric")
    _, y = make_survival(ties=ties)
    times, hazard = nonparametric.nelson_aalen_estimator(y["event"], y["time"])
    expected = y["event"] - hazard[np.searchsorted(times, y["time"])]
    assert martingale_residuals(y) == pytest.approx(expected, abs=1e-12)


FORMS = {
    "structured": np.array(
        list(zip(EVENT, TIME, strict=True)), dtype=[("cens", "?"), ("days", "<f8")]
    ),
    "time first": np.array(list(zip(TIME, EVENT, strict=True)), dtype=[("t", "f4"), ("e", "i1")]),
    "columns": np.column_stack([TIME, EVENT]),
    "frame": pd.DataFrame({"died": EVENT, "days": TIME}),
    "lists": [[int(event), time] for event, time in zip(EVENT, TIME, strict=True)],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_outcome(form):
    found = as_survival(FORMS[form])
    assert is_survival(found)
    assert found.tolist() == OUTCOME.tolist()


def test_a_boolean_column_is_the_event_even_if_the_times_are_0_and_1():
    y = pd.DataFrame({"t": [0.0, 1.0], "e": [True, True]}).to_records(index=False)
    assert as_survival(y)["time"].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([[1.0], [2.0]], "1 column. Pass"),
        ([1.0, 2.0], "1 column. Pass"),
        ([[1, 2, 3], [4, 5, 6]], "3 columns"),
        ([[1, 5.0], [2, 6.0]], "none of the two columns"),
        ([[1, 0], [0, 1]], "both columns"),
        ([["dead", "5"], ["alive", "6"]], "holds values such as 'dead'"),
        ([[1, -5.0], [0, 6.0]], "1 of 2 survival times are negative, such as -5"),
        ([[1, np.nan], [0, 6.0]], "1 of 2 survival times are missing"),
        ([[0, 5.0], [0, 6.0]], "None of the 2 samples has the event"),
    ],
)
def test_what_is_no_survival_outcome_is_refused(y, words):
    with pytest.raises(ValueError, match=words):
        as_survival(y)


def test_the_task_of_a_structured_array_is_survival():
    assert infer_task(OUTCOME) == infer_task(OUTCOME, task="survival") == "survival"
    with pytest.raises(ValueError, match="task='regression' was given, but y is a survival"):
        infer_task(OUTCOME, task="regression")
    with pytest.raises(ValueError, match="estimator 'tree' predicts classes or quantities"):
        infer_task(OUTCOME, estimator="tree")
    with pytest.raises(ValueError, match="All 3 survival times are 2"):
        infer_task(survival_outcome([1, 0, 1], [2, 2, 2]))


def test_only_a_survival_is_replaced_by_a_quantity():
    quantity, task = as_quantity(OUTCOME, task="survival")
    assert (quantity.tolist(), task) == (martingale_residuals(OUTCOME).tolist(), "regression")
    assert as_quantity("y", task="classification") == ("y", "classification")


def test_splits_go_by_the_event_unless_nearly_all_samples_have_it():
    _, y = make_survival()
    groups, task = outcome_to_split(y, task="survival")
    assert (task, (groups == "event").tolist()) == ("classification", y["event"].tolist())
    y["event"] = np.arange(len(y)) > 3
    times, task = outcome_to_split(y, task="survival")
    assert (task, times.tolist()) == ("regression", y["time"].tolist())
    y["event"] = np.arange(len(y)) < 4
    with pytest.raises(ValueError, match="happened in 4 of 120 samples, but at least 5"):
        outcome_to_split(y, task="survival")
