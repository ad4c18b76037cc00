"""The predictor that a selector keeps with refit=True."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.validation import check_is_fitted

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.datasets import make_wide_classification, make_wide_regression
from perturbfs.scoring._predictors import RIDGE_PENALTIES

SVM = make_pipeline(StandardScaler(), SVC(kernel="linear"))
RIDGE = make_pipeline(StandardScaler(), RidgeCV(RIDGE_PENALTIES))


@pytest.fixture(scope="module")
def table():
    return make_wide_classification(60, 100, random_state=0)


@pytest.mark.parametrize("number", [5, "auto"])
def test_the_default_is_a_linear_model_fitted_to_what_transform_returns(table, number):
    selector = RobustSelector(number, max_features=6, refit=True).fit(table.X, table.y)
    small = selector.transform(table.X)
    by_hand = clone(SVM).fit(small, table.y)
    np.testing.assert_allclose(
        selector.estimator_.decision_function(small), by_hand.decision_function(small)
    )


def test_it_is_ridge_regression_for_a_quantity():
    table = make_wide_regression(60, 100, random_state=0)
    selector = RobustSelector(5, refit=True).fit(table.X, table.y)
    small = selector.transform(table.X)
    by_hand = clone(RIDGE).fit(small, table.y)
    np.testing.assert_allclose(selector.estimator_.predict(small), by_hand.predict(small))


def test_weights_reach_all_its_steps(table):
    weights = np.random.default_rng(0).uniform(0.1, 3.0, 60)
    weights[:5] = 0.0  # as if these samples were not there
    selector = RobustSelector(5, refit=True).fit(table.X, table.y, sample_weight=weights)
    small = selector.transform(table.X)
    by_hand = clone(SVM).fit(
        small[5:],
        table.y[5:],
        standardscaler__sample_weight=weights[5:],
        svc__sample_weight=weights[5:],
    )
    np.testing.assert_allclose(
        selector.estimator_.decision_function(small), by_hand.decision_function(small)
    )


def test_sparse_features_and_several_labels_are_taken(table):
    labels = np.column_stack([table.y == "class 1", table.X[:, 0] > 0]).astype(int)
    selector = RobustSelector(4, refit=True).fit(csr_array(table.X), labels)
    assert isinstance(selector.estimator_, MultiOutputClassifier)
    assert selector.estimator_.predict(selector.transform(table.X)).shape == (60, 2)


@pytest.mark.parametrize("selector", [RobustSelector(5), PerturbationSelector(5, random_state=0)])
def test_it_is_the_estimator_that_was_given_as_a_fitted_copy(selector, table):
    given = LogisticRegression()
    selector = clone(selector).set_params(refit=True, estimator=given).fit(table.X, table.y)
    by_hand = LogisticRegression().fit(selector.transform(table.X), table.y)
    np.testing.assert_allclose(selector.estimator_.coef_, by_hand.coef_)
    with pytest.raises(NotFittedError):
        check_is_fitted(given)


@pytest.mark.parametrize("selector", [RobustSelector(5), PerturbationSelector(5)])
def test_nothing_is_fitted_unless_it_is_asked_for(selector, table):
    assert not hasattr(clone(selector).fit(table.X, table.y), "estimator_")


def test_weights_go_to_the_predictor_of_the_paper_method(table):
    weights = np.random.default_rng(0).uniform(0.1, 3.0, 60)
    selector = PerturbationSelector(5, estimator=LogisticRegression(), refit=True, random_state=0)
    selector.fit(table.X, table.y, sample_weight=weights)
    by_hand = LogisticRegression().fit(selector.transform(table.X), table.y, weights)
    np.testing.assert_allclose(selector.estimator_.coef_, by_hand.coef_)
