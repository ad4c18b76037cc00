"""What scikit-learn's tests ask of SelectFromModel, asked of it with ours, or of ours."""

import numpy as np
import pytest
from like_scikit_learn import (
    NO_CALLABLE,
    NO_PARTIAL,
    PAPER,
    ROBUST,
    adapts,
    each,
    iris_with_noise,
)
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import ElasticNetCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils._testing import MinimalClassifier

X, y = iris_with_noise()


def of(selector, **params):
    """Return a copy that selects four features unless it is told otherwise."""
    return clone(selector).set_params(**{"n_features_to_select": 4, **params})


@adapts("test_from_model.test_invalid_input")
@pytest.mark.parametrize("threshold", ["gobbledigook", ".5 * gobbledigook"])
@each()
def test_an_unknown_threshold_is_refused_as_with_other_models(selector, threshold):
    model = SelectFromModel(of(selector), threshold=threshold).fit(X, y)
    with pytest.raises(ValueError, match="gobbledigook"):
        model.transform(X)


@adapts("test_from_model.test_input_estimator_unchanged")
@each()
def test_the_inner_estimator_is_fitted_as_a_copy(selector):
    inner = SVC(kernel="linear")
    selector = of(selector, n_features_to_select="auto", estimator=inner, refit=True).fit(X, y)
    assert selector.estimator is inner
    assert not hasattr(inner, "classes_")
    assert hasattr(selector.estimator_, "classes_")
    model = SelectFromModel(estimator=of(selector)).fit(X, y)
    assert model.estimator_ is not model.estimator


@adapts(
    "test_from_model.test_max_features_error",
    departure="A wrong type is a ValueError, as scikit-learn's checks of parameters raise it.",
)
@pytest.mark.parametrize("max_features", [1.5, -1, 0, "many"])
@each()
def test_a_largest_number_that_is_none_is_refused(selector, max_features):
    with pytest.raises(ValueError, match="The 'max_features' parameter of"):
        of(selector, n_features_to_select="auto", max_features=max_features).fit(X, y)


@adapts("test_from_model.test_max_features_callable_data", departure=NO_CALLABLE)
@each()
def test_a_function_as_largest_number_is_refused(selector):
    with pytest.raises(ValueError, match="The 'max_features' parameter of"):
        of(selector, n_features_to_select="auto", max_features=len).fit(X, y)


@adapts("test_from_model.test_inferred_max_features_integer")
@pytest.mark.parametrize("most", [2, 4, None])
@each()
def test_no_more_than_the_largest_number_are_tried(selector, most):
    selector = of(selector, n_features_to_select="auto", max_features=most).fit(X, y)
    assert max(each.k for each in selector.candidates_) <= (most or X.shape[1])
    assert selector.transform(X).shape[1] == selector.n_features_ <= (most or X.shape[1])


@adapts("test_from_model.test_max_features_array_like")
@each()
def test_lists_are_taken(selector):
    rows, labels = X.tolist(), y.tolist()
    of_lists = of(selector).fit(rows, labels)
    np.testing.assert_array_equal(of_lists.support_, of(selector).fit(X, y).support_)
    assert of_lists.transform(rows).shape == (150, 4)


@adapts("test_from_model.test_max_features", departure="The paper's candidates are not nested.")
def test_fewer_features_are_the_first_of_more():
    ten = of(ROBUST, n_features_to_select=9).fit(X, y)
    for number in range(1, 9):
        fewer = of(ROBUST, n_features_to_select=number).fit(X, y)
        np.testing.assert_array_equal(fewer.path_, ten.path_[:number])


@adapts("test_from_model.test_max_features")
@each()
def test_a_limit_alone_takes_the_largest_coefficients(selector):
    sizes = np.linalg.norm(of(selector).fit(X, y).coef_, ord=1, axis=0)
    for number in range(1, 5):
        model = SelectFromModel(of(selector), max_features=number, threshold=-np.inf).fit(X, y)
        expected = np.sort(np.argsort(-sizes, kind="stable")[:number])
        np.testing.assert_array_equal(model.get_support(indices=True), expected)


@adapts("test_from_model.test_max_features_tiebreak")
@each()
def test_of_equal_features_only_the_first_is_taken(selector):
    repeated = np.repeat(X, 2, axis=1)
    taken = of(selector).fit(repeated, y).get_support(indices=True)
    assert np.all(taken % 2 == 0)


