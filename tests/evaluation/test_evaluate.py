from typing import ClassVar

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import ShuffleSplit

from perturbfs import PerturbationSelector, evaluate
from perturbfs._methods import make_selector
from perturbfs.baselines import RandomSelector
from perturbfs.datasets import make_wide_classification
from perturbfs.evaluation import default_predictors


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


@pytest.mark.parametrize("method", ["paper", "mrmr", "lasso", "relieff"])
def test_what_stands_in_the_test_rows_cannot_change_what_is_selected(data, method):
    """A canary: outcome and features of the test rows are replaced by noise."""
    rng = np.random.default_rng(0)
    X, y = data.X, data.X[:, 3] + rng.standard_normal(50)
    # The splits of a quantity do not depend on it, so they can be drawn here again.
    seed = np.random.RandomState(7).randint(2**31 - 1)
    _, test = next(ShuffleSplit(1, test_size=0.3, random_state=seed).split(X))
    noisy_X, noisy_y = X.copy(), y.copy()
    noisy_X[test], noisy_y[test] = 1e3 * rng.standard_normal(X[test].shape), -5.0
    found = [
        evaluate(
            {method: make_selector(method, "auto", task="regression")},
            *pair,
            n_features=[4],
            task="regression",
            n_splits=1,
            random_state=7,
        )
        for pair in ((X, y), (noisy_X, noisy_y), (noisy_X[::-1], noisy_y[::-1]))
    ]
    key = (method, 4)
    np.testing.assert_array_equal(found[0].selections[key], found[1].selections[key])
    # The canary sings: where the noise is in training rows, it does change the selection.
    assert not np.array_equal(found[0].selections[key], found[2].selections[key])
