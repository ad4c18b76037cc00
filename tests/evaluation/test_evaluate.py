from typing import ClassVar

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedShuffleSplit

from perturbfs import PerturbationSelector, evaluate
from perturbfs.baselines import RandomSelector
from perturbfs.datasets import make_wide_classification, make_wide_regression
from perturbfs.scoring import default_predictors


class SpyingSelector(RandomSelector):
    """Records which rows it was fitted to."""

    seen: ClassVar[list] = []

    def fit(self, X, y=None):
        type(self).seen.append(np.asarray(X[:, 0]))
        return super().fit(X, y)


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(50, 500, random_state=0)


def test_selectors_see_the_training_rows_of_each_split_only(data):
    SpyingSelector.seen = []
    X = data.X.copy()
    X[:, 0] = np.arange(50)
    evaluate({"spy": SpyingSelector()}, X, data.y, n_features=[3], n_splits=4, random_state=0)
    assert [len(rows) for rows in SpyingSelector.seen] == [35] * 4
    assert len({tuple(rows) for rows in SpyingSelector.seen}) == 4


def test_imputers_are_fitted_to_the_training_rows_only(data):
    X = data.X.copy()
    X[::7, 5] = np.nan
    fitted = []

    class SpyingImputer(SimpleImputer):
        def fit(self, X, y=None):
            fitted.append(len(X))
            return super().fit(X, y)

    evaluate(
        {"random": RandomSelector()},
        X,
        data.y,
        n_features=[3],
        imputer=SpyingImputer(),
        n_splits=3,
        random_state=0,
    )
    assert fitted == [35] * 3


def test_all_features_are_not_scored_on_request(data):
    X = scipy.sparse.csr_array(data.X)
    options = {"n_features": [3], "n_splits": 3, "random_state": 0}
    found = evaluate({"random": RandomSelector()}, X, data.y, all_features=False, **options)
    known = evaluate({"random": RandomSelector()}, X, data.y, **options)
    assert found.estimate("random", 3) == known.estimate("random", 3)
    assert [row["method"] for row in found.summary()] == ["random", "guessing"]
    assert [each.against for each in found.planned("random", 3)] == ["guessing", "random"]
    pairs = found.compare(3, references=["all features", "guessing"]).pairs
    assert [{pair.first, pair.second} for pair in pairs] == [{"random", "guessing"}]


def test_there_is_a_score_for_every_method_size_predictor_and_split(data):
    selectors = {"paper": PerturbationSelector(), "random": RandomSelector()}
    found = evaluate(selectors, data.X, data.y, n_features=[2, 5], n_splits=3, random_state=0)
    predictors = set(default_predictors("classification"))
    keys = {(row.method, row.requested, row.predictor, row.split) for row in found.scores}
    expected = {
        (method, size, predictor, split)
        for method in selectors
        for size in (2, 5)
        for predictor in predictors
        for split in range(3)
    }
    assert expected <= keys
    assert {key[0] for key in keys - expected} == {"all features", "guessing"}
    assert found.estimate("guessing", "all").mean == pytest.approx(0.5)
    assert all(len(each) == 3 for each in found.selections.values())


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_the_same_seed_gives_the_same_scores_for_any_number_of_jobs(data, n_jobs):
    options = {"n_features": [4], "n_splits": 3, "random_state": 1}
    first = evaluate({"random": RandomSelector()}, data.X, data.y, **options)
    second = evaluate({"random": RandomSelector()}, data.X, data.y, n_jobs=n_jobs, **options)
    assert [row.score for row in first.scores] == [row.score for row in second.scores]


def test_a_method_that_finds_the_signal_beats_random_features(data):
    class Best(SelectKBest):
        def __init__(self, n_features_to_select=10):
            super().__init__(k=n_features_to_select)
            self.n_features_to_select = n_features_to_select

        def fit(self, X, y):
            self.k = self.n_features_to_select
            return super().fit(X, y)

    selectors = {"best": Best(), "random": RandomSelector()}
    found = evaluate(selectors, data.X, data.y, n_features=[5], random_state=0)
    assert found.estimate("best", 5).low > found.estimate("random", 5).mean
    assert found.stability("best", 5) > 0.4


@pytest.mark.parametrize("random_state", [None, 0])
def test_random_features_are_drawn_anew_in_every_split(data, random_state):
    selector = RandomSelector(random_state=random_state)
    found = evaluate({"random": selector}, data.X, data.y, n_features=[5], random_state=0)
    assert abs(found.stability("random", 5)) < 0.1