@adapts("test_from_model.test_threshold_and_max_features")
@each()
def test_threshold_and_limit_hold_together(selector):
    by_limit = SelectFromModel(of(selector), max_features=3, threshold=-np.inf).fit(X, y)
    by_threshold = SelectFromModel(of(selector), threshold=0.2).fit(X, y)
    both = SelectFromModel(of(selector), max_features=3, threshold=0.2).fit(X, y)
    numbers = [each.get_support().sum() for each in (by_limit, by_threshold)]
    assert both.get_support().sum() == min(numbers)


@adapts("test_from_model.test_feature_importances")
@adapts("test_from_model.test_threshold_string")
@pytest.mark.parametrize(("threshold", "share"), [("mean", 1.0), ("0.5*mean", 0.5)])
@each()
def test_a_threshold_by_the_mean_takes_what_is_above_it(selector, threshold, share):
    model = SelectFromModel(of(selector), threshold=threshold).fit(X, y)
    sizes = np.linalg.norm(model.estimator_.coef_, ord=1, axis=0)
    assert not hasattr(model.estimator_, "feature_importances_")
    np.testing.assert_array_equal(model.get_support(), sizes >= share * sizes.mean())
    assert 0 < model.transform(X).shape[1] < X.shape[1]


@adapts(
    "test_from_model.test_feature_importances",
    departure="Most coefficients of a selector of few features are 0, and so is their median.",
)
def test_a_threshold_by_the_median_takes_everything():
    model = SelectFromModel(of(ROBUST), threshold="median").fit(X, y)
    assert model.threshold_ == 0
    assert model.get_support().all()


@adapts("test_from_model.test_sample_weight", departure="The paper's method takes no weights.")
def test_weights_reach_the_selector_and_their_unit_does_not_matter():
    features, labels = make_classification(
        100, 10, n_informative=3, n_redundant=0, shuffle=False, random_state=0
    )
    weights = np.random.default_rng(0).uniform(0.01, 5.0, 100)
    model = SelectFromModel(of(ROBUST, nonlinear=False))
    plain = model.fit(features, labels).estimator_.coef_
    weighted = model.fit(features, labels, sample_weight=weights).estimator_.coef_
    again = model.fit(features, labels, sample_weight=3 * weights).estimator_.coef_
    assert not np.allclose(weighted, plain)
    np.testing.assert_allclose(again, weighted, atol=1e-12)
    with pytest.raises(ValueError, match="fit got sample_weight, but"):
        SelectFromModel(of(PAPER)).fit(features, labels, sample_weight=weights)


@adapts("test_from_model.test_coef_default_threshold", departure="The threshold is the mean.")
@each()
def test_the_default_threshold_is_that_of_a_model_without_l1_penalty(selector):
    default = SelectFromModel(of(selector)).fit(X, y)
    mean = SelectFromModel(of(selector), threshold="mean").fit(X, y)
    np.testing.assert_array_equal(default.get_support(), mean.get_support())


@adapts("test_from_model.test_2d_coef")
@pytest.mark.parametrize("order", [1, 2, np.inf])
def test_coefficients_of_several_classes_are_taken_by_their_norm(order):
    selector = of(ROBUST)
    model = SelectFromModel(selector, threshold="mean", norm_order=order).fit(X, y)
    coefficients = model.estimator_.coef_
    assert coefficients.shape == (3, 10)
    sizes = np.linalg.norm(coefficients, axis=0, ord=order)
    np.testing.assert_array_equal(model.get_support(), sizes >= sizes.mean())


@adapts("test_from_model.test_2d_coef")
@each()
def test_two_classes_and_a_quantity_have_one_row_of_coefficients(selector):
    assert of(selector).fit(X[:100], y[:100]).coef_.shape == (1, 10)
    features, quantity = make_regression(50, 10, random_state=0)
    assert of(selector).fit(features, quantity).coef_.shape == (1, 10)


@adapts("test_from_model.test_partial_fit", departure=NO_PARTIAL)
@adapts("test_from_model.test_from_model_estimator_attribute_error", departure=NO_PARTIAL)
@each()
def test_there_is_no_fit_in_parts(selector):
    assert not hasattr(selector, "partial_fit")
    model = SelectFromModel(of(selector))
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="has no attribute 'partial_fit'"):
        model.fit(X, y).partial_fit(X, y)


