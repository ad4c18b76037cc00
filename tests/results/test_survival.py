"""Survival curves by predicted risk: of test samples, each once, with numbers at risk."""

import numpy as np
import pytest
from made_survival import make_survival

from perturbfs.arrays import survival_outcome
from perturbfs.datasets import Table
from perturbfs.evaluation import Prediction
from perturbfs.results import describe_survival, kaplan_meier, select_features
from perturbfs.results._survival import MOST_STEPS, count_at_risk


def slow_kaplan_meier(y):
    """The definition: the product over the times of events of the share that has none then."""
    share, curve = 1.0, {}
    for time in sorted(set(y["time"][y["event"]].tolist())):
        at_risk = np.sum(y["time"] >= time)
        share *= 1 - np.sum(y["event"] & (y["time"] == time)) / at_risk
        curve[time] = share
    return curve


@pytest.mark.parametrize("ties", [False, True])
def test_the_curve_is_that_of_the_definition(ties):
    _, y = make_survival(50, 3, 2, ties=ties)
    times, survival = kaplan_meier(y)
    expected = slow_kaplan_meier(y)
    assert times.tolist() == list(expected)
    assert survival == pytest.approx(list(expected.values()))


@pytest.mark.parametrize("ties", [False, True])
def test_the_curve_is_that_of_scikit_survival(ties):
    nonparametric = pytest.importorskip("sksurv.nonparametric")
    _, y = make_survival(50, 3, 2, ties=ties)
    all_times, expected = nonparametric.kaplan_meier_estimator(y["event"], y["time"])
    times, survival = kaplan_meier(y)
    assert survival == pytest.approx(expected[np.searchsorted(all_times, times)])


def test_samples_at_risk_are_those_under_observation_until_a_time():
    _, y = make_survival(50, 3, 2, ties=True)
    times = np.array([0.0, 0.25, 0.3, 100.0])
    expected = [int(np.sum(y["time"] >= time)) for time in times]
    assert count_at_risk(y, times).tolist() == expected


def predictions_of(risk, splits):
    return [Prediction(np.array(test), risk[test], None) for test in splits]


def test_groups_are_thirds_by_risk_and_each_tested_sample_counts_once():
    _, y = make_survival(90, 3, 2)
    risk = -y["time"]
    splits = [np.arange(0, 60), np.arange(20, 80), np.arange(20, 80)]
    found = describe_survival(predictions_of(risk, splits), y, time_label="days")
    assert [each["label"] for each in found["curves"]] == ["low risk", "middle risk", "high risk"]
    assert (found["n_tested"], found["n_samples"], found["time_label"]) == (80, 90, "days")
    assert sum(each["n_samples"] for each in found["curves"]) == 80
    assert sum(each["n_events"] for each in found["curves"]) == y["event"][:80].sum()
    low, middle, high = (each["time"][-1] for each in found["curves"])
    assert low > middle > high


def test_the_rank_within_a_split_counts_and_not_the_size_of_the_risk():
    _, y = make_survival(60, 3, 2)
    risk = -y["time"]
    halves = [np.arange(0, 60, 2), np.arange(1, 60, 2)]
    first = describe_survival(predictions_of(risk, halves), y)
    other = predictions_of(risk, halves[:1]) + predictions_of(50 + 1000 * risk, halves[1:])
    assert describe_survival(other, y) == first


def test_with_few_samples_there_are_two_groups_and_equal_risks_stay_together():
    y = survival_outcome(np.arange(20) % 2 == 0, np.arange(1.0, 21))
    risk = np.repeat([0.0, 1.0], [14, 6])
    found = describe_survival(predictions_of(risk, [np.arange(20)]), y)
    assert [each["label"] for each in found["curves"]] == ["lower risk", "higher risk"]
    assert [each["n_samples"] for each in found["curves"]] == [14, 6]
    same = describe_survival(predictions_of(np.zeros(20), [np.arange(20)]), y)
    assert [each["n_samples"] for each in same["curves"]] == [20]


def test_numbers_at_risk_begin_with_all_samples_and_go_down():
    _, y = make_survival(90, 3, 2)
    found = describe_survival(predictions_of(y["time"], [np.arange(90)]), y)
    assert found["at_risk_times"][0] == 0
    assert 3 <= len(found["at_risk_times"]) <= 7
    for each in found["curves"]:
        assert each["at_risk"][0] == each["n_samples"]
        assert each["at_risk"] == sorted(each["at_risk"], reverse=True)
        assert (each["time"][0], each["survival"][0]) == (0.0, 1.0)


def test_a_curve_of_many_steps_is_thinned_out():
    time = np.arange(1.0, 5001)
    found = describe_survival(
        predictions_of(np.zeros(5000), [np.arange(5000)]), survival_outcome(time > 0, time)
    )
    [curve] = found["curves"]
    assert len(curve["time"]) == MOST_STEPS + 2
    assert curve["survival"][-1] == 0.0


def test_without_predictions_there_are_no_curves():
    assert describe_survival([], make_survival()[1]) is None


def test_a_selection_of_a_table_has_the_estimate_of_a_cox_model():
    X, y = make_survival(100, 40)
    table = Table(X=X, y=y, task="survival", target_name="days, died")
    result = select_features(table, method="robust", n_features=4, n_splits=4)
    estimate = result.selection.estimate
    assert (estimate["metric"], estimate["predictor"]) == ("concordance", "cox")
    assert estimate["guessing"]["mean"] == 0.5 < estimate["selected"]["low"]
    assert "predicts better than guessing (concordance" in estimate["verdict"]
    data = result.selection.data
    assert (data["task"], data["classes"]) == ("survival", None)
    assert data["n_events"] == y["event"].sum()
