import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold

from perturbfs import RobustSelector
from perturbfs.robust import sizes_to_try


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 80)), np.arange(60) % 3
    X[:, :3] += 2.5 * np.eye(3)[y]
    X[:, 10] = X[:, 0] + 0.3 * rng.standard_normal(60)
    return X, y


def test_a_number_gives_exactly_that_many(table):
    selector = RobustSelector(7).fit(*table)
    assert selector.transform(table[0]).shape == (60, 7)
    assert selector.candidates_ == ()
    assert np.isnan(selector.stability_)
    assert selector.ranking_[selector.path_].tolist() == list(range(1, 8))
    assert set(np.flatnonzero(selector.coef_.any(axis=0))) == set(selector.path_)


def test_auto_takes_few_features_that_matter(table):
    selector = RobustSelector(max_features=8).fit(*table)
    assert {0, 1, 2} & set(np.flatnonzero(selector.support_))
    assert selector.support_.sum() <= 4
    assert [each.k for each in selector.candidates_] == list(range(1, 9))
    assert selector.stability_ > 0.5
    assert selector.noise_ in (0.5, 1.0, 2.0)
    assert not selector.nonlinear_


def test_smaller_numbers_are_nested(table):
    path = RobustSelector(8).fit(*table).path_
    np.testing.assert_array_equal(RobustSelector(3).fit(*table).path_, path[:3])


def test_a_group_holds_the_near_copy(table):
    selector = RobustSelector(3).fit(*table)
    [group] = [members for members in selector.groups_.values() if 0 in members]
    assert set(group) == {0, 10}
    assert selector.angle_to_target_[0] < selector.angle_to_target_[20] <= 90


def test_rare_and_frequent_classes_have_the_same_say():
    rng = np.random.default_rng(1)
    y = np.array([0] * 80 + [1] * 10 + [2] * 10)
    X = rng.standard_normal((100, 50))
    X[:, :3] += 3 * np.eye(3)[y]
    assert set(RobustSelector(3, nonlinear=False).fit(X, y).path_) == {0, 1, 2}


def test_several_labels_and_several_quantities_are_taken(table):
    X, _ = table
    rng = np.random.default_rng(0)
    quantities = X[:, [20, 30]] + 0.1 * rng.standard_normal((60, 2))
    for y in (quantities, (quantities > 0).astype(int)):
        selector = RobustSelector(max_features=4).fit(X, y)
        assert set(np.flatnonzero(selector.support_)) >= {20, 30}
        weighted = RobustSelector(max_features=4).fit(X, y, sample_weight=np.full(60, 2.0))
        assert set(np.flatnonzero(weighted.support_)) >= {20, 30}


def test_a_regressor_takes_whole_numbers_for_a_quantity(table):
    X, y = table
    assert RobustSelector(1, estimator=Ridge()).fit(X, y).task_ == "regression"
    assert RobustSelector(1).fit(X, y).task_ == "classification"


def test_products_of_features_are_found_by_the_forest():
    X = np.random.default_rng(0).standard_normal((220, 12))
    y = (X[:, 3] * X[:, 7] > 0).astype(int)
    selector = RobustSelector(2).fit(X, y)
    assert selector.nonlinear_
    assert set(selector.path_) == {3, 7}
    assert not RobustSelector(2).fit(X, (X[:, 3] + X[:, 7] > 0).astype(int)).nonlinear_


def test_frames_and_sparse_matrices_give_the_same(table):
    pd = pytest.importorskip("pandas")
    X, y = table
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(80)])
    expected = RobustSelector(5).fit(X, y)
    named = RobustSelector(5).fit(frame, y)
    assert set(named.get_feature_names_out()) == {f"gene {j}" for j in expected.path_}
    np.testing.assert_array_equal(
        RobustSelector(5, nonlinear=True).fit(csr_array(X), y).path_,
        RobustSelector(5, nonlinear=True).fit(X, y).path_,
    )


def test_own_estimator_scoring_and_groups_are_used(table):
    X, y = table
    selector = RobustSelector(
        estimator=LogisticRegression(), scoring="accuracy", cv=GroupKFold(3), max_features=4
    ).fit(X, y, groups=np.repeat(np.arange(6), 10))
    assert len(selector.candidates_) == 4


def test_no_fewer_features_than_asked_for_are_tried(table):
    selector = RobustSelector(min_features=5, max_features=7).fit(*table)
    assert [each.k for each in selector.candidates_] == [5, 6, 7]


@pytest.mark.parametrize(
    ("arguments", "change", "message"),
    [
        ({"n_features_to_select": 81}, {}, "n_features_to_select=81, but X has 80 features"),
        ({"n_features_to_select": 9}, {"X": "copies"}, "only 2 features of X vary"),
        ({"min_features": 9, "max_features": 8}, {}, "min_features=9, but at most 8 of the 80"),
        ({}, {"X": "constant"}, "No feature of X varies"),
        ({}, {"y": "constant"}, "y is the same for all 60 samples"),
        ({"estimator": LogisticRegression()}, {"y": "quantity"}, "LogisticRegression is a class"),
    ],
)
def test_what_cannot_be_done_is_said(table, arguments, change, message):
    X, y = table
    if change.get("X") == "copies":
        X = np.tile(X[:, :2], 40)
    elif change.get("X") == "constant":
        X = np.ones_like(X)
    elif change.get("X") == "one sample":
        X = np.zeros_like(X)
        X[0] = 1.0
    if change.get("y") == "constant":
        y = np.zeros(60, dtype=int)
    elif change.get("y") == "quantity":
        y = X[:, 0]
    with pytest.raises(ValueError, match=message):
        RobustSelector(**arguments).fit(X, y)


@pytest.mark.parametrize("weights", [np.ones(3), np.r_[-1.0, np.ones(59)]])
def test_weights_that_make_no_sense_are_refused(table, weights):
    with pytest.raises(ValueError, match=r"sample_weight has the shape|weights are positive"):
        RobustSelector(2).fit(*table, sample_weight=weights)


def test_sizes_grow_by_about_a_fifth():
    assert sizes_to_try(3) == [1, 2, 3]
    assert sizes_to_try(16, 9) == [9, 10, 12, 14, 16]
    assert sizes_to_try(40) == [*range(1, 11), 12, 14, 16, 19, 22, 26, 31, 37, 40]
