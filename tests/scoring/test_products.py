"""The linear support vector machine fitted to inner products predicts as SVC does."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.svm import SVC

from perturbfs.scoring import by_products, default_predictors
from perturbfs.scoring._products import MOST_SAMPLES, PIECE, StandardizedSVC

USUAL = default_predictors("classification")["svm"]


def made(n_features, n_classes, dtype=np.float64):
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((60, n_features)) * rng.gamma(1.0, 3.0, n_features) + 5).astype(dtype)
    y = np.array(["a", "b", "c", "d"])[rng.integers(0, n_classes, 60)]
    return X[:40], y[:40], X[40:]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("n_features", [1, 7, PIECE + 5])
def test_predictions_and_decisions_are_those_of_svc(n_features, n_classes, dtype):
    X, y, others = made(n_features, n_classes, dtype)
    expected = USUAL.fit(X, y)
    found = by_products(USUAL, len(y)).fit(X, y)
    assert isinstance(found, StandardizedSVC)
    np.testing.assert_array_equal(found.predict(others), expected.predict(others))
    # libsvm stops at a tolerance of 1e-3, so single precision moves the decisions a little.
    tolerance = 1e-8 if dtype == np.float64 else 1e-2
    np.testing.assert_allclose(
        found.decision_function(others), expected.decision_function(others), atol=tolerance
    )
    np.testing.assert_array_equal(found.classes_, expected[-1].classes_)


def test_a_constant_feature_counts_for_nothing():
    X, y, others = made(20, 2)
    X[:, 3], X[:, 4] = 0.1, 1e9
    expected = by_products(USUAL, len(y)).fit(np.delete(X, [3, 4], axis=1), y)
    found = by_products(USUAL, len(y)).fit(X, y)
    np.testing.assert_array_equal(
        found.predict(np.where(np.isin(np.arange(20), [3, 4]), X[:20], others)),
        expected.predict(np.delete(others, [3, 4], axis=1)),
    )


@pytest.mark.parametrize(
    "other",
    [
        SVC(kernel="linear"),
        make_pipeline(StandardScaler(), SVC()),
        make_pipeline(StandardScaler(with_mean=False), SVC(kernel="linear")),
        make_pipeline(RobustScaler(), SVC(kernel="linear")),
        default_predictors("regression")["ridge"],
    ],
)
def test_any_other_predictor_stays(other):
    assert by_products(other, 40) is other


def test_with_very_many_samples_the_products_would_take_too_much_memory():
    assert by_products(USUAL, MOST_SAMPLES + 1) is USUAL
