"""A canary: if any method, in `evaluate`, saw a test row, what it selects would change."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from perturbfs import evaluate
from perturbfs._support.names import METHODS
from perturbfs.datasets import make_wide_classification
from perturbfs.evaluation import _evaluate, make_selector

# Small enough to be quick; what they look at is the same.
QUICK = {
    "robust": {"max_features": 4},
    "paper": {"n_repeats": 1, "max_features": 4},
    "released": {"n_repeats": 1, "max_features": 4},
    "released-late": {"n_repeats": 1, "max_features": 4},
    "boruta": {"n_estimators": 10, "max_iter": 5},
    "forest": {"n_estimators": 30},
    "gbm": {"n_estimators": 10},
    "stability": {"n_pairs": 4},
}
CASES = [(method, "classification") for method in METHODS]
CASES += [(method, "regression") for method in ("paper", "mrmr", "lasso", "relieff")]


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 30, n_copies=2, random_state=0)


@pytest.fixture
def split(monkeypatch):
    """The same split for all, though the splits of classes depend on the labels."""
    order = np.random.default_rng(5).permutation(40)
    train, test = order[:28], order[28:]
    monkeypatch.setattr(_evaluate, "make_splits", lambda *_, **__: [(train, test)])
    return train, test


def with_noise(X, y, rows):
    """X and y with features of the rows replaced by noise, and their outcomes by others."""
    X, y = X.copy(), y.copy()
    X[rows] = 1e3 * np.random.default_rng(1).standard_normal(X[rows].shape)
    y[rows] = y[rows][::-1] + 7.0 if y.dtype.kind == "f" else np.where(y[rows] == "a", "b", "a")
    return X, y


def select(method, task, X, y):
    number = 4 if method == "random" else "auto"
    selector = make_selector(method, number).set_params(**QUICK.get(method, {}))
    tree = DecisionTreeRegressor() if task == "regression" else DecisionTreeClassifier()
    found = evaluate(
        {method: selector},
        X,
        y,
        n_features=[3, "auto"],
        task=task,
        predictors={"tree": tree},
        imputer=SimpleImputer(strategy="median"),
        n_splits=1,
        random_state=7,
    )
    return [found.selections[method, size][0].tolist() for size in (3, "auto")]


@pytest.mark.parametrize(("method", "task"), CASES)
def test_what_stands_in_the_test_rows_cannot_change_what_is_selected(data, split, method, task):
    train, test = split
    rng = np.random.default_rng(0)
    # The imputer is fitted to some rows, too.
    X = np.where(rng.random(data.X.shape) < 0.05, np.nan, data.X)
    y = np.where(data.y == "class 1", "a", "b")
    if task == "regression":
        y = data.X[:, :6] @ rng.standard_normal(6) + rng.standard_normal(40)
    first = select(method, task, X, y)
    assert select(method, task, *with_noise(X, y, test)) == first
    if method != "random":
        # The canary sings: where the noise is in training rows, it does change the selection.
        assert select(method, task, *with_noise(X, y, train[:12])) != first
