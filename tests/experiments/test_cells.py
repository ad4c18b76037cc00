"""Verdicts, worked by hand."""

import pytest

from perturbfs.experiments._cells import (
    Numbers,
    exact_cell,
    honest_cell,
    published_cell,
    range_cell,
)
from perturbfs.experiments._paper import Published
from perturbfs.experiments._plan import Record

TOLERANCE = {"accuracy": 5.0, "n_features": 0.3, "measure": 0.3}
MEAN = Published(mean=80.0, optimal=90.0, single=None)


def runs(*accuracies, n_features=10, inner=None, protocol="published"):
    return [
        Record(protocol, "colon", "m", run, 0, n_features, accuracy, inner, n_features, 0.0)
        for run, accuracy in enumerate(accuracies)
    ]


def verdict(published, records, quantity="accuracy"):
    return published_cell(published, records, quantity, TOLERANCE).verdict


def test_within_the_tolerance_it_agrees():
    assert verdict(MEAN, runs(75.1, 75.1)) == "agrees"
    assert verdict(MEAN, runs(74.9, 74.9)) == "differs"
    ten = Published(mean=10.0, optimal=None, single=None)
    assert verdict(ten, runs(0.0, n_features=13), "n_features") == "agrees"
    assert verdict(ten, runs(0.0, n_features=14), "n_features") == "differs"


def test_a_published_mean_varies_less_than_a_single_published_run():
    # Mean 70, standard error 4, two runs: 2 * 4 * sqrt(1 + 2 / 10) = 8.8, and with a single
    # published run 2 * 4 * sqrt(1 + 2) = 13.9.
    records = runs(66.0, 74.0)
    assert verdict(Published(78.5, None, None), records) == "within chance"
    assert verdict(Published(79.5, None, None), records) == "differs"
    assert verdict(Published(None, None, 79.5), records) == "within chance"


def test_numbers_of_a_cell():
    cell = published_cell(MEAN, runs(70.0, 90.0), "accuracy", TOLERANCE)
    assert cell.ours == Numbers(80, 90, 10, 2, "agrees")
    assert cell.inner is None
    assert published_cell(None, runs(1.0), "accuracy", TOLERANCE).verdict == "not published"
    assert published_cell(MEAN, [], "accuracy", TOLERANCE).verdict == "not run"


def test_both_classifiers_are_compared_and_the_inner_one_is_judged():
    records = runs(60.0, 62.0, inner=78.0)
    cell = published_cell(MEAN, records, "accuracy", TOLERANCE, judge_inner=True)
    assert (cell.ours.mean, cell.ours.agreement) == (61, "differs")
    assert (cell.inner.mean, cell.inner.agreement) == (78, "agrees")
    assert cell.verdict == "agrees (inner classifier)"


def test_the_measure_is_the_ratio_of_the_means():
    records = [*runs(80.0, n_features=10), *runs(40.0, n_features=30)]
    cell = published_cell(Published(None, None, 3.0), records, "measure", TOLERANCE)
    assert cell.ours.mean == pytest.approx(60 / 20)
    assert cell.verdict == "agrees"


def test_the_optimal_measure_is_accuracy_over_features_of_one_run():
    """86.8 over 17 is 5.1, not 510."""
    records = [*runs(86.8, n_features=17), *runs(90.0, n_features=60)]
    cell = published_cell(Published(None, None, 5.0), records, "measure", TOLERANCE)
    assert cell.ours.optimal == pytest.approx(86.8 / 17)


def test_a_run_without_a_result_is_counted_and_not_averaged():
    records = [*runs(80.0, 90.0), *runs(None, n_features=0)]
    for quantity, mean in [("accuracy", 85), ("n_features", 10), ("measure", 8.5)]:
        cell = published_cell(MEAN, records, quantity, TOLERANCE)
        assert (cell.ours.mean, cell.ours.n_runs, cell.n_refused) == (mean, 2, 1)
    nothing = published_cell(MEAN, runs(None, n_features=0), "accuracy", TOLERANCE)
    assert (nothing.ours, nothing.n_refused, nothing.verdict) == (None, 1, "no result")


def test_features_count_where_only_their_accuracy_is_no_result():
    records = [*runs(80.0, n_features=10), *runs(None, n_features=20)]
    counted = published_cell(MEAN, records, "n_features", TOLERANCE)
    assert (counted.ours.mean, counted.ours.optimal, counted.n_refused) == (15, 10, 0)
    assert published_cell(MEAN, records, "accuracy", TOLERANCE).n_refused == 1


def test_honest_accuracies_are_compared_with_random_subsets_on_the_same_splits():
    chance = runs(50.0, 52.0, 54.0, 56.0, protocol="honest")
    better = runs(70.0, 72.5, 74.0, 76.5, protocol="honest")
    cell = honest_cell(None, better, chance, "accuracy", 3 / 7)
    # Differences 20, 20.5, 20, 20.5: mean 20.25, error 0.289 * sqrt(1 / 4 + 3 / 7), t 3.18.
    assert cell.verdict == "better than random subsets (+20.2, interval 19.5 to 21.0)"
    assert honest_cell(None, chance, better, "accuracy", 3 / 7).verdict.startswith("worse")
    alike = runs(51.0, 50.0, 55.0, 54.0, protocol="honest")
    # Differences 1, -2, 1, -2: an interval of both signs.
    verdict = honest_cell(None, alike, chance, "accuracy", 3 / 7).verdict
    assert verdict == "not told apart (-0.5, interval -5.0 to 4.0)".replace("-", "\N{MINUS SIGN}")
    assert "compared with" in honest_cell(None, chance, list(chance), "accuracy", 1).verdict


def test_numbers_of_made_up_data_must_lie_within_our_draws():
    inside = range_cell(Published(None, None, -5.0), [float(value) for value in range(11)])
    assert inside.verdict.startswith("inside")
    assert range_cell(Published(None, None, 12.0), [1.0, 2.0]).verdict.startswith("outside")
    assert exact_cell(Published(None, None, 62), 62).verdict == "agrees"
    assert exact_cell(Published(None, None, 62), 61).verdict == "differs"
