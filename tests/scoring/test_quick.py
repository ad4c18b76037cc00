import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from perturbfs.scoring import (
    Panel,
    Samples,
    SplitPanel,
    TrainTest,
    _panel,
    default_predictors,
    r2,
    resolve_scorer,
)
from perturbfs.scoring._panel import MANY
from perturbfs.scoring._quick import quick_way

SIZES = (1, 3, 4, 18, 30)


def table(n_samples=60, n_features=30, n_classes=3):
    X, y = make_classification(
        n_samples, n_features, n_informative=5, n_classes=n_classes, random_state=0
    )
    X = StandardScaler().fit_transform(X)
    quantity = X[:, :3].sum(axis=1) + np.random.default_rng(0).standard_normal(n_samples)
    return X, y, quantity


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(3),
        KNeighborsClassifier(1),
        KNeighborsRegressor(3),
        RidgeCV(np.logspace(-3, 3, 13)),
    ],
)
def test_predictions_are_those_of_a_fresh_fit(model):
    X, classes, quantity = table()
    y = classes if is_classifier(model) else quantity
    # Fewer training samples than features too.
    for n_train in (45, 20):
        predict = quick_way(model, TrainTest(X[:n_train], y[:n_train], X[45:], y[45:]))
        for size in SIZES:
            fresh = clone(model).fit(X[:n_train, :size], y[:n_train])
            expected = fresh.predict(X[45:, :size])
            np.testing.assert_allclose(predict(size), expected, rtol=1e-7, atol=1e-9)
    assert not hasattr(model, "n_features_in_")


def panel_scores(X, y, n_train, *, is_usual):
    """Score all sizes by the default predictors, in the quick way or as any other panel."""
    task = "classification" if y.dtype.kind == "i" else "regression"
    predictors = default_predictors(task)
    scorers = {name: resolve_scorer(None, each, task=task) for name, each in predictors.items()}
    data = Samples(X, y, np.ones(len(y)))
    train, test = data.part(np.arange(n_train)), data.part(np.arange(n_train, len(y)))
    panel = Panel(predictors, scorers, is_usual=is_usual)
    return np.array(list(SplitPanel(panel, train, test).scores(np.arange(30)[::-1], SIZES)))


def test_many_samples_of_two_classes_are_separated_nearly_as_by_svc():
    X, y, _ = table(MANY + 300, n_classes=2)
    quick, slow = (panel_scores(X, y, MANY, is_usual=is_usual) for is_usual in (True, False))
    assert np.all(np.abs(quick - slow) < 0.03)
    assert np.any(quick != slow)
    np.testing.assert_array_equal(quick[:, [0, 2]], slow[:, [0, 2]])


def test_few_samples_and_more_classes_are_left_to_svc():
    for n_samples, n_classes in ((MANY + 20, 3), (60, 2)):
        X, y, _ = table(n_samples, n_classes=n_classes)
        quick, slow = (
            panel_scores(X, y, n_samples - 20, is_usual=is_usual) for is_usual in (True, False)
        )
        np.testing.assert_array_equal(quick, slow)


def test_neighbors_at_the_same_distance_are_left_to_scikit_learn():
    X = np.array([[0.0, 0.0], [1.0, 0.1], [1.0, 0.2], [5.0, 5.0]])
    y = np.array([0, 0, 1, 1])
    predict = quick_way(KNeighborsClassifier(2), TrainTest(X, y, np.zeros((1, 2)), y[:1]))
    assert predict(1) is None
    assert predict(2).tolist() == [0]
    all_of_them = quick_way(KNeighborsClassifier(4), TrainTest(X, y, X, y))
    assert all_of_them(2) is None


def test_values_beyond_single_precision_are_reported_by_the_tree():
    X, y, _ = table()
    X[0, 0] = 1e100
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="too large for dtype"):
        panel_scores(X, y, 40, is_usual=True)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_quick_panel_scores_like_a_slow_one(task):
    X, classes, quantity = table()
    y = classes if task == "classification" else quantity
    found = [panel_scores(X, y, 40, is_usual=is_usual) for is_usual in (True, False)]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9)


def test_what_is_not_usual_is_never_quick(monkeypatch):
    X, _, quantity = table()
    predictors = default_predictors("regression")
    monkeypatch.setattr(_panel, "quick_way", lambda *_: pytest.fail("quick"))
    scorers = dict.fromkeys(predictors, lambda *_: 0.0)
    data = Samples(X, quantity, np.ones(60))
    judges = SplitPanel(Panel(predictors, scorers, False, True), data, data)
    assert list(judges.scores(np.arange(4), [2])) == [[0.0, 0.0, 0.0]]


def test_r2_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 2)), rng.standard_normal(20)
    model = RidgeCV().fit(X, y)
    assert r2(y, model.predict(X)) == pytest.approx(model.score(X, y), rel=1e-12)
