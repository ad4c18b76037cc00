"""What scikit-learn's tests ask of RFE and RFECV, asked of ours."""

import numpy as np
import pytest
from joblib import parallel_config
from like_scikit_learn import (
    NO_GETTER,
    NO_MISSING,
    NO_MODEL,
    NO_STEP,
    PAPER,
    ROBUST,
    adapts,
    each,
    iris_with_noise,
)
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier, is_regressor
from sklearn.compose import TransformedTargetRegressor
from sklearn.cross_decomposition import CCA, PLSCanonical, PLSRegression
from sklearn.datasets import load_iris, make_friedman1
from sklearn.feature_selection import RFE
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer, make_scorer, zero_one_loss
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

X, y = iris_with_noise()


class MockClassifier(ClassifierMixin, BaseEstimator):
    """Predicts 1 always; has no importances of features, which RFE would need."""

    def fit(self, X, y, prop=None):
        self.prop_ = prop
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.ones(len(X), dtype=int)


@adapts("test_rfe.test_rfe_features_importance")
def test_the_path_and_the_forest_find_the_same_useful_features():
    """Petal length and width are nearly copies, which both leave out unless asked not to."""
    path = clone(ROBUST).set_params(n_features_to_select=3).fit(X, y)
    forest = clone(path).set_params(nonlinear=True).fit(X, y)
    assert path.get_support(indices=True).max() < 4
    assert np.array_equal(path.support_, forest.support_)


@adapts("test_rfe.test_rfe", departure=NO_MODEL)
@pytest.mark.parametrize("container", [csr_array, csr_matrix])
@each()
def test_sparse_features_give_what_dense_ones_give(selector, container):
    selector = clone(selector).set_params(n_features_to_select=4)
    dense = clone(selector).fit(X, y)
    sparse = clone(selector).fit(container(X), y)
    assert len(dense.ranking_) == X.shape[1]
    assert dense.transform(X).shape == (150, 4)
    np.testing.assert_array_equal(sparse.ranking_, dense.ranking_)
    np.testing.assert_allclose(sparse.transform(container(X)).toarray(), dense.transform(X))


@adapts("test_rfe.test_rfe")
def test_without_the_limit_for_near_copies_the_useful_features_are_found():
    selector = clone(ROBUST).set_params(n_features_to_select=4, max_correlation=None)
    np.testing.assert_array_equal(selector.fit_transform(X, y), X[:, :4])


@adapts("test_rfe.test_RFE_fit_score_params", departure=NO_MODEL)
def test_parameters_of_fit_reach_the_inner_estimator_of_the_paper_method():
    selector = clone(PAPER).set_params(estimator=MockClassifier(), refit=True)
    assert selector.fit(X, y, prop="foo").estimator_.prop_ == "foo"
    assert selector.fit(X, y).estimator_.prop_ is None


@adapts("test_rfe.test_RFE_fit_score_params")
def test_parameters_that_nothing_would_use_are_refused():
    with pytest.raises(ValueError, match="fit got prop, but"):
        clone(PAPER).set_params(n_features_to_select=4).fit(X, y, prop="foo")
    with pytest.raises(TypeError, match="unexpected keyword argument 'prop'"):
        clone(ROBUST).fit(X, y, prop="foo")


@adapts("test_rfe.test_rfe_percent_n_features")
@each()
def test_a_share_of_the_features_is_that_number(selector):
    by_number = clone(selector).set_params(n_features_to_select=4).fit(X, y)
    by_share = clone(selector).set_params(n_features_to_select=0.4).fit(X, y)
    np.testing.assert_array_equal(by_share.ranking_, by_number.ranking_)
    np.testing.assert_array_equal(by_share.support_, by_number.support_)


@adapts("test_rfe.test_rfe_mockclassifier")
@each()
def test_the_inner_estimator_may_be_any_class_with_fit_and_predict(selector):
    selector = clone(selector).set_params(n_features_to_select=4, estimator=MockClassifier())
    assert selector.fit_transform(X, y).shape == (150, 4)
    assert len(selector.ranking_) == X.shape[1]


@adapts("test_rfe.test_rfecv_mockclassifier")
@adapts("test_rfe.test_rfecv")
@each()
def test_results_have_one_entry_for_each_number_tried(selector):
    selector = clone(selector).set_params(estimator=MockClassifier()).fit(X, list(y))
    n_tried = len(selector.candidates_)
    assert {len(values) for values in selector.cv_results_.values()} == {n_tried}
    assert len(selector.ranking_) == X.shape[1]


