"""What scikit-learn's tests ask of SequentialFeatureSelector, asked of ours."""

import numpy as np
import pytest
from like_scikit_learn import (
    NO_MISSING,
    NO_TOLERANCE,
    PAPER,
    ROBUST,
    adapts,
    each,
    iris_with_noise,
)
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import LeaveOneGroupOut
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = iris_with_noise()
A_NUMBER = make_regression(100, 10, random_state=0)


@adapts("test_sequential.test_bad_n_features_to_select", departure="All features are a choice.")
@each()
def test_as_many_as_all_features_may_be_asked_for_and_no_more(selector):
    everything = clone(selector).set_params(n_features_to_select=10).fit(*A_NUMBER)
    assert everything.support_.all()
    with pytest.raises(ValueError, match=r"n_features_to_select=11.*Ask for at most 10"):
        clone(selector).set_params(n_features_to_select=11).fit(*A_NUMBER)


@adapts("test_sequential.test_bad_n_features_to_select")
@pytest.mark.parametrize("number", [0, -1, 0.0, 1.5, "some"])
@each()
def test_what_is_no_number_of_features_is_refused(selector, number):
    with pytest.raises(ValueError, match="The 'n_features_to_select' parameter of"):
        clone(selector).set_params(n_features_to_select=number).fit(*A_NUMBER)


@adapts("test_sequential.test_n_features_to_select")
@pytest.mark.parametrize("number", [1, 5, 9])
@each()
def test_exactly_as_many_features_as_asked_for(selector, number):
    selector = clone(selector).set_params(n_features_to_select=number).fit(*A_NUMBER)
    assert selector.get_support(indices=True).shape == (number,)
    assert selector.n_features_ == number
    assert selector.transform(A_NUMBER[0]).shape == (100, number)


@adapts("test_sequential.test_n_features_to_select_auto", departure=NO_TOLERANCE)
@pytest.mark.parametrize("auto", ["auto", None])
@each()
def test_the_number_that_is_chosen_is_the_number_that_is_taken(selector, auto):
    selector = clone(selector).set_params(n_features_to_select=auto).fit(*A_NUMBER)
    assert 1 <= selector.n_features_ <= 10
    assert selector.get_support(indices=True).shape == (selector.n_features_,)
    assert selector.transform(A_NUMBER[0]).shape == (100, selector.n_features_)


@adapts("test_sequential.test_n_features_to_select_stopping_criterion", departure=NO_TOLERANCE)
@each()
def test_the_number_chosen_is_the_best_or_within_an_error_of_it(selector):
    features, quantity = make_regression(n_features=50, n_informative=10, random_state=0)
    best = clone(selector).set_params(rule="accuracy", max_features=20).fit(features, quantity)
    means = best.cv_results_["mean_test_score"]
    numbers = best.cv_results_["n_features"]
    assert best.n_features_ == numbers[np.argmax(means)]
    fewer = clone(best).set_params(rule="one_se").fit(features, quantity)
    assert fewer.n_features_ <= best.n_features_


@adapts("test_sequential.test_n_features_to_select_float")
@pytest.mark.parametrize(("share", "number"), [(0.1, 1), (1.0, 10), (0.5, 5), (0.01, 1)])
@each()
def test_a_share_is_rounded_down_to_at_least_one(selector, share, number):
    selector = clone(selector).set_params(n_features_to_select=share).fit(*A_NUMBER)
    assert selector.n_features_ == number


@adapts(
    "test_sequential.test_sanity",
    departure="The paper's method takes a feature of each group, relevant or not, by default.",
)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("number", "expected"), [(2, [0, 2]), (1, [2])])
@pytest.mark.parametrize("name", ["robust", "paper"])
def test_the_features_that_make_the_outcome_are_found(name, number, expected, seed):
    selector = {"robust": ROBUST, "paper": clone(PAPER).set_params(representative="relevance")}[
        name
    ]
    features = np.random.RandomState(seed).randn(100, 3)
    selector = clone(selector).set_params(n_features_to_select=number)
    selector.fit(features, 3 * features[:, 0] - 10 * features[:, 2])
    np.testing.assert_array_equal(selector.get_support(indices=True), expected)