def test_quantities_are_scored_by_r2(data):
    y = data.X[:, 0] * 2
    found = evaluate(
        {"random": RandomSelector()},
        data.X,
        y,
        n_features=[3],
        task="regression",
        n_splits=3,
        random_state=0,
    )
    assert found.metric == "r2"
    assert found.estimate("guessing", "all").mean < 0.01


def test_progress_is_told_after_every_split(data):
    calls = []
    evaluate(
        {"random": RandomSelector()},
        data.X,
        data.y,
        n_features=[3],
        n_splits=4,
        on_split=lambda: calls.append(1),
    )
    assert len(calls) == 4


def test_a_method_that_cannot_give_so_many_features_is_recorded_and_the_others_go_on(data):
    selectors = {"most": AtMostThree(), "random": RandomSelector()}
    found = evaluate(selectors, data.X, data.y, n_features=[3, 4], n_splits=2, random_state=0)
    assert [(r.method, r.requested, r.split) for r in found.refusals] == [
        ("most", 4, 0),
        ("most", 4, 1),
    ]
    assert found.refusal("most", 4).reason == "4 features are too many. Ask for at most 3."
    assert found.refusal("most", 3) is None
    assert np.isnan(found.estimate("most", 4).mean)
    assert found.estimate("most", 3).mean > 0
    assert len(found.selections["random", 4]) == 2


def test_a_method_that_fails_in_some_splits_gets_no_mean_over_the_easy_ones(data):
    AtMostThree.fits = 0
    selectors = {"some": AtMostThree(fails_after=1), "random": RandomSelector()}
    found = evaluate(selectors, data.X, data.y, n_features=[3], n_splits=3, random_state=0)
    assert [refusal.split for refusal in found.refusals] == [1, 2]
    assert np.isnan(found.estimate("some", 3).mean)
    assert np.isnan(found.stability("some", 3))
    assert [row.split for row in found.scores if row.method == "some"] == [0] * 3


def test_where_every_method_refuses_the_first_reason_is_raised(data):
    with pytest.raises(ValueError, match=r"'most' with 4 features: 4 features are too many"):
        evaluate({"most": AtMostThree()}, data.X, data.y, n_features=[4, 9], n_splits=2)


def test_errors_that_are_no_refusal_get_through(data):
    class Broken(RandomSelector):
        def fit(self, X, y=None):
            raise RuntimeError("broken")

    selectors = {"broken": Broken(), "random": RandomSelector()}
    with pytest.raises(RuntimeError, match="broken"):
        evaluate(selectors, data.X, data.y, n_features=[3], n_splits=2)


def test_choosing_no_feature_is_guessing(data):
    class Nothing(RandomSelector):
        def _get_support_mask(self):
            return np.zeros(self.n_features_in_, dtype=bool)

    found = evaluate({"nothing": Nothing()}, data.X, data.y, n_features=["auto"], n_splits=2)
    assert found.estimate("nothing", "auto", "svm").mean == 0.5
    assert found.summary()[0]["n_features"] == 0


def test_frames_sparse_matrices_and_lists_give_the_scores_of_arrays(data):
    pd = pytest.importorskip("pandas")
    options = {"n_features": [4], "n_splits": 2, "random_state": 1}
    selectors = {"random": RandomSelector()}
    first = evaluate(selectors, data.X, data.y, **options)
    others = (
        evaluate(selectors, pd.DataFrame(data.X), pd.Series(data.y), **options),
        evaluate(selectors, scipy.sparse.csc_array(data.X), list(data.y), **options),
    )
    for other in others:
        assert [row.score for row in other.scores] == [row.score for row in first.scores]


@pytest.mark.parametrize(
    ("selectors", "sizes", "message"),
    [
        ({}, [3], "0 selectors and 1 numbers of features were given, but at least one of each"),
        ({"guessing": RandomSelector()}, [3], "named 'guessing', but the names .* are reserved"),
        ({"random": RandomSelector()}, [], "1 selectors and 0 numbers of features were given"),
    ],
)
def test_nothing_to_compare_and_names_that_are_taken_are_refused(data, selectors, sizes, message):
    with pytest.raises(ValueError, match=message):
        evaluate(selectors, data.X, data.y, n_features=sizes)