@adapts("test_rfe.test_rfecv")
def test_features_of_noise_are_left_out():
    selector = clone(ROBUST).fit(X, list(y))
    assert not selector.support_[4:].any()
    sparse = clone(ROBUST).fit(csr_array(X), y)
    np.testing.assert_array_equal(sparse.support_, selector.support_)


@adapts("test_rfe.test_rfecv")
@each()
def test_a_loss_an_accuracy_and_a_scorer_by_name_choose_the_same_number(selector):
    """The loss is one minus the accuracy, so all three order the candidates alike."""
    loss = make_scorer(zero_one_loss, greater_is_better=False)
    found = [
        clone(selector).set_params(estimator=SVC(kernel="linear"), scoring=scoring).fit(X, y)
        for scoring in (loss, get_scorer("accuracy"), "accuracy")
    ]
    for other in found[1:]:
        np.testing.assert_array_equal(other.support_, found[0].support_)


@adapts("test_rfe.test_rfecv", departure="The paper's method never makes a single group.")
@pytest.mark.parametrize(("selector", "fewest"), [(ROBUST, 1), (PAPER, 2)])
def test_of_equal_scores_the_fewest_features_win(selector, fewest):
    selector = clone(selector).set_params(rule="accuracy", scoring=lambda *_: 1.0)
    assert selector.fit(X, y).n_features_ == fewest


@adapts("test_rfe.test_rfecv_verbose_output")
@each()
def test_verbose_prints_what_is_decided(selector, capsys):
    clone(selector).fit(X, y)
    assert capsys.readouterr().out == ""
    clone(selector).set_params(verbose=1).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.startswith(f"[{type(selector).__name__}] ") for line in lines)
    assert "features" in lines[-1]


@adapts("test_rfe.test_rfecv_cv_results_size", departure=NO_STEP)
@adapts("test_rfe.test_rfecv_cv_results_n_features", departure=NO_STEP)
@pytest.mark.parametrize(("fewest", "most"), [(1, 4), (2, 4), (3, 9), (4, 4)])
def test_results_name_every_number_between_the_limits(fewest, most):
    selector = clone(ROBUST).set_params(min_features=fewest, max_features=most).fit(X, y)
    np.testing.assert_array_equal(selector.cv_results_["n_features"], np.arange(fewest, most + 1))
    assert fewest <= selector.n_features_ <= most


@adapts("test_rfe.test_rfe_estimator_tags", departure=NO_MODEL)
@each()
def test_a_pipeline_with_a_selector_is_a_classifier_with_stratified_folds(selector):
    assert not is_classifier(selector)
    assert not is_regressor(selector)
    data, target = load_iris(return_X_y=True)  # sorted by class: plain folds would score 0
    pipeline = make_pipeline(
        clone(selector).set_params(n_features_to_select=2), SVC(kernel="linear")
    )
    assert is_classifier(pipeline)
    assert cross_val_score(pipeline, data, target).min() > 0.7


@adapts("test_rfe.test_number_of_subsets_of_features", departure=NO_STEP)
@pytest.mark.parametrize("n_wanted", [1, 3, 7])
def test_ranks_count_the_steps_of_the_path(n_wanted):
    ranking = clone(ROBUST).set_params(n_features_to_select=n_wanted).fit(X, y).ranking_
    assert sorted(ranking)[:n_wanted] == list(range(1, n_wanted + 1))
    assert set(ranking[ranking > n_wanted]) == {n_wanted + 1}


