"""The fast predictions of the default predictors are those of scikit-learn."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.scoring import (
    Panel,
    Samples,
    SplitPanel,
    _panel,
    default_predictors,
    r2,
    resolve_scorer,
)
from perturbfs.scoring._cores import fit_svm, grow_tree
from perturbfs.scoring._usual import (
    MANY,
    SHRINKAGE,
    WAYS,
    Columns,
    discriminant_analysis,
    nearest_neighbors,
)

SIZES = (1, 3, 4, 18, 30)


def table(n_samples=60, n_features=30, n_classes=3):
    X, y = make_classification(
        n_samples, n_features, n_informative=5, n_classes=n_classes, random_state=0
    )
    quantity = X[:, :3].sum(axis=1) + np.random.default_rng(0).standard_normal(n_samples)
    return X * 10.0 ** np.arange(n_features).clip(max=5), y, quantity


def outcome(task, **shape):
    X, classes, quantity = table(**shape)
    return X, classes if task == "classification" else quantity


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("n_train", [45, 20])  # fewer training samples than features too
def test_predictions_are_those_of_a_fresh_fit(task, n_train):
    X, y = outcome(task)
    n_classes = 3 if task == "classification" else None
    columns = Columns.of(X[:n_train], X[45:], y[:n_train].astype(float), n_classes)
    for name, predictor in default_predictors(task).items():
        predict = WAYS[name](columns)
        for size in SIZES:
            expected = clone(predictor).fit(X[:n_train, :size], y[:n_train]).predict(X[45:, :size])
            np.testing.assert_allclose(predict(size), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_tree_is_that_of_scikit_learn(task, is_sparse):
    X, y = outcome(task)
    X = np.where(X > 0, X, 0).astype(np.float32)
    kind = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    values = csr_matrix(X).tocsc() if is_sparse else X
    expected = kind(min_samples_leaf=2, max_features=7, random_state=5).fit(values, y).tree_
    sizes = np.array([3], dtype=np.intp) if task == "classification" else None
    tree = grow_tree(
        values, y[:, None].astype(float), sizes, seed=5, n_tried=7, min_samples_leaf=2
    )
    np.testing.assert_array_equal(tree.feature, expected.feature)
    np.testing.assert_array_equal(tree.threshold, expected.threshold)
    np.testing.assert_array_equal(tree.value, expected.value)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_support_vector_machine_is_that_of_scikit_learn(n_classes):
    X, y, _ = table(90, n_classes=n_classes)
    X = X / X.std(axis=0)
    model = SVC(kernel="linear").fit(X[:60], y[:60])
    predict = fit_svm(X[:60] @ X[:60].T, y[:60].astype(float), n_classes)
    np.testing.assert_array_equal(predict(X[60:] @ X[:60].T), model.predict(X[60:]))


def panel_scores(X, y, n_train, *, is_usual, task="classification"):
    """Score all sizes by the default predictors, in the fast way or as any other panel."""
    predictors = default_predictors(task)
    scorers = {name: resolve_scorer(None, each, task=task) for name, each in predictors.items()}
    panel = Panel(predictors, scorers, is_usual=is_usual)
    split = (np.arange(n_train), np.arange(n_train, len(y)))
    judges = SplitPanel(panel, Samples(X, y, np.ones(len(y))), split, task=task)
    return np.array(list(judges.scores(np.arange(30)[::-1], SIZES)))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_many_samples_are_separated_by_discriminant_analysis_about_as_well_as_by_svc(n_classes):
    X, y, _ = table(MANY + 300, n_classes=n_classes)
    fast, slow = (panel_scores(X, y, MANY, is_usual=is_usual) for is_usual in (True, False))
    assert np.all(np.abs(fast - slow)[:, 1] < 0.08)
    np.testing.assert_allclose(fast[:, [0, 2]], slow[:, [0, 2]], rtol=1e-14)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_discriminant_analysis_predicts_the_nearest_mean_by_the_covariance_within_classes(
    n_classes,
):
    X, y, _ = table(150, n_classes=n_classes)
    columns = Columns.of(X[:100], X[100:], y[:100].astype(float), n_classes)
    predict = discriminant_analysis(columns)

    for size in SIZES:
        train, test = columns.train_units[:, :size], columns.test_units[:, :size]
        means = np.stack([train[y[:100] == each].mean(axis=0) for each in range(n_classes)])
        within = train - means[y[:100]]
        covariance = within.T @ within / 100 + SHRINKAGE * np.eye(size)
        inverse = np.linalg.inv(covariance)
        apart = np.stack([np.einsum("ij,jk,ik->i", test - m, inverse, test - m) for m in means])
        np.testing.assert_array_equal(predict(size), apart.argmin(axis=0))


@pytest.mark.parametrize("labels", [["a", "b", "c"], [7, -1, 3]])
def test_few_samples_and_more_classes_are_scored_alike(labels):
    for n_samples, n_classes in ((MANY, 3), (60, 2)):
        X, y, _ = table(n_samples, n_classes=n_classes)
        y = np.array(labels)[y]
        fast, slow = (
            panel_scores(X, y, n_samples - 20, is_usual=is_usual) for is_usual in (True, False)
        )
        np.testing.assert_allclose(fast, slow, rtol=1e-14)


def test_a_class_without_training_samples_counts_as_missed():
    X, y, _ = table()
    y = y.copy()
    y[50:] = 9
    fast, slow = (panel_scores(X, y, 45, is_usual=is_usual) for is_usual in (True, False))
    np.testing.assert_allclose(fast, slow, rtol=1e-14)


def test_a_quantity_is_scored_alike():
    X, y = outcome("regression")
    fast, slow = (
        panel_scores(X, y, 40, is_usual=is_usual, task="regression") for is_usual in (True, False)
    )
    np.testing.assert_allclose(fast, slow, rtol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_neighbors_at_the_same_distance_vote_as_in_scikit_learn(n_classes):
    rng = np.random.default_rng(0)
    X, y = rng.integers(-1, 2, (80, 30)).astype(float), rng.integers(0, n_classes, 80)
    predict = nearest_neighbors(Columns.of(X[:60], X[60:], y[:60].astype(float), n_classes))
    columns = Columns.of(X[:60], X[60:], y[:60].astype(float), n_classes)
    for size in SIZES:
        model = KNeighborsClassifier(3).fit(columns.train_units[:, :size], y[:60])
        expected = model.predict(columns.test_units[:, :size])
        np.testing.assert_array_equal(predict(size), expected)


def test_scikit_learn_is_asked_only_where_the_vote_depends_on_which_of_equals_is_taken(
    monkeypatch,
):
    asked = []
    fit = KNeighborsClassifier.fit
    monkeypatch.setattr(
        KNeighborsClassifier, "fit", lambda *args: [asked.append(1), fit(*args)][1]
    )
    # Three training samples are at the same distance from zero; one more is nearer.
    train = np.array([[0.5], [1.0], [-1.0], [1.0]]) + 0.0
    for codes, expected in (([0, 0, 0, 0], 0), ([0, 1, 1, 1], 0), ([0, 0, 1, 1], 1)):
        columns = Columns(
            train, np.zeros((1, 1)), train, np.zeros((1, 1)), np.array(codes, float), 2
        )
        nearest_neighbors(columns)(1)
        assert len(asked) == expected, codes
        asked.clear()


def test_values_beyond_single_precision_are_reported_by_the_tree():
    X, y, _ = table()
    X[0, 0] = 1e100
    with pytest.raises(ValueError, match=r"up to 1e\+100, which is too large"):
        panel_scores(X, y, 40, is_usual=True)


def test_what_is_not_usual_is_scored_by_its_own_scorer(monkeypatch):
    X, _, quantity = table()
    predictors = default_predictors("regression")
    monkeypatch.setattr(_panel, "WAYS", {})
    scorers = dict.fromkeys(predictors, lambda *_: 0.0)
    samples = Samples(X, quantity, np.ones(60))
    split = (np.arange(60), np.arange(60))
    judges = SplitPanel(Panel(predictors, scorers), samples, split, task="regression")
    assert list(judges.scores(np.arange(4), [2])) == [[0.0, 0.0, 0.0]]


def test_r2_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 2)), rng.standard_normal(20)
    model = RidgeCV().fit(X, y)
    assert r2(y, model.predict(X)) == pytest.approx(model.score(X, y), rel=1e-12)