@adapts("test_from_model.test_calling_fit_reinitializes")
@each()
def test_a_second_fit_forgets_the_first(selector):
    selector = of(selector).fit(X, y)
    selector.set_params(n_features_to_select=2).fit(X[:, :6], y)
    assert selector.n_features_in_ == 6
    assert selector.n_features_ == selector.support_.sum() == 2
    fresh = of(selector, n_features_to_select=2).fit(X[:, :6], y)
    np.testing.assert_array_equal(selector.ranking_, fresh.ranking_)
    model = SelectFromModel(of(selector)).fit(X, y)
    model.set_params(estimator__n_features_to_select=3).fit(X, y)
    assert model.estimator_.n_features_ == 3


@adapts("test_from_model.test_prefit")
@each()
def test_a_fitted_selector_is_used_as_it_is(selector):
    fitted = of(selector).fit(X, y)
    prefit = SelectFromModel(fitted, prefit=True)
    again = SelectFromModel(of(selector)).fit(X, y)
    np.testing.assert_array_equal(prefit.transform(X), again.transform(X))
    prefit.fit(X, y)
    np.testing.assert_array_equal(prefit.estimator_.coef_, fitted.coef_)
    with pytest.raises(NotFittedError):
        SelectFromModel(of(selector), prefit=True).fit(X, y)


@adapts("test_from_model.test_prefit_max_features")
@each()
def test_a_fitted_selector_can_be_cut_to_fewer_features(selector):
    fitted = of(selector).fit(X, y)
    model = SelectFromModel(fitted, prefit=True, max_features=2, threshold=-np.inf).fit(X, y)
    assert model.transform(X).shape == (150, 2)
    assert set(model.get_support(indices=True)) <= set(np.flatnonzero(fitted.coef_.any(axis=0)))


@adapts("test_from_model.test_get_feature_names_out_elasticnetcv")
def test_an_inner_estimator_with_a_list_of_settings_is_taken():
    features, quantity = make_regression(40, 5, n_informative=3, random_state=0)
    inner = ElasticNetCV(l1_ratio=[0.25, 0.75], cv=3, random_state=0)
    selector = clone(ROBUST).set_params(estimator=inner, max_features=2, cv=2)
    names = selector.fit(features, quantity).get_feature_names_out()
    np.testing.assert_array_equal(
        names, np.array(["x0", "x1", "x2", "x3", "x4"])[selector.support_]
    )


@adapts("test_from_model.test_prefit_get_feature_names_out")
@each()
def test_names_are_known_after_fit_only(selector):
    for name in ("get_feature_names_out", "get_support", "groups_by_name"):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            getattr(of(selector), name)()
    fitted = of(selector).fit(X, y)
    expected = [f"x{index}" for index in fitted.get_support(indices=True)]
    assert fitted.get_feature_names_out().tolist() == expected


@adapts("test_from_model.test_threshold_without_refitting")
@each()
def test_a_threshold_can_be_raised_without_another_fit(selector):
    model = SelectFromModel(of(selector), threshold="0.1 * mean").fit(X, y)
    n_before = model.transform(X).shape[1]
    model.threshold = "2.0 * mean"
    assert n_before > model.transform(X).shape[1]


@adapts(
    "test_from_model.test_allow_nan_tag_comes_from_estimator",
    departure="The selectors read the features before the inner estimator does.",
)
@each()
def test_missing_values_are_never_said_to_be_allowed(selector):
    assert not selector.__sklearn_tags__().input_tags.allow_nan
    assert not SelectFromModel(of(selector)).__sklearn_tags__().input_tags.allow_nan
    tags = of(selector, estimator=make_pipeline(SVC())).__sklearn_tags__()
    assert tags.input_tags.sparse
    assert tags.target_tags.required
    assert not tags.input_tags.allow_nan


@adapts("test_from_model.test_importance_getter")
@each()
def test_any_attribute_of_a_selector_may_be_the_importance(selector):
    model = SelectFromModel(
        of(selector),
        importance_getter=lambda fitted: 90 - fitted.angle_to_target_,
        max_features=2,
        threshold=-np.inf,
    ).fit(X, y)
    assert model.get_support(indices=True).max() < 4


@adapts("test_from_model.test_estimator_does_not_support_feature_names")
@pytest.mark.filterwarnings("error::UserWarning")
@each()
def test_names_are_kept_whatever_the_inner_estimator_knows(selector):
    pytest.importorskip("pandas")
    frame, target = load_iris(as_frame=True, return_X_y=True)
    selector = of(selector, n_features_to_select="auto", estimator=MinimalClassifier())
    selector.fit(frame, target)
    np.testing.assert_array_equal(selector.feature_names_in_, frame.columns)
    assert set(selector.get_feature_names_out()) <= set(frame.columns)
    assert selector.transform(frame.iloc[1:3]).shape == (2, selector.n_features_)