@pytest.mark.slow
@adapts("test_rfe.test_rfe_cv_n_jobs")
@each()
def test_the_number_of_jobs_changes_no_result(selector):
    one = clone(selector).fit(X, y)
    two = clone(selector).set_params(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(two.ranking_, one.ranking_)
    assert two.cv_results_.keys() == one.cv_results_.keys()
    for key, values in one.cv_results_.items():
        np.testing.assert_array_equal(two.cv_results_[key], values)


@adapts(
    "test_rfe.test_rfe_cv_groups",
    departure="Groups that leave training samples of one class only are refused.",
)
@each()
def test_a_splitter_of_groups_gets_the_groups(selector):
    groups = np.arange(len(y)) % 4
    selector = clone(selector).set_params(cv=GroupKFold(n_splits=2), scoring="accuracy")
    assert selector.fit(X, (y > 0).astype(int), groups=groups).n_features_ > 0
    with pytest.raises(ValueError, match="groups"):
        clone(selector).fit(X, y)
    in_order = np.floor(np.linspace(0, 4, len(y)))
    with pytest.raises(ValueError, match="all training samples have the same outcome"):
        clone(selector).fit(X, (y > 0).astype(int), groups=in_order)


@adapts("test_rfe.test_rfe_wrapped_estimator", departure=NO_GETTER)
@each()
def test_the_inner_estimator_may_wrap_another_one(selector):
    features, quantity = make_friedman1(n_samples=50, n_features=10, random_state=0)
    wrapped = TransformedTargetRegressor(
        regressor=LinearRegression(), func=np.log, inverse_func=np.exp
    )
    selector = clone(selector).set_params(estimator=wrapped).fit(features, quantity)
    assert selector.task_ == "regression"
    assert selector.n_features_ >= 1


@adapts("test_rfe.test_rfe_allow_nan_inf_in_x", departure=NO_MISSING)
@pytest.mark.parametrize("value", [np.nan, np.inf])
@each()
def test_values_that_are_not_finite_are_refused_with_advice(selector, value):
    spoiled = X.copy()
    spoiled[0, 0] = value
    with pytest.raises(ValueError, match=r"X contains (NaN|inf)\w*: 1 values, in column 0"):
        clone(selector).fit(spoiled, y)


@adapts("test_rfe.test_w_pipeline_2d_coef_")
@each()
def test_the_inner_estimator_may_be_a_pipeline(selector):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    selector = clone(selector).set_params(estimator=pipeline, max_features=3)
    assert 1 <= selector.fit_transform(X, y).shape[1] <= 3


# Of two or three features of iris, some samples are equal.
few_features = pytest.mark.filterwarnings("ignore:.*repeat:perturbfs.exceptions.DataWarning")


@few_features
@adapts("test_rfe.test_w_pipeline_2d_coef_")
@each()
def test_rfe_takes_the_coefficients_of_a_selector_inside_a_pipeline(selector):
    selector = clone(selector).set_params(n_features_to_select=2)
    rfe = RFE(
        make_pipeline(StandardScaler(), selector),
        n_features_to_select=2,
        importance_getter=lambda pipeline: pipeline[-1].coef_,
    )
    assert rfe.fit_transform(X, y).shape == (150, 2)


@few_features
@adapts("test_rfe.test_rfe")
@each()
def test_rfe_keeps_features_of_the_flowers(selector):
    """With coefficients of the wrong shape it would keep the last features, which are noise."""
    selector = clone(selector).set_params(n_features_to_select=1)
    rfe = RFE(selector, n_features_to_select=1).fit(X, y)
    assert rfe.get_support(indices=True) < 4


@adapts("test_rfe.test_rfe")
def test_rfe_keeps_exactly_what_the_robust_selector_takes():
    selector = clone(ROBUST).set_params(n_features_to_select=5).fit(X, y)
    rfe = RFE(clone(selector), n_features_to_select=5, step=5).fit(X, y)
    np.testing.assert_array_equal(rfe.support_, selector.support_)


@adapts("test_rfe.test_rfecv_std_and_mean")
@each()
def test_mean_and_deviation_are_those_of_the_splits(selector):
    found = clone(selector).fit(X, y).cv_results_
    splits = np.array([found[key] for key in found if key.startswith("split")])
    np.testing.assert_allclose(found["mean_test_score"], splits.mean(axis=0))
    np.testing.assert_allclose(found["std_test_score"], splits.std(axis=0))


@adapts("test_rfe.test_multioutput", departure="The paper's method has one target.")
def test_several_outputs_are_for_the_robust_selector_only():
    rng = np.random.default_rng(0)
    features, outputs = rng.normal(size=(10, 3)), rng.integers(2, size=(10, 2))
    assert clone(ROBUST).set_params(n_features_to_select=1).fit(features, outputs).support_.any()
    with pytest.raises(ValueError, match="1d array"):
        clone(PAPER).fit(features, outputs)


@adapts("test_rfe.test_pipeline_with_nans", departure=NO_MISSING)
@each()
def test_an_imputer_belongs_before_the_selector(selector):
    spoiled = X.copy()
    spoiled[0, 0] = np.nan
    selector = clone(selector).set_params(n_features_to_select=3)
    assert make_pipeline(SimpleImputer(), selector).fit_transform(spoiled, y).shape == (150, 3)
    with pytest.raises(ValueError, match="Impute them first"):
        clone(selector).set_params(estimator=make_pipeline(SimpleImputer(), SVC())).fit(spoiled, y)


@adapts("test_rfe.test_rfe_pls")
@adapts("test_from_model.test_select_from_model_pls")
@pytest.mark.parametrize("pls", [CCA, PLSCanonical, PLSRegression])
@each()
def test_partial_least_squares_may_be_the_inner_estimator(selector, pls):
    features, quantity = make_friedman1(n_samples=50, n_features=10, random_state=0)
    selector = clone(selector).set_params(estimator=pls(n_components=1))
    pipeline = make_pipeline(selector, pls(n_components=1)).fit(features, quantity)
    assert pipeline.score(features, quantity) > 0.5


@adapts("test_rfe.test_rfe_estimator_attribute_error", departure=NO_MODEL)
@each()
def test_a_selector_has_no_methods_of_a_predictor(selector):
    fitted = clone(selector).set_params(n_features_to_select=3, refit=True).fit(X, y)
    for name in ("predict", "predict_proba", "predict_log_proba", "decision_function", "score"):
        assert not hasattr(fitted, name)
    assert fitted.estimator_.score(fitted.transform(X), y) > 0.7
    rfe = RFE(clone(selector).set_params(n_features_to_select=3), n_features_to_select=3)
    with pytest.raises(AttributeError, match="no attribute 'predict'"):
        rfe.fit(X, y).predict(X)


@adapts(
    "test_rfe.test_rfe_n_features_to_select_warning",
    departure="Who asks for 21 of 10 features is told, rather than given 10.",
)
@each()
def test_more_features_than_there_are_is_an_error(selector):
    with pytest.raises(ValueError, match=r"n_features_to_select=21.*Ask for at most 10"):
        clone(selector).set_params(n_features_to_select=21).fit(X, y)
    with pytest.raises(ValueError, match=r"min_features=21.* at most 10"):
        clone(ROBUST).set_params(min_features=21).fit(X, y)


@adapts(
    "test_rfe.test_rfe_with_sample_weight",
    departure="The paper's method has no weighted form, so it refuses them.",
)
def test_a_weight_of_two_is_the_sample_twice():
    rng = np.random.default_rng(1)
    features, labels = rng.normal(size=(60, 20)), np.arange(60) % 2
    features[:30, 3] += 2.0 * labels[:30]
    features[30:, 5] += 2.5 * labels[30:]
    weights = np.where(np.arange(60) < 30, 2.0, 1.0)
    selector = clone(ROBUST).set_params(n_features_to_select=5)
    weighted = clone(selector).fit(features, labels, sample_weight=weights)
    twice = np.r_[np.arange(60), np.arange(30)]
    repeated = clone(selector).fit(features[twice], labels[twice])
    np.testing.assert_array_equal(weighted.ranking_, repeated.ranking_)
    unit = clone(selector).fit(features, labels, sample_weight=np.ones(60))
    assert not np.array_equal(unit.ranking_, repeated.ranking_)
    with pytest.raises(ValueError, match="fit got sample_weight, but"):
        clone(PAPER).set_params(n_features_to_select=5).fit(
            features, labels, sample_weight=weights
        )


@adapts("test_rfe.test_rfe_with_joblib_threading_backend")
@each()
def test_threads_give_what_processes_give(selector):
    selector = clone(selector).set_params(n_jobs=2)
    with parallel_config("threading"):
        threads = clone(selector).fit(X, y)
    np.testing.assert_array_equal(threads.ranking_, clone(selector).fit(X, y).ranking_)


@adapts(
    "test_rfe.test_results_per_cv_in_rfecv",
    departure="Subsets of the splits are not kept; their agreement is `stability_`.",
)
@each()
def test_every_split_has_a_score_for_every_number(selector):
    found = clone(selector).set_params(cv=5).fit(X, y).cv_results_
    keys = [key for key in found if key.startswith("split")]
    assert keys == [f"split{number}_test_score" for number in range(5)]
    assert len({len(found[key]) for key in keys}) == 1
