"""Every rival selects from any table what it promises, or one sentence says why not."""

import pytest
from any_tables import QUICK, attempt, check_selected, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from perturbfs import baselines

pytestmark = pytest.mark.slow
LITTLE_WORK = {"n_estimators": 4, "max_iter": 5, "n_pairs": 2, "n_penalties": 9, "random_state": 0}


def make_quick(name, **params):
    selector = getattr(baselines, name)(**params)
    known = selector.get_params()
    return selector.set_params(**{key: LITTLE_WORK[key] for key in LITTLE_WORK if key in known})


@pytest.mark.parametrize("name", baselines.__all__)
def test_a_rival_selects_or_says_why_not(name):
    @settings(QUICK, max_examples=40)
    @given(tables(), st.sampled_from([None, 1, 3]))
    def check(table, n_features):
        X, y = table
        selector = make_quick(name, n_features_to_select=n_features)
        if attempt(selector.fit, X, y) is None:
            return
        check_selected(selector, X)
        again = clone(selector).fit(X, y)
        assert (again.get_support() == selector.get_support()).all()

    check()