@adapts("test_sequential.test_sparse_support")
@pytest.mark.parametrize("container", [csr_array, csr_matrix])
@each()
def test_the_number_is_chosen_from_sparse_features_as_from_dense_ones(selector, container):
    features, quantity = A_NUMBER
    dense = clone(selector).fit(features, quantity)
    sparse = clone(selector).fit(container(features), quantity)
    np.testing.assert_array_equal(sparse.support_, dense.support_)
    assert sparse.transform(container(features)).shape == (100, dense.n_features_)


@adapts("test_sequential.test_nan_support", departure=NO_MISSING)
@each()
def test_a_table_full_of_holes_is_refused(selector):
    features, quantity = make_regression(40, 4, random_state=0)
    features[np.random.RandomState(0).randint(0, 2, size=(40, 4), dtype=bool)] = np.nan
    with pytest.raises(ValueError, match="X contains NaN"):
        clone(selector).fit(features, quantity)


@adapts("test_sequential.test_pipeline_support")
@each()
def test_a_pipeline_in_the_selector_and_the_selector_in_a_pipeline(selector):
    features, quantity = make_regression(50, 3, random_state=0)
    inner = make_pipeline(StandardScaler(), LinearRegression())
    clone(selector).set_params(estimator=inner).fit(features, quantity).transform(features)
    outer = make_pipeline(StandardScaler(), clone(selector)).fit(features, quantity)
    assert outer.transform(features).shape[1] >= 1


@adapts("test_sequential.test_pipeline_support")
def test_sequential_selection_takes_a_pipeline_with_a_selector():
    pipeline = make_pipeline(
        clone(ROBUST).set_params(n_features_to_select=1), LogisticRegression(max_iter=1000)
    )
    taken = SequentialFeatureSelector(pipeline, n_features_to_select=1, cv=2).fit(X[:, :5], y)
    assert taken.get_support(indices=True) in (2, 3)  # length and width of the petals


@adapts(
    "test_sequential.test_unsupervised_model_fit",
    departure="Without an outcome there is nothing to select for.",
)
@each()
def test_an_outcome_is_needed(selector):
    with pytest.raises(ValueError, match="requires y to be passed"):
        clone(selector).fit(X, None)


@adapts("test_sequential.test_no_y_validation_model_fit")
@pytest.mark.parametrize("outcome", ["no_validation", 1j, 99.9, np.nan, 3])
@each()
def test_what_is_no_outcome_is_refused(selector, outcome):
    with pytest.raises((TypeError, ValueError)):
        clone(selector).fit(X, outcome)


@adapts("test_sequential.test_cv_generator_support")
@each()
def test_a_generator_of_splits_serves_the_whole_fit(selector):
    features, labels = make_classification(random_state=0)
    halves = (np.arange(len(labels)) >= len(labels) // 2).astype(int)
    splits = LeaveOneGroupOut().split(features, labels, groups=halves)
    selector = clone(selector).set_params(
        estimator=KNeighborsClassifier(n_neighbors=5), cv=splits, max_features=5
    )
    assert selector.fit(features, labels).n_features_ <= 5
    assert "split1_test_score" in selector.cv_results_


@adapts(
    "test_sequential.test_fit_rejects_params_with_no_routing_enabled",
    departure="Weights are a parameter of RobustSelector.fit, so they need no routing.",
)
def test_weights_are_used_or_refused_and_never_ignored():
    features, labels = make_classification(random_state=42)
    weights = np.ones_like(labels)
    clone(ROBUST).set_params(n_features_to_select=3).fit(features, labels, sample_weight=weights)
    with pytest.raises(ValueError, match="fit got sample_weight, but"):
        clone(PAPER).set_params(n_features_to_select=3).fit(
            features, labels, sample_weight=weights
        )
