"""Splits that the user gives as `cv`, and the backend that joblib is told to use."""

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs._support.parallel import run_calls
from perturbfs.datasets import make_wide_classification

ROBUST = RobustSelector(max_features=3)
PAPER = PerturbationSelector(n_repeats=2, max_features=4, random_state=0)


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(30, 20, n_informative=2, n_copies=3, random_state=0)


def with_cv(selector, cv):
    """A copy without `clone`, which cannot copy a generator."""
    return clone(selector).set_params(cv=cv)


@pytest.mark.parametrize("selector", [ROBUST, PAPER])
def test_a_generator_gives_what_its_list_gives(data, selector):
    splits = list(StratifiedKFold(3).split(data.X, data.y))
    expected = with_cv(selector, splits).fit(data.X, data.y)
    found = with_cv(selector, (each for each in splits)).fit(data.X, data.y)
    assert _scores(found) == _scores(expected)
    assert np.array_equal(found.support_, expected.support_)


@pytest.mark.parametrize("selector", [ROBUST, PAPER])
def test_a_generator_that_is_used_up_is_refused(data, selector):
    fitted = with_cv(selector, StratifiedKFold(3).split(data.X, data.y)).fit(data.X, data.y)
    with pytest.raises(ValueError, match=r"no inner splits\. A generator gives its splits only"):
        fitted.fit(data.X, data.y)


@pytest.mark.parametrize("selector", [ROBUST, PAPER])
def test_training_samples_of_one_class_are_refused(data, selector):
    order = np.argsort(data.y)
    with pytest.raises(
        ValueError, match="In inner split 1 all training samples have the same outcome"
    ):
        with_cv(selector, KFold(2)).fit(data.X[order], data.y[order])


def test_calls_run_in_the_backend_of_joblib_that_yields_no_results_one_by_one():
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        found = run_calls((joblib.delayed(abs)(-k) for k in range(5)), n_jobs=None)
        assert list(found) == [0, 1, 2, 3, 4]


def _scores(selector):
    return [each.score for each in selector.candidates_]
