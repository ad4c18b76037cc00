import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

from perturbfs.scoring import forest_importance


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
    found = forest_importance(X, y, weights, task=task)
    np.testing.assert_allclose(found, expected.feature_importances_, rtol=1e-12, atol=1e-15)


def test_trees_that_cannot_split_give_no_importance():
    found = forest_importance(np.zeros((6, 2)), np.arange(6.0), np.ones(6), task="regression")
    assert found.tolist() == [0, 0]


def test_values_too_large_for_a_tree_are_refused():
    X = np.array([[0.0], [1e300]])
    with pytest.raises(ValueError, match="too large"):
        forest_importance(X, np.arange(2.0), np.ones(2), task="regression")
