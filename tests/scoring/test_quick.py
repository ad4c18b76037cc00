import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.scoring import Panel, Samples, SplitPanel, _panel, default_predictors
from perturbfs.scoring._quick import MANY, quick_way
from perturbfs.scoring._scorers import R2, r2, score_mean_recall

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
        DecisionTreeClassifier(min_samples_split=10, random_state=0),
        KNeighborsClassifier(3),
        KNeighborsClassifier(1),
        DecisionTreeRegressor(min_samples_split=10, random_state=0),
        KNeighborsRegressor(3),
        RidgeCV(np.logspace(-3, 3, 13)),
    ],
)
def test_predictions_are_those_of_a_fresh_fit(model):
    X, classes, quantity = table()
    y = classes if is_classifier(model) else quantity
    # Fewer training samples than features too.
    for n_train in (45, 20):
        predict = quick_way(model, X[:n_train], y[:n_train], X[45:])
        for size in SIZES:
            fresh = clone(model).fit(X[:n_train, :size], y[:n_train])
            expected = fresh.predict(X[45:, :size])
            np.testing.assert_allclose(predict(size), expected, rtol=1e-7, atol=1e-9)
    assert not hasattr(model, "n_features_in_")


def test_many_samples_of_two_classes_are_separated_nearly_as_by_svc():
    X, y, _ = table(MANY + 300, n_classes=2)
    model = SVC(kernel="linear")
    predict = quick_way(model, X[:MANY], y[:MANY], X[MANY:])
    for size in SIZES:
        expected = clone(model).fit(X[:MANY, :size], y[:MANY]).predict(X[MANY:, :size])
        assert np.mean(predict(size) == expected) > 0.97


def test_few_samples_and_more_classes_are_left_to_scikit_learn():
    X, y, _ = table(MANY)
    assert quick_way(SVC(kernel="linear"), X, y, X) is None
    assert quick_way(SVC(kernel="linear"), X[:50], y[:50] > 0, X) is None


def test_neighbors_at_the_same_distance_are_left_to_scikit_learn():
    X = np.array([[0.0, 0.0], [1.0, 0.1], [1.0, 0.2], [5.0, 5.0]])
    predict = quick_way(KNeighborsClassifier(2), X, np.array([0, 0, 1, 1]), np.zeros((1, 2)))
    assert predict(1) is None
    assert predict(2).tolist() == [0]
    all_of_them = quick_way(KNeighborsClassifier(4), X, np.array([0, 0, 1, 1]), X)
    assert all_of_them(2) is None


def test_values_beyond_single_precision_are_left_to_scikit_learn():
    X = np.array([[0.0], [1e300]])
    tree = DecisionTreeClassifier(random_state=0)
    assert quick_way(tree, X, np.array([0, 1]), X)(1) is None


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_quick_panel_scores_like_a_slow_one(task):
    X, classes, quantity = table()
    y = classes if task == "classification" else quantity
    data = Samples(X, y, np.ones(60))
    train, test = data.part(np.arange(40)), data.part(np.arange(40, 60))
    predictors = default_predictors(task)
    scorers = dict.fromkeys(predictors, score_mean_recall if task == "classification" else R2)
    found = [
        list(
            SplitPanel(Panel(predictors, scorers, False, is_usual), train, test).scores(
                order, SIZES
            )
        )
        for is_usual in (True, False)
        for order in [np.arange(30)[::-1]]
    ]
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
    assert r2(y, model.predict(X)) == pytest.approx(R2(model, X, y), rel=1e-12)
