"""Select features of a table, and describe the table."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from perturbfs._support.names import METHODS
from perturbfs.cli._console import with_progress
from perturbfs.datasets import Table, make_wide_classification, make_wide_regression
from perturbfs.evaluation import make_selector
from perturbfs.evaluation._methods import _METHODS
from perturbfs.results import describe_data, fingerprint, make_imputer, select_features


@pytest.fixture(scope="module")
def table():
    data = make_wide_classification(40, 60, random_state=0)
    return Table(
        X=data.X,
        y=data.y,
        feature_names=data.feature_names,
        task="classification",
        target_name="c",
    )


@pytest.fixture(scope="module")
def result(table):
    return select_features(table, method="paper", n_features=4, n_splits=3)


def test_the_selection_says_what_the_selector_chose(result, table):
    chosen = {feature.index for feature in result.selection.features}
    assert chosen == set(np.flatnonzero(result.selector.support_).tolist())
    assert result.selection.data["classes"] == {"class 1": 20, "class 2": 20}
    assert result.selection.data["fingerprint"] == fingerprint(table)


def test_the_estimate_comes_with_all_features_and_guessing(result):
    estimate = result.selection.estimate
    assert estimate["guessing"]["mean"] == 0.5
    assert 0 <= estimate["all_features"]["mean"] <= 1
    assert (
        estimate["selected"]["low"] <= estimate["selected"]["mean"] <= estimate["selected"]["high"]
    )
    assert estimate["n_features_in_splits"] == [4, 4, 4]


@pytest.mark.parametrize(("limit", "is_scored"), [(0, False), (2**28, True)])
def test_a_large_sparse_table_is_not_made_dense_to_score_all_features(
    table, result, limit, is_scored, monkeypatch
):
    monkeypatch.setattr("perturbfs.results._select.MOST_DENSE_BYTES", limit)
    sparse = replace(table, X=scipy.sparse.csr_array(table.X))
    found = select_features(sparse, method="paper", n_features=4, n_splits=3).selection
    assert (found.estimate["all_features"] is not None) is is_scored
    assert found.estimate["selected"] == result.selection.estimate["selected"]


def test_the_same_seed_gives_the_same_text_for_any_number_of_jobs(result, table):
    again = select_features(table, method="paper", n_features=4, n_splits=3, n_jobs=2)
    assert again.selection.to_json() == result.selection.to_json()


def test_progress_may_hold_what_cannot_be_sent_to_other_processes(table):
    pytest.importorskip("sklearn.callback")
    calls = []
    found = select_features(
        table,
        method="paper",
        n_splits=2,
        n_jobs=2,
        prepare=with_progress(lambda: calls.append(1)),
        n_repeats=2,
        max_features=3,
    )
    assert len(calls) == 2
    assert len(found.selection.features) <= 3


def test_missing_values_are_filled_inside_the_splits(table):
    X = table.X.copy()
    X[::5, 3] = np.nan
    holed = replace(table, X=X, n_missing=8, missing_features=("feature 0003",))
    for impute in ("median", "knn"):
        found = select_features(holed, method="paper", n_features=3, n_splits=2, impute=impute)
        assert found.selection.data["impute"] == impute
    with pytest.raises(ValueError, match="NaN"):
        select_features(holed, method="paper", n_features=3, n_splits=2)


def test_quantities_are_judged_by_r2():
    data = make_wide_regression(40, 60, random_state=0)
    table = Table(X=data.X, y=data.y, task="regression")
    found = select_features(table, method="paper", n_features=3, n_splits=2)
    assert found.selection.estimate["metric"] == "r2"
    assert found.selection.features[0].name is None


def test_whole_numbers_that_are_a_quantity_are_not_taken_for_classes():
    data = make_wide_regression(40, 60, random_state=0)
    table = Table(X=data.X, y=np.round(10 * data.y), task="regression")
    found = select_features(table, method="paper", n_splits=2, n_repeats=1, max_features=3)
    assert found.selector.task_ == "regression"


def test_a_table_without_outcome_is_refused(table):
    with pytest.raises(ValueError, match="no outcome"):
        select_features(replace(table, y=None, task=None), method="paper")


@pytest.mark.parametrize("method", ["robust", "paper", "anova", "random"])
@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.csr_array])
def test_a_table_in_which_nothing_varies_is_refused_by_every_method(method, kind):
    y = np.array(["a", "b"] * 5)
    table = Table(X=kind(np.full((10, 3), 2.0)), y=y, task="classification")
    with pytest.raises(ValueError, match="All 3 features of X are constant"):
        select_features(table, method=method, n_features=1)


def test_the_names_are_those_of_the_methods():
    assert tuple(_METHODS) == METHODS


@pytest.mark.parametrize("method", METHODS)
def test_every_method_selects(table, method):
    selector = make_selector(method, 3, random_state=0)
    quick = {"max_iter": 5, "n_pairs": 5, "n_estimators": 20}
    known = quick.keys() & selector.get_params()
    selector.set_params(**{name: quick[name] for name in known if method != "gbm"})
    assert selector.fit(table.X, table.y).get_support().sum() == 3


def test_unknown_methods_and_imputers_are_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'best' is not known. Use one of robust, paper"):
        make_selector("best", 3)
    with pytest.raises(ValueError, match=r"'mean' is not known. Use one of median, knn"):
        make_imputer("mean")


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csc_array])
def test_features_that_never_vary_are_counted(convert):
    X, y = np.array([[1.0, 0.0, 3.0], [1.0, 0.0, 4.0]]), np.array(["a", "b"])
    table = Table(X=convert(X), y=y, task="classification")
    assert describe_data(table)["n_constant"] == 2
    holed = replace(table, X=np.array([[1.0, np.nan, 2.0], [np.nan, np.nan, 3.0]]))
    assert describe_data(holed)["n_constant"] == 2


def test_the_fingerprint_notices_every_change(table):
    changed = table.X.copy()
    changed[0, 0] += 1e-12
    others = [
        replace(table, X=changed),
        replace(table, y=table.y[::-1]),
        replace(table, feature_names=table.feature_names[::-1]),
    ]
    assert len({fingerprint(each) for each in [table, *others]}) == 4
    assert fingerprint(replace(table, source="elsewhere.csv")) == fingerprint(table)
