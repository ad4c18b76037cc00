"""RobustSelector with survival outcomes: martingale residuals, of the training samples alone."""

import numpy as np
import pytest
from made_survival import make_survival
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline

from perturbfs import RobustSelector
from perturbfs.arrays import survival_outcome
from perturbfs.checks import martingale_residuals
from perturbfs.robust import _table
from perturbfs.robust._prepare import unit_targets
from perturbfs.robust._problem import PathSettings
from perturbfs.scoring import (
    RidgeCox,
    Samples,
    SplitPanel,
    concordance,
    default_predictors,
    inner_splits,
    make_panel,
)


def test_the_features_that_change_the_hazard_are_selected():
    X, y = make_survival(200, 100, 4)
    selector = RobustSelector().fit(X, y)
    assert selector.task_ == "survival"
    assert set(range(4)) <= set(np.flatnonzero(selector.support_))
    assert {selector.direction_[feature] for feature in range(4)} == {"rises with the risk"}
    assert selector.coef_[0, :4].min() > 0
    assert not selector.nonlinear_


def test_columns_of_time_and_event_give_the_same_features_as_the_structured_outcome():
    X, y = make_survival()
    columns = np.column_stack([y["time"], y["event"]])
    first, second = (
        RobustSelector(max_features=10, task=task).fit(X, each)
        for task, each in (("auto", y), ("survival", columns))
    )
    assert first.path_.tolist() == second.path_.tolist()
    assert first.n_features_ == second.n_features_


def test_the_path_is_that_of_a_regression_on_the_martingale_residuals():
    X, y = make_survival(ties=True)
    found = RobustSelector(12).fit(X, y)
    expected = RobustSelector(12, task="regression", nonlinear=False)
    expected.fit(X, martingale_residuals(y))
    assert found.path_.tolist() == expected.path_.tolist()
    assert found.coef_ == pytest.approx(expected.coef_)


def test_an_inner_split_sees_the_residuals_of_its_training_samples_alone():
    X, y = make_survival()
    rows = np.arange(0, 120, 2)
    changed = y.copy()
    changed["time"][1::2] *= 7
    changed["event"][1::2] ^= True
    settings = PathSettings("survival")
    first, second = (
        settings.targets(Samples(X, each, np.ones(120)), rows) for each in (y, changed)
    )
    expected = unit_targets(martingale_residuals(y[rows]), np.full(60, 1 / 60), task="regression")
    assert first.tolist() == second.tolist()
    assert first == pytest.approx(expected)


def test_a_weight_of_two_is_a_sample_that_is_there_twice():
    X, y = make_survival(80, 20)
    counts = np.random.default_rng(0).integers(1, 3, len(y))
    weighted = RobustSelector(6).fit(X, y, sample_weight=counts)
    repeated = RobustSelector(6).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.path_.tolist() == repeated.path_.tolist()


def test_weights_count_on_the_inner_splits_too():
    X, y = make_survival(90, 20)
    weights = np.r_[np.ones(60), np.full(30, 1e-6)]
    some = RobustSelector(max_features=5).fit(X, y, sample_weight=weights)
    assert (
        some.candidates_[0].score != RobustSelector(max_features=5).fit(X, y).candidates_[0].score
    )


def test_inner_scores_are_those_of_the_default_predictor():
    X, y = make_survival(90, 12)
    samples = Samples(X, y, np.ones(90))
    options = {"estimator": None, "scoring": None, "is_weighted": False, "n_train": 60}
    panel = make_panel(y, task="survival", **options)
    train, test = inner_splits(X, y, None, task="survival", cv=3)[0]
    order, sizes = np.arange(12)[::-1], [1, 3, 12]
    found = [
        each
        for [each] in SplitPanel(panel, samples, (train, test), task="survival").scores(
            order, sizes
        )
    ]
    for size, score in zip(sizes, found, strict=True):
        part = X[:, order[:size]]
        model = default_predictors("survival")["cox"].fit(part[train], y[train])
        assert score == pytest.approx(concordance(y[test], model.predict(part[test])), abs=1e-12)


def test_inner_splits_keep_the_share_of_the_events():
    X, y = make_survival(100, 3)
    shares = [
        y["event"][test].mean() for _, test in inner_splits(X, y, None, task="survival", cv=5)
    ]
    assert np.ptp(shares) <= 0.1


class Backwards(BaseEstimator):
    """Predicts the opposite of the Cox model."""

    def fit(self, X, y):
        self.model_ = RidgeCox().fit(X, y)
        return self

    def predict(self, X):
        return -self.model_.predict(X)


def test_another_estimator_and_scorer_may_judge():
    X, y = make_survival(100, 10)
    bad = RobustSelector(max_features=4, estimator=Backwards()).fit(X, y)
    assert max(each.score for each in bad.candidates_) < 0.5

    def last_risk(model, X, y):
        return float(model.predict(X)[-1] > -1e9)

    fixed = RobustSelector(max_features=4, scoring=last_risk).fit(X, y)
    assert [each.score for each in fixed.candidates_] == [1.0] * 4


def test_an_estimator_of_scikit_survival_may_judge():
    models = pytest.importorskip("sksurv.linear_model")
    X, y = make_survival(100, 10)
    model = models.CoxPHSurvivalAnalysis(alpha=1.0)
    found = RobustSelector(max_features=4, estimator=model).fit(X, y)
    assert max(each.score for each in found.candidates_) > 0.7


def test_it_works_in_a_pipeline_with_a_model_of_survival():
    X, y = make_survival(150, 30)
    model = make_pipeline(RobustSelector(6), RidgeCox()).fit(X[:100], y[:100])
    assert concordance(y[100:], model.predict(X[100:])) > 0.7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"nonlinear": True}, "there is no forest"),
        ({"scoring": "r2"}, "do not know survival outcomes"),
        ({"estimator": "tree"}, "Pass a model of survival"),
        ({"task": "classification"}, "y is a survival outcome"),
    ],
)
def test_options_that_do_not_fit_a_survival_are_refused(options, words):
    X, y = make_survival(40, 5)
    with pytest.raises(ValueError, match=words):
        RobustSelector(**options).fit(X, y)


def test_few_events_and_lengths_that_differ_are_refused():
    X, y = make_survival(40, 5)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        RobustSelector().fit(X[:30], y)
    few = survival_outcome(np.arange(40) < 3, y["time"])
    with pytest.raises(ValueError, match="happened in 3 of 40 samples"):
        RobustSelector().fit(X, few)
    assert RobustSelector(2).fit(X, few).n_features_ == 2  # needs no splits


def test_a_task_of_survival_needs_two_columns():
    X, y = make_survival(40, 5)
    with pytest.raises(ValueError, match="y has 1 column"):
        RobustSelector(task="survival").fit(X, y["time"])


def test_nearly_no_censored_samples_are_no_hindrance():
    X, y = make_survival(60, 8, 2)
    y["event"] = np.arange(60) != 7
    assert RobustSelector(max_features=4).fit(X, y).n_features_ >= 1


@pytest.mark.parametrize("kind", ["sparse", "large"])
def test_sparse_and_large_tables_give_the_same_features(kind, monkeypatch):
    X, y = make_survival(100, 300)
    X[np.abs(X) < 0.5] = 0
    expected = RobustSelector(max_features=8).fit(X, y)
    if kind == "large":
        monkeypatch.setattr(_table, "LARGE_BYTES", 0)  # so that it is sieved in blocks
    found = RobustSelector(max_features=8).fit(csr_matrix(X) if kind == "sparse" else X, y)
    assert found.path_.tolist() == expected.path_.tolist()
    assert found.n_features_ == expected.n_features_
