"""The paper's method in two stages."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs import PerturbationSelector
from perturbfs.arrays import as_blocks
from perturbfs.datasets import make_wide_classification
from perturbfs.paper import StagedSelector

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 400, n_classes=3, random_state=0)


@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.DataWarning")
@parametrize_with_checks([StagedSelector(1)])
def test_estimator_follows_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_second_stage_is_the_selector_on_the_survivors(data):
    selector = PerturbationSelector(n_repeats=2, max_features=9, cv=3)
    staged = StagedSelector(selector=selector, random_state=0).fit(data.X, data.y)
    survivors = staged.survivors_
    # Ten blocks of 40 features; the geometric mean of 40 and 400 is 126.
    assert len(survivors) == 120
    assert np.all(np.diff(survivors) > 0)
    again = staged.selector_.fit(data.X[:, survivors], data.y)
    chosen = np.flatnonzero(staged.support_)
    np.testing.assert_array_equal(chosen, survivors[again.support_])
    assert selector.n_features_to_select == "auto"
    assert not hasattr(selector, "support_")


def test_each_block_keeps_the_features_that_represent_its_groups(data):
    # One block: the first stage is the method itself with as many groups as survivors.
    selector = PerturbationSelector(perturbation="expected", clusterer="warm")
    staged = StagedSelector(
        5, selector=selector, block_size=400, n_survivors=30, random_state=0
    ).fit(data.X, data.y)
    once = PerturbationSelector(30, perturbation="expected", clusterer="warm")
    once.fit(data.X, data.y)
    np.testing.assert_array_equal(staged.survivors_, np.flatnonzero(once.support_))


def test_same_seed_same_answer_and_sparse_as_dense(data):
    X = np.where(np.abs(data.X) < 1, 0.0, data.X)
    first = StagedSelector(7, random_state=3).fit(X, data.y)
    for other in (X, scipy.sparse.csr_array(X), scipy.sparse.csc_array(X)):
        again = StagedSelector(7, random_state=3).fit(other, data.y)
        np.testing.assert_array_equal(again.survivors_, first.survivors_)
        np.testing.assert_array_equal(again.support_, first.support_)
    other_seed = StagedSelector(7, random_state=4).fit(X, data.y)
    assert not np.array_equal(other_seed.survivors_, first.survivors_)


def test_constant_features_never_survive_and_repeated_ones_may(data):
    X = np.repeat(data.X[:, :60], 3, axis=1)
    X[:, :50] = 1.0
    staged = StagedSelector(5, block_size=20, n_survivors=60, random_state=0).fit(X, data.y)
    assert staged.survivors_.min() >= 50
    assert staged.support_.sum() == 5


def test_all_features_survive_where_as_many_are_asked_for(data):
    staged = StagedSelector(5, n_survivors=400, random_state=0).fit(data.X, data.y)
    np.testing.assert_array_equal(staged.survivors_, np.arange(400))


def test_constant_tables_and_tables_in_blocks_are_an_error(data):
    with pytest.raises(ValueError, match="All 400 features of X are constant"):
        StagedSelector(5).fit(np.ones_like(data.X), data.y)
    with pytest.raises(ValueError, match="StagedSelector needs a table in memory"):
        StagedSelector(5).fit(as_blocks(data.X), data.y)