def test_no_patient_is_both_trained_on_and_tested_on(data):
    SpyingSelector.seen = []
    X, patients = data.X.copy(), np.repeat(np.arange(25), 2)
    X[:, 0] = patients
    options = {"n_features": [3], "n_splits": 5, "random_state": 0}
    found = evaluate({"spy": SpyingSelector()}, X, data.y, groups=patients, **options)
    for trained in SpyingSelector.seen:
        assert all(np.sum(trained == patient) == 2 for patient in trained)
    assert found.test_share == pytest.approx(3 / 7, rel=0.2)


def test_classes_that_are_too_small_are_left_out_and_said_to_be(data):
    SpyingSelector.seen = []
    y = np.array(data.y, dtype="<U10")
    y[:3], y[3] = "rare", "single"
    X = data.X.copy()
    X[:, 0] = np.arange(50)
    options = {"n_features": [3], "n_splits": 3, "random_state": 0}
    groups = np.arange(50)
    found = evaluate({"spy": SpyingSelector()}, X, y, min_class_size=4, groups=groups, **options)
    assert found.left_out == {"rare": 3, "single": 1}
    assert min(np.min(rows) for rows in SpyingSelector.seen) >= 4


def test_a_class_of_one_sample_is_an_error_that_names_the_way_out(data):
    y = np.array(data.y, dtype="<U10")
    y[0] = "single"
    with pytest.raises(ValueError, match=r"Class 'single' has 1 sample.*min_class_size=2"):
        evaluate({"random": RandomSelector()}, data.X, y)


def test_quantities_have_no_classes_to_leave_out(data):
    with pytest.raises(ValueError, match="has no classes"):
        evaluate(
            {"random": RandomSelector()},
            data.X,
            data.X[:, 0],
            task="regression",
            min_class_size=3,
        )


@pytest.mark.parametrize("scoring", ["roc_auc", get_scorer("roc_auc")])
def test_the_area_under_the_curve_is_that_of_scikit_learn(data, scoring):
    predictors = default_predictors("classification")
    options = {"n_features": [3], "n_splits": 2, "random_state": 0, "test_size": 0.4}
    found = evaluate({"random": RandomSelector()}, data.X, data.y, scoring=scoring, **options)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    splits = StratifiedShuffleSplit(2, test_size=0.4, random_state=seed).split(data.X, data.y)
    for split, (train, test) in enumerate(splits):
        for name, predictor in predictors.items():
            model = clone(predictor).fit(data.X[train], data.y[train])
            expected = get_scorer("roc_auc")(model, data.X[test], data.y[test])
            row = next(
                row
                for row in found.scores
                if (row.method, row.predictor, row.split) == ("all features", name, split)
            )
            assert row.score == expected
    assert found.estimate("guessing", "all").mean == 0.5


def test_the_score_is_called_by_its_name(data):
    def share_of_first(estimator, X, y):
        return 0.25

    options = {"n_features": [3], "n_splits": 2}
    named = evaluate({"r": RandomSelector()}, data.X, data.y, scoring="f1_macro", **options)
    own = evaluate({"r": RandomSelector()}, data.X, data.y, scoring=share_of_first, **options)
    assert (named.metric, own.metric) == ("f1_macro", "share_of_first")
    assert own.estimate("r", 3).mean == 0.25


class AtMostThree(RandomSelector):
    """Refuses more than three features, and everything after some fits."""

    fits: ClassVar[int] = 0

    def __init__(self, n_features_to_select=3, *, fails_after=1000, random_state=None):
        super().__init__(n_features_to_select, random_state=random_state)
        self.fails_after = fails_after

    def fit(self, X, y=None):
        type(self).fits += 1
        if self.n_features_to_select > 3 or self.fits > self.fails_after:
            raise ValueError(
                f"{self.n_features_to_select} features are too many. Ask for at most 3."
            )
        return super().fit(X, y)


def test_the_task_is_inferred_from_the_outcome():
    data = make_wide_regression(40, 60, random_state=0)
    asked = {"n_features": [2], "n_splits": 2, "random_state": 0}
    found = evaluate({"random": RandomSelector()}, data.X, data.y, **asked)
    named = evaluate({"random": RandomSelector()}, data.X, data.y, task="regression", **asked)
    assert found.scores[0].score == named.scores[0].score
    classes = evaluate({"random": RandomSelector()}, data.X, data.y > 0, **asked)
    assert (found.metric, classes.metric) == ("r2", "balanced_accuracy")


@pytest.mark.parametrize("task", ["auto", "classification", "regression"])
def test_an_outcome_that_never_varies_is_refused_whatever_the_task(task):
    X = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ValueError, match="y is the same for all 6 samples"):
        evaluate({"random": RandomSelector(1)}, X, np.zeros(6), task=task, n_features=[1])
