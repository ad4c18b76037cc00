"""Details of a selection, each compared with a slow or known answer."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from scipy.stats import pearsonr

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.datasets import Table, make_wide_classification, make_wide_regression
from perturbfs.results import (
    _map,
    describe_chosen,
    describe_curve,
    describe_details,
    describe_groups,
    describe_map,
    describe_noise,
    describe_samples,
    is_quick,
    select_features,
)


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 60, random_state=0)


@pytest.fixture(scope="module")
def labels():
    return [f"gene {j}" for j in range(60)]


@pytest.fixture(scope="module")
def paper(data):
    return PerturbationSelector(4, random_state=0).fit(data.X, data.y)


def order_of(selector):
    chosen = np.flatnonzero(selector.support_)
    return chosen[np.argsort(selector.ranking_[chosen])].tolist()


def test_the_correlation_with_a_quantity_is_pearsons():
    data = make_wide_regression(40, 60, random_state=0)
    rows = describe_chosen(data.X, data.y, [3, 7], {}, [], task="regression")
    for row, feature in zip(rows, (3, 7), strict=True):
        assert row["correlation"] == pytest.approx(
            pearsonr(data.X[:, feature], data.y)[0], abs=1e-4
        )
        assert row["effects"] is None


def test_effects_weighted_by_class_sizes_cancel(data):
    _, counts = np.unique(data.y, return_counts=True)
    for row in describe_chosen(data.X, data.y, [1, 5, 9], {}, [], task="classification"):
        assert np.dot(row["effects"], counts) == pytest.approx(0, abs=0.01)


def test_a_feature_that_never_varies_has_no_direction():
    X = np.ones((4, 1))
    [row] = describe_chosen(X, np.array([0, 0, 1, 1]), [0], {}, [], task="classification")
    assert row["effects"] == [0.0, 0.0]
    [row] = describe_chosen(X, np.arange(4.0), [0], {}, [], task="regression")
    assert row["correlation"] == 0.0


@pytest.mark.parametrize(
    ("y", "task", "direction"),
    [
        ([0, 0, 1, 1], "classification", "higher in 1 (+1.79 SD)"),
        ([2, 2, 1, 3], "classification", "highest in 3 (+1.34 SD), lowest in 2 (-0.89)"),
        ([4.0, 3.0, 2.0, 1.0], "regression", "falls with the outcome (r = -1.00)"),
        ([1.0, 2.0, 3.0, 4.0], "regression", "rises with the outcome (r = +1.00)"),
    ],
)
def test_directions_are_in_words(y, task, direction):
    X = np.arange(4.0)[:, None]
    [row] = describe_chosen(X, np.array(y), [0], {}, [], task=task)
    assert row["direction"] == direction.replace("-", "\N{MINUS SIGN}")


def test_long_names_of_classes_are_cut_in_directions():
    y = np.array(["a", "a", "b" * 100, "b" * 100])
    [row] = describe_chosen(np.arange(4.0)[:, None], y, [0], {}, [], task="classification")
    assert row["direction"].startswith(f"higher in {'b' * 79}… (")


def test_being_chosen_again_counts_splits_and_groups(data):
    splits = [np.array([1, 2]), np.array([1]), np.array([8])]
    [row] = describe_chosen(data.X, data.y, [1], {1: [1, 8]}, splits, task="classification")
    assert (row["n_again"], row["n_again_group"]) == (2, 3)


def test_the_curve_has_the_candidates_of_the_selector(data):
    selector = RobustSelector(max_features=5).fit(data.X, data.y)
    curve = describe_curve(selector)
    assert curve["n_features"] == [each.n_features for each in selector.candidates_]
    assert curve["score"] == pytest.approx([each.score for each in selector.candidates_], rel=1e-3)
    assert curve["chosen"] == selector.support_.sum()
    assert curve["score"][curve["n_features"].index(curve["best"])] == max(curve["score"])


def test_samples_are_ordered_by_class_and_keep_their_values(data):
    found = describe_samples(data.X, data.y, [4], task="classification")
    assert found["outcome"] == sorted(found["outcome"])
    assert sorted(found["values"][0]) == pytest.approx(sorted(data.X[:, 4]), rel=1e-3)


def test_of_many_samples_every_class_keeps_its_share():
    y = np.repeat(["rare", "usual"], [100, 900])
    found = describe_samples(np.arange(1000.0)[:, None], y, [0], task="classification", most=50)
    assert found["n_shown"] == len(found["outcome"]) == 50
    assert found["outcome"].count(0) == 5
    assert found["n_samples"] == 1000


def test_sparse_and_dense_tables_give_the_same(data, labels):
    sparse = scipy.sparse.csr_array(data.X)
    for describe in (
        lambda X: describe_samples(X, data.y, [4, 2], task="classification"),
        lambda X: describe_chosen(X, data.y, [4, 2], {}, [], task="classification"),
        lambda X: describe_groups(X, [4], labels, {4: [4, 2, 7]}),
    ):
        assert describe(sparse) == describe(data.X)


def test_the_most_alike_join_first_and_the_rest_is_counted(data, labels):
    X = data.X.copy()
    X[:, 1] = -X[:, 0] + 1e-3 * X[:, 2]
    [tree, alone] = describe_groups(X, [0, 5], labels, {0: [0, 1, *range(10, 30)], 5: [5]})
    assert alone is None
    assert tree["joins"][0][:2] == [0, 1]
    assert len(tree["members"]) == 15
    assert tree["n_left_out"] == 7
    assert len(tree["joins"]) == 14
    assert tree["correlation"][1] == pytest.approx(-1, abs=0.01)


def test_the_map_of_the_papers_method_has_its_own_characteristics(data, labels, paper):
    order = order_of(paper)
    found = describe_map(
        paper, data.X, data.y, order, labels, paper.groups_, task="classification"
    )
    assert found["is_own"]
    assert found["points"]["name"][: len(order)] == [labels[j] for j in order]
    assert found["points"]["group"][: len(order)] == [1, 2, 3, 4]
    rest = [j for j in range(60) if j not in order]
    expected = paper.sensitivity_[[*order, *rest]]
    assert found["points"]["sensitivity"] == pytest.approx(expected, rel=1e-3)
    for axis in found["axes"]:
        assert axis["low"] < axis["high"]
        assert max(found["points"][axis["key"]]) <= axis["high"] * 1.0001


def test_angles_of_centered_features_are_those_of_their_correlation():
    data = make_wide_regression(40, 60, random_state=0)
    names = [str(j) for j in range(60)]
    selector = RobustSelector(2).fit(data.X, data.y)
    found = describe_map(
        selector, data.X, data.y, [0], names, {}, task="regression", random_state=0
    )
    assert not found["is_own"]
    for place, angle in enumerate(found["points"]["angle_to_target"]):
        r = pearsonr(data.X[:, int(found["points"]["name"][place])], data.y)[0]
        assert np.cos(np.radians(angle)) == pytest.approx(r, abs=1e-3)


def test_of_too_many_features_a_sample_with_groups_and_the_density_of_all(
    data, labels, paper, monkeypatch
):
    monkeypatch.setattr(_map, "MOST_POINTS", 20)
    order = order_of(paper)
    groups = {order[0]: np.array([order[0], *[j for j in range(60) if j not in order][:10]])}
    found = describe_map(paper, data.X, data.y, order, labels, groups, task="classification")
    assert found["n_shown"] == len(found["points"]["name"]) == 20
    assert found["points"]["group"].count(1) == 11
    assert len(found["densities"]) == 3
    assert all(np.sum(each["counts"]) == found["n_features"] for each in found["densities"])


def test_long_names_do_not_make_the_page_long(data, paper, monkeypatch):
    monkeypatch.setattr(_map, "MOST_LETTERS", 4000)
    names = [f"{j} " + "x" * 1000 for j in range(60)]
    found = describe_map(
        paper, data.X, data.y, order_of(paper), names, paper.groups_, task="classification"
    )
    assert sum(map(len, found["points"]["name"])) <= 4000
    assert found["n_shown"] == 20


def test_noise_keeps_everything_at_first_and_less_later(data):
    selector = RobustSelector(3).fit(data.X, data.y)
    noise = describe_noise(selector, data.X, data.y, task="classification")
    assert [row["level"] for row in noise["rows"]] == [0.0, 0.01, 0.05, 0.1, 0.2]
    assert noise["rows"][0]["kept"] == 1.0
    assert noise["rows"][-1]["kept"] <= noise["rows"][1]["kept"]


def test_noise_that_cannot_be_studied_is_said_why(data):
    selector = RobustSelector(3).fit(data.X, data.y)
    sparse = describe_noise(
        selector, scipy.sparse.csr_array(data.X), data.y, task="classification"
    )
    assert (sparse["rows"], "sparse" in sparse["note"]) == ([], True)
    y = np.where(np.arange(40) == 0, "alone", data.y)
    few = describe_noise(selector, data.X, y, task="classification")
    assert few["rows"] == []
    assert "Class 'alone' has 1 sample" in few["note"]


def test_slow_methods_and_large_tables_are_not_studied_unasked():
    assert is_quick("robust", (62, 2000))
    assert not is_quick("svm-rfe", (62, 2000))
    assert not is_quick("robust", (100, 100_000))


def test_the_same_seed_gives_the_same_details(data):
    table = Table(X=data.X, y=data.y, task="classification")
    result = select_features(table, method="paper", n_features=4, n_splits=2)
    made = [describe_details(table, result, noise=False) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0]["noise"] is None
    assert set(made[0]) == {
        "curve",
        "chosen",
        "samples",
        "map",
        "groups",
        "noise",
        "predictions",
        "survival",
        "volcano",
    }
    [predictions] = result.evaluation.predictions.values()
    n_tested = sum(len(each.test) for each in predictions)
    assert np.sum(made[0]["predictions"]["counts"]) == n_tested


def test_the_curve_says_which_numbers_count_as_equal_and_the_least(data):
    selector = RobustSelector(max_features=4).fit(data.X, data.y)
    selector.size_rule_ = SimpleNamespace(as_good=(2, 3), least=2)
    curve = describe_curve(selector)
    assert (curve["equal"], curve["least"]) == ([2, 3], 2)
    paper = PerturbationSelector(rule="one_se", max_features=4, n_repeats=1, random_state=0)
    curve = describe_curve(paper.fit(data.X, data.y))
    assert curve["best"] in curve["equal"]
    assert curve["least"] is None
