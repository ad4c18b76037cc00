"""The volcano plot and the table of predictions, each compared with a known answer."""

import numpy as np
import pytest
import scipy.sparse
from scipy.stats import ttest_ind

from perturbfs.evaluation import Prediction
from perturbfs.results import describe_predictions, describe_volcano, find_copies


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], [12, 9])
    X = rng.normal(size=(21, 40))
    X[:, 0] += 3 * (y == "b")
    return X, y


def test_p_values_are_those_of_welchs_test(data):
    X, y = data
    _, rows = describe_volcano(X, y, [0, 5, 7])
    expected = ttest_ind(X[y == "b"], X[y == "a"], equal_var=False).pvalue[[0, 5, 7]]
    assert [row["p_value"] for row in rows] == pytest.approx(expected, rel=1e-3)


def test_q_values_are_those_of_benjamini_and_hochberg(data):
    X, y = data
    _, rows = describe_volcano(X, y, list(range(40)))
    p_values = np.array([row["p_value"] for row in rows])
    for row in rows:
        # The smallest p * n / rank over all p-values that are at least as large.
        larger = p_values[p_values >= row["p_value"]]
        ranks = [np.sum(p_values <= p) for p in larger]
        slow = min(1.0, min(40 * p / rank for p, rank in zip(larger, ranks, strict=True)))
        assert row["q_value"] == pytest.approx(slow, rel=2e-3)


def test_significant_features_are_counted(data):
    found, rows = describe_volcano(*data, [0])
    assert found["n_features"] == 40
    assert found["n_significant"] >= 1
    assert found["p_limit"] >= rows[0]["p_value"]
    assert rows[0]["effect"] > 2


def test_large_positive_values_give_a_log2_fold_change():
    y = np.array(["a"] * 3 + ["b"] * 3)
    X = np.array([[127.0, 0.0]] * 3 + [[511.0, 1.0]] * 3)
    found, [row] = describe_volcano(X, y, [0])
    assert found["label"] == "log2 fold change"
    assert row["effect"] == pytest.approx(2.0)
    sparse, [other] = describe_volcano(scipy.sparse.csr_array(X), y, [0])
    assert (sparse, other) == (found, row)


def test_features_on_different_scales_are_compared_in_standard_deviations(data):
    X, y = data
    found, _ = describe_volcano(X * np.geomspace(1e-4, 1e4, 40), y, [0])
    assert found["label"] == "difference of means in standard deviations"
    assert max(map(abs, found["effect"])) < 10


def test_features_that_never_vary_are_not_tested(data):
    X, y = data
    X[:, 3] = 0.1
    found, rows = describe_volcano(X, y, [3])
    assert found["n_features"] == 39
    assert (rows[0]["p_value"], rows[0]["q_value"]) == (1.0, 1.0)


@pytest.mark.parametrize("labels", [["a"] * 9 + ["b"], ["a", "b", "c", "a", "b"] * 2])
def test_there_is_no_volcano_without_two_classes_of_two_samples(labels):
    found, rows = describe_volcano(np.eye(10), np.array(labels), [1])
    assert found is None
    assert rows == [{"effect": None, "p_value": None, "q_value": None}]


def test_there_is_no_volcano_of_features_that_never_vary():
    found, rows = describe_volcano(np.zeros((6, 3)), np.array(list("aabbbb")), [1])
    assert found is None
    assert rows == [{"effect": None, "p_value": None, "q_value": None}]


def test_features_that_lie_on_each_other_are_drawn_once(data):
    X, y = data
    found, _ = describe_volcano(np.repeat(X, 50, axis=1), y, [0])
    assert len(found["effect"]) <= 41


def test_rates_are_counted_by_hand():
    y = np.array(["ill", "ill", "well", "well", "well"])
    splits = [
        Prediction(np.array([0, 2, 3]), np.array(["ill", "well", "ill"]), np.array([-1, 2, -2.0])),
        Prediction(np.array([1, 3, 4]), np.array(["well", "well", "well"]), np.array([1, 2, 3.0])),
    ]
    found = describe_predictions(splits, y, test_share=0.5)
    assert found["counts"] == [[1, 1], [1, 3]]
    ill, well = found["by_class"]
    assert (ill["sensitivity"]["mean"], ill["specificity"]["mean"]) == (0.5, 0.75)
    assert (well["sensitivity"]["mean"], well["specificity"]["mean"]) == (0.75, 0.5)
    assert found["auc"]["mean"] == 0.75
    assert 0 <= ill["sensitivity"]["low"] <= ill["sensitivity"]["high"] <= 1


def test_three_classes_have_no_single_area():
    y = np.array(["a", "b", "c"])
    split = Prediction(np.arange(3), y, np.eye(3))
    assert describe_predictions([split], y, test_share=0.5)["auc"] is None
    assert describe_predictions([], y, test_share=0.5) is None


def test_near_copies_are_found_whatever_their_sign_and_scale():
    column = np.array([1.0, 2.0, 3.0, 5.0])
    columns = np.stack([column, -7 * column + 1, [1.0, -1.0, 1.0, -1.0], np.ones(4)], axis=1)
    assert find_copies(columns) == [[(1, -1.0)], [(0, -1.0)], [], []]
