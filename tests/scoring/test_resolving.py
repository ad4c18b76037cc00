import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs.scoring import mean_recall, resolve_estimator, resolve_scorer, resolve_splitter


def test_named_estimators_have_the_settings_of_the_released_program():
    tree = resolve_estimator(None, task="classification", seed=3)
    assert isinstance(tree, DecisionTreeClassifier)
    assert (tree.min_samples_split, tree.min_samples_leaf, tree.random_state) == (10, 1, 3)
    svm = resolve_estimator("svm", task="classification", seed=3)
    assert (svm.kernel, svm.C) == ("linear", 1.0)
    assert resolve_estimator("knn", task="classification", seed=3).n_neighbors == 1
    assert isinstance(resolve_estimator("tree", task="regression", seed=3), DecisionTreeRegressor)
    assert isinstance(resolve_estimator("svm", task="regression", seed=3), SVR)


def test_an_estimator_is_copied_and_seeded_only_where_it_has_no_seed():
    given = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    resolved = resolve_estimator(given, task="classification", seed=3)
    assert resolved.named_steps["decisiontreeclassifier"].random_state == 3
    assert given.named_steps["decisiontreeclassifier"].random_state is None
    seeded = resolve_estimator(SVC(random_state=7), task="classification", seed=3)
    assert seeded.random_state == 7


def test_mean_recall_is_balanced_accuracy():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 4, 50), rng.integers(0, 4, 50)
    assert mean_recall(y_true, y_pred) == pytest.approx(balanced_accuracy_score(y_true, y_pred))
    assert mean_recall(["a", "a", "b"], ["a", "b", "b"]) == pytest.approx(0.75)


def test_mean_recall_leaves_out_classes_that_do_not_occur():
    assert mean_recall(["a", "a"], ["a", "c"]) == pytest.approx(0.5)


def test_default_scores_fit_the_task():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 2)), rng.standard_normal(30)
    tree = DecisionTreeRegressor(max_depth=2).fit(X, y)
    assert resolve_scorer(None, tree, task="regression")(tree, X, y) == tree.score(X, y)


@pytest.mark.parametrize(("smallest", "n_splits"), [(2, 2), (4, 4), (5, 5), (30, 5)])
def test_default_folds_are_as_many_as_the_smallest_class_allows(smallest, n_splits):
    y = np.repeat(["a", "b"], [40, smallest])
    splitter = resolve_splitter(None, y, task="classification", seed=0)
    assert isinstance(splitter, StratifiedKFold)
    assert splitter.n_splits == n_splits
    assert splitter.shuffle


def test_a_class_with_one_sample_is_an_error_that_names_it():
    y = np.repeat(["common", "rare"], [10, 1])
    with pytest.raises(ValueError, match="Class 'rare' has 1 sample, but 2 folds need at least 2"):
        resolve_splitter(None, y, task="classification", seed=0)


def test_more_folds_than_samples_of_a_class_are_an_error():
    y = np.repeat([0, 1], [10, 3])
    with pytest.raises(ValueError, match="Class 1 has 3 samples, but 4 folds need at least 4"):
        resolve_splitter(4, y, task="classification", seed=0)


def test_quantities_are_split_without_classes():
    y = np.linspace(0, 1, 4)
    assert isinstance(resolve_splitter(None, y, task="regression", seed=0), KFold)
    with pytest.raises(ValueError, match="There are 4 samples, but 5 folds need at least 5"):
        resolve_splitter(5, y, task="regression", seed=0)


def test_splitters_and_lists_of_splits_are_used_as_they_are():
    y = np.repeat([0, 1], 5)
    given = GroupKFold(3)
    assert resolve_splitter(given, y, task="classification", seed=0) is given
    splits = [(np.arange(5), np.arange(5, 10))]
    found = resolve_splitter(splits, y, task="classification", seed=0)
    assert found.get_n_splits() == 1
