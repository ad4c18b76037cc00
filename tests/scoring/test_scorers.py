import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, make_scorer

from perturbfs import evaluate
from perturbfs.baselines import RandomSelector
from perturbfs.scoring import (
    check_scorable,
    default_predictors,
    metric_name,
    named_predictors,
    resolve_scorer,
)

RNG = np.random.default_rng(0)
X, BINARY, THREE = RNG.standard_normal((40, 8)), np.tile([0, 1], 20), np.arange(40) % 3


def test_the_default_is_balanced_accuracy_for_classes_and_r2_for_quantities():
    model = default_predictors("classification")["tree"].fit(X, THREE)
    scorer = resolve_scorer(None, model, task="classification")
    assert metric_name(None, task="classification") == "balanced_accuracy"
    expected = balanced_accuracy_score(THREE, model.predict(X))
    assert scorer(model, X, THREE) == pytest.approx(expected)
    assert metric_name(None, task="regression") == "r2"


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_all_named_predictors_can_be_had_and_others_are_refused_with_their_names(task):
    with pytest.raises(ValueError, match="Use one of tree") as refused:
        named_predictors(["svc"], task)
    names = str(refused.value).split("Use one of ")[1].rstrip(".").split(", ")
    predictors = named_predictors(names, task)
    assert list(predictors) == names
    for predictor in predictors.values():
        assert predictor.fit(X, BINARY).predict(X).shape == (40,)


def test_machines_without_probabilities_have_an_area_under_the_curve():
    predictors = default_predictors("classification")
    scorers = {
        name: resolve_scorer("roc_auc", each, task="classification")
        for name, each in predictors.items()
    }
    check_scorable(scorers, predictors, BINARY, metric="roc_auc", n_features=3)


@pytest.mark.parametrize(
    ("scoring", "predictors", "y", "message"),
    [
        ("roc_auc", ["tree"], THREE, r"'tree' cannot be scored by 'roc_auc'.*use 'roc_auc_ovr'"),
        ("roc_auc_ovr", ["svm"], THREE, r"'svm' cannot be scored by 'roc_auc_ovr'.*predict_proba"),
        ("f1", ["3nn"], THREE, r"'3nn' cannot be scored by 'f1'.*Choose another scoring"),
        ("accuracyy", ["tree"], THREE, r"scoring='accuracyy' is not known. Use a name"),
    ],
)
def test_what_cannot_be_scored_is_refused_before_any_work(scoring, predictors, y, message):
    with pytest.raises(ValueError, match=message):
        evaluate(
            {"random": RandomSelector()},
            X,
            y,
            scoring=scoring,
            predictors=named_predictors(predictors, "classification"),
            on_split=pytest.fail,
        )


def test_three_classes_have_an_area_under_the_curve_with_probabilities():
    found = evaluate(
        {"random": RandomSelector()},
        X,
        THREE,
        n_features=[3],
        scoring="roc_auc_ovr",
        predictors=named_predictors(["tree", "logistic"], "classification"),
        n_splits=2,
        random_state=0,
    )
    assert found.metric == "roc_auc_ovr"
    assert found.estimate("guessing", "all").mean == 0.5


def test_a_score_that_is_no_number_is_an_error():
    def nothing(estimator, X, y):
        return float("nan")

    with pytest.raises(ValueError, match="scoring returned nan for DecisionTree"):
        evaluate({"r": RandomSelector()}, X, BINARY, n_features=[3], n_splits=2, scoring=nothing)


def test_scorers_made_by_scikit_learn_are_named_as_they_show_themselves():
    scorer = make_scorer(balanced_accuracy_score)
    assert metric_name(scorer, task="classification") == str(scorer)
