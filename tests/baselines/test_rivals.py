"""Tests of what all rivals have in common; each rival has a file for the rest."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs.baselines import (
    AnovaSelector,
    BorutaSelector,
    FSSVMSelector,
    GBMSelector,
    GroupLassoSelector,
    HSICLassoSelector,
    L1LogisticSelector,
    LANDSelector,
    LARSSelector,
    LassoSelector,
    MRMRSelector,
    MutualInformationSelector,
    PCASelector,
    RandomForestSelector,
    RandomSelector,
    ReliefFSelector,
    RLSRSelector,
    StabilitySelector,
    SVMRFESelector,
)
from perturbfs.datasets import make_wide_classification, make_wide_regression

pytestmark = pytest.mark.slow

CLASSES_ONLY = [L1LogisticSelector(), GroupLassoSelector()]
SELECTORS = [
    AnovaSelector(),
    BorutaSelector(n_estimators=10, max_iter=15, random_state=0),
    GBMSelector(n_estimators=20, random_state=0),
    LARSSelector(),
    LassoSelector(),
    MutualInformationSelector(random_state=0),
    PCASelector(),
    RandomForestSelector(n_estimators=50, random_state=0),
    ReliefFSelector(),
    StabilitySelector(n_pairs=4, random_state=0),
    SVMRFESelector(),
    *CLASSES_ONLY,
]
# The files of these test what the common tests below would.
TESTED_APART = [
    FSSVMSelector(),
    HSICLassoSelector(),
    HSICLassoSelector(1),
    LANDSelector(),
    LANDSelector(1, n_basis=4, basis="samples"),
    MRMRSelector(),
    MRMRSelector(1, relevance="mi", scheme="difference"),
    RLSRSelector(max_iter=5),
    RandomSelector(),
]


def make_quick(selector):
    """Return a copy that does little work; the contract does not depend on the selection."""
    quick = {"n_estimators": 4, "max_iter": 4, "n_pairs": 2, "n_penalties": 9}
    return clone(selector).set_params(**{n: quick[n] for n in selector.get_params() if n in quick})


def each(selectors):
    return pytest.mark.parametrize("selector", selectors, ids=lambda each: type(each).__name__)


@pytest.fixture(scope="module")
def classes():
    return make_wide_classification(60, 150, n_classes=3, n_informative=3, random_state=0)


@pytest.fixture(scope="module")
def two_classes():
    return make_wide_classification(60, 150, n_informative=3, random_state=1)


@pytest.fixture(scope="module")
def quantity():
    return make_wide_regression(60, 150, n_informative=3, random_state=0)


@parametrize_with_checks([*map(make_quick, SELECTORS), *TESTED_APART])
def test_rivals_follow_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@each(SELECTORS)
@pytest.mark.parametrize("n_wanted", [1, 7])
def test_exactly_as_many_features_as_asked_for(selector, n_wanted, classes):
    selector = clone(selector).set_params(n_features_to_select=n_wanted)
    assert selector.fit_transform(classes.X, classes.y).shape == (60, n_wanted)
    assert np.array_equal(selector.support_, selector.ranking_ <= n_wanted)


@each(SELECTORS)
def test_default_number_is_that_of_the_method(selector, two_classes):
    n_selected = clone(selector).fit(two_classes.X, two_classes.y).support_.sum()
    assert 1 <= n_selected < 150


@each(SELECTORS)
def test_class_names_may_be_any_labels(selector, classes):
    names = np.array(["a", "b", "c"])[np.unique(classes.y, return_inverse=True)[1]]
    by_number = clone(selector).set_params(n_features_to_select=5).fit(classes.X, classes.y)
    by_name = clone(selector).set_params(n_features_to_select=5).fit(classes.X, names)
    assert np.array_equal(by_number.support_, by_name.support_)


@each([each for each in SELECTORS if each not in CLASSES_ONLY])
def test_a_quantity_may_be_the_outcome(selector, quantity):
    selector = clone(selector).set_params(n_features_to_select=5).fit(quantity.X, quantity.y)
    assert selector.task_ == "regression"
    assert selector.support_.sum() == 5
    if not isinstance(selector, PCASelector):
        assert (quantity.groups[selector.support_] >= 0).sum() >= 3


@each(CLASSES_ONLY)
def test_a_quantity_is_refused_where_there_is_no_such_form(selector, quantity):
    with pytest.raises(ValueError, match=r"y is a quantity, but \w+ is for classification only"):
        clone(selector).fit(quantity.X, quantity.y)


# The outcome plays no part in the components, and noise comes in correlated blocks of its own.
@each([each for each in SELECTORS if not isinstance(each, PCASelector)])
def test_signal_is_found_better_than_by_chance(selector, two_classes):
    selector = clone(selector).set_params(n_features_to_select=5)
    found = two_classes.groups[selector.fit(two_classes.X, two_classes.y).support_] >= 0
    # 30 of 150 features belong to a signal: four of five by chance has probability below 0.01.
    assert found.sum() >= 4


@each(SELECTORS)
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e150])
def test_constant_features_are_not_taken_before_informative_ones(selector, scale, two_classes):
    constant = np.full((60, 10), 0.1)
    X = np.hstack([constant, two_classes.X]) * scale
    selector = clone(selector).set_params(n_features_to_select=8).fit(X, two_classes.y)
    assert not selector.support_[:10].any()


@each(SELECTORS)
def test_same_seed_gives_the_same_answer(selector, classes):
    first = clone(selector).fit(classes.X[:, :20], classes.y)
    second = clone(selector).fit(classes.X[:, :20], classes.y)
    assert np.array_equal(first.ranking_, second.ranking_)


@each(SELECTORS)
def test_repeated_features_do_no_harm(selector, two_classes):
    X = np.repeat(np.sign(two_classes.X[:, :60]), 2, axis=1)
    selector = clone(selector).set_params(n_features_to_select=6).fit(X, two_classes.y)
    assert selector.support_.sum() == 6


@each(SELECTORS)
def test_a_class_with_one_sample_is_no_obstacle(selector, two_classes):
    y = two_classes.y.copy()
    y[0] = 2
    selector = clone(selector).set_params(n_features_to_select=3).fit(two_classes.X, y)
    assert selector.support_.sum() == 3


@each([LassoSelector(n_features_to_select=80), LARSSelector(n_features_to_select=80)])
def test_more_features_than_the_method_ranks_are_refused(selector, two_classes):
    with pytest.raises(ValueError, match=r"n_features_to_select=80, but L\w+ ranks only \d+"):
        clone(selector).fit(two_classes.X, two_classes.y)
