from dataclasses import replace

import numpy as np
import pytest
from sklearn import get_config
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from perturbfs.scoring import TrainTest, Trial, resolve_scorer

score_mean_recall = resolve_scorer(None, None, task="classification")


@pytest.fixture
def halves():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 5)), rng.integers(0, 3, 40)
    return TrainTest(X[:30], y[:30], X[30:], y[30:])


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_features=2, random_state=0),
        DecisionTreeClassifier(max_features=2, random_state=np.random.RandomState(0)),
        KNeighborsClassifier(1),
        make_pipeline(FunctionTransformer(), SVC()),
    ],
)
def test_every_trial_is_as_a_fresh_clone(halves, estimator):
    trial = Trial(estimator, score_mean_recall)
    scores = [trial.score(halves) for _ in range(3)]
    assert scores[0] == scores[1] == scores[2]
    assert not hasattr(estimator, "n_features_in_")
    fitted = estimator.fit(halves.X_train, halves.y_train)
    assert scores[0] == score_mean_recall(fitted, halves.X_test, halves.y_test)


def test_a_wrong_parameter_is_still_an_error(halves):
    with pytest.raises(ValueError, match="'C' parameter"):
        Trial(SVC(C=-1.0), score_mean_recall).score(halves)


def test_what_a_pipeline_makes_is_checked_in_every_trial(halves):
    no_zeros = FunctionTransformer(lambda X: np.where(X == 0, np.inf, X))
    trial = Trial(make_pipeline(no_zeros, SVC()), score_mean_recall)
    trial.score(halves)
    zero = np.where(np.arange(5) == 0, 0.0, halves.X_train)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        trial.score(replace(halves, X_train=zero))


def test_the_configuration_is_left_as_it_was(halves):
    before = get_config()
    trial = Trial(SVC(), score_mean_recall)
    for _ in range(2):
        trial.score(halves)
    assert get_config() == before


def test_predictions_are_those_of_a_fitted_clone(halves):
    expected = SVC().fit(halves.X_train, halves.y_train).predict(halves.X_test)
    np.testing.assert_array_equal(Trial(SVC()).predict(halves), expected)


def test_a_score_that_is_not_finite_is_refused(halves):
    trial = Trial(SVC(), lambda *_: float("nan"))
    with pytest.raises(ValueError, match="scoring returned nan for SVC with 5 features"):
        trial.score(halves)
