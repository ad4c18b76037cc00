import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from perturbfs.scoring import N_TREES, GrowingForest, table_for_trees, take_for_trees


def importance(X, y, weights, *, task, n_trees=(N_TREES,)):
    forest = GrowingForest(X.shape[1], y, weights, task=task)
    for count in n_trees:
        forest.grow(take_for_trees(table_for_trees(X), np.arange(len(y))), count)
    return forest.importance()


@pytest.mark.parametrize("n_outputs", [1, 2])
@pytest.mark.parametrize("is_classes", [True, False])
def test_importance_is_that_of_the_forest(is_classes, n_outputs):
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((50, 12)), rng.uniform(0.5, 2, 50)
    y = X[:, :n_outputs] + 0.3 * rng.standard_normal((50, n_outputs))
    y = (np.where(y > 0, "high", "low") if is_classes else y).squeeze()
    forest = ExtraTreesClassifier if is_classes else ExtraTreesRegressor
    task = "classification" if is_classes else "regression"
    options = {"min_samples_leaf": 5, "max_features": "sqrt"}
    expected = forest(100, random_state=0, **options).fit(X, y, sample_weight=weights)
    found = importance(X, y, weights, task=task)
    np.testing.assert_allclose(found, expected.feature_importances_, rtol=1e-12, atol=1e-15)


def test_a_forest_that_grows_in_stages_is_the_same():
    rng = np.random.default_rng(0)
    X, y, weights = rng.standard_normal((40, 9)), rng.integers(0, 2, 40), np.ones(40)
    at_once = importance(X, y, weights, task="classification")
    in_stages = importance(X, y, weights, task="classification", n_trees=(10, 5, 30, N_TREES))
    np.testing.assert_array_equal(in_stages, at_once)


def test_a_sparse_table_gives_the_importance_of_a_dense_one():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.4, (60, 12)).astype(float), rng.integers(0, 3, 60)
    X[:, 3] += y
    found = importance(csr_array(X), y, np.ones(60), task="classification")
    expected = ExtraTreesClassifier(
        100, random_state=0, min_samples_leaf=5, max_features="sqrt"
    ).fit(csr_matrix(X), y)
    np.testing.assert_allclose(found, expected.feature_importances_, rtol=1e-12)


@pytest.mark.parametrize("container", [np.asarray, csr_array])
def test_samples_and_features_are_taken_as_they_are(container):
    X = np.random.default_rng(0).poisson(1.0, (9, 6)).astype(float)
    table = table_for_trees(container(X))
    rows, features = np.array([7, 2, 2]), np.array([0, 4])
    for taken, expected in (
        (take_for_trees(table, rows), X[rows]),
        (take_for_trees(table, rows, features), X[rows][:, features]),
    ):
        dense = taken if container is np.asarray else taken.toarray()
        np.testing.assert_array_equal(dense, expected)


def test_trees_that_cannot_split_give_no_importance():
    found = importance(np.zeros((6, 2)), np.arange(6.0), np.ones(6), task="regression")
    assert found.tolist() == [0, 0]


def test_values_too_large_for_a_tree_are_refused():
    X = np.array([[0.0], [1e300]])
    with pytest.raises(ValueError, match="too large"):
        importance(X, np.arange(2.0), np.ones(2), task="regression")
