"""Which tests of scikit-learn's selectors ours have too, and where they depart, and why."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.utils import check_random_state

from perturbfs import PerturbationSelector, RobustSelector

ROBUST = RobustSelector(nonlinear=False)
PAPER = PerturbationSelector(n_repeats=1, random_state=0)

# By file and name of the test. Where a test of ours shows the departure, its name is given too.
NO_MODEL = "A selector is no predictor. Put it into a pipeline, or use refit=True and estimator_."
NO_GETTER = "Features are not ranked by the inner estimator, so it needs fit and predict only."
NO_STEP = "The path is nested and adds one feature at a time, so there is no step."
NO_MISSING = "Missing values are refused by a sentence that says to impute inside a pipeline."
NO_PARTIAL = "All samples are needed at once; tables on disk are read block by block instead."
NO_CALLABLE = "max_features is a number; a share of the features is n_features_to_select=0.1."
NO_TOLERANCE = "The number is chosen by `rule` and its standard error, not by a tolerance."
DEPARTURES = {
    "test_rfe.test_rfe_min_step": NO_STEP,
    "test_rfe.test_rfe_importance_getter_validation": NO_GETTER,
    "test_rfe.test_rfe_sparse_coef": NO_GETTER,
    "test_from_model.test_inferred_max_features_callable": NO_CALLABLE,
    "test_from_model.test_fit_accepts_nan_inf": NO_MISSING,
    "test_from_model.test_transform_accepts_nan_inf": NO_MISSING,
    "test_from_model.test_partial_fit_validate_feature_names": NO_PARTIAL,
    "test_from_model.test_partial_fit_validate_max_features": NO_PARTIAL,  # in 1.6
    "test_from_model.test_feature_importance_sparse": NO_GETTER,
    "test_sequential.test_forward_neg_tol_error": NO_TOLERANCE,
    "test_sequential.test_backward_neg_tol": NO_TOLERANCE,
}


def adapts(name, departure=""):
    """Say which test of scikit-learn a test of ours adapts, and what departs from it, and why."""
    del departure
    file, _, test = name.partition(".")
    assert file in ("test_rfe", "test_from_model", "test_sequential")
    assert test.startswith("test_")
    return lambda function: function


def each(*selectors):
    """Return the mark that runs a test with each of some selectors, both by default."""
    return pytest.mark.parametrize(
        "selector", selectors or (ROBUST, PAPER), ids=lambda each: type(each).__name__
    )


def iris_with_noise():
    """Return the iris data with six features of noise, as the tests of scikit-learn have them."""
    iris = load_iris()
    noise = check_random_state(0).normal(size=(len(iris.data), 6))
    return np.c_[iris.data, noise], iris.target
