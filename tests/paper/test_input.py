"""What users hand in by mistake, and what they are told."""

import re

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression, Ridge

from perturbfs import PerturbationSelector
from perturbfs.exceptions import DataWarning


@pytest.fixture
def X():
    return np.random.default_rng(0).standard_normal((20, 50))


@pytest.fixture
def y():
    return np.repeat(["ill", "well"], 10)


def assert_refused(X, y, *parts, **options):
    """Fitting fails with a message that holds all the parts."""
    pattern = ".*".join(re.escape(part) for part in parts)
    with pytest.raises(ValueError, match=f"(?s){pattern}"):
        PerturbationSelector(**{"n_repeats": 1, **options}).fit(X, y)


def test_missing_values_are_counted_and_named(X, y):
    X[2, 7] = X[3, 7] = X[5, 9] = np.nan
    assert_refused(X, y, "contains NaN: 3 values, in column 7, column 9", "Impute them first")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"gene {j}" for j in range(50)])
    assert_refused(frame, y, "3 values, in 'gene 7', 'gene 9'")
    assert_refused(scipy.sparse.csc_array(X), y, "contains NaN: 3 values, in column 7, column 9")


def test_many_features_with_missing_values_are_not_all_named(X, y):
    X[0] = np.nan
    assert_refused(X, y, "50 values, in column 0,", "column 4 and 45 more")


def test_infinity_is_refused(X, y):
    X[2, 7] = -np.inf
    assert_refused(X, y, "contains infinity: 1 values, in column 7", "Replace inf by a number")


def test_missing_outcomes_are_refused(X):
    outcome = np.linspace(0, 1, 20)
    outcome[3] = np.nan
    assert_refused(X, outcome, "y contains NaN")


def test_one_class_is_refused(X):
    assert_refused(
        X, ["ill"] * 20, "y is the same for all 20 samples", "ill", "nothing to predict"
    )


def test_a_constant_quantity_is_refused(X):
    assert_refused(X, [0.5] * 20, "y is the same for all 20 samples", "nothing to predict")


def test_a_class_with_one_sample_is_refused(X, y):
    y[0] = "rare"
    assert_refused(
        X,
        y,
        "Class 'rare' has 1 sample, but 2 folds need at least 2",
        "Leave the class out or merge",
    )
    assert PerturbationSelector(5).fit(X, y).support_.sum() == 5  # nothing is split here


def test_fewer_than_two_samples_are_refused(X, y):
    assert_refused(X[:1], y[:1], "1 sample(s)", "minimum of 2 is required")


def test_no_features_are_refused(X, y):
    assert_refused(X[:, :0], y, "0 feature(s)", "minimum of 1 is required")


def test_constant_features_alone_are_refused(y):
    assert_refused(np.ones((20, 3)), y, "All 3 features of X are constant")


def test_text_among_the_features_is_named(X, y):
    table = X.astype(object)
    table[:, 3] = "male"
    assert_refused(table, y, "X holds text in column 3, but features must be numbers")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"gene {j}" for j in range(50)])
    frame["sex"] = "male"
    assert_refused(frame, y, "X holds text in 'sex'")
    polars = pytest.importorskip("polars")
    assert_refused(polars.from_dicts(frame.to_dict("records")), y, "X holds text in 'sex'")


def test_complex_numbers_are_refused(X, y):
    assert_refused(X + 0j, y, "Complex data not supported: X has dtype complex128")


def test_more_features_than_the_rank_are_refused(X, y):
    message = "n_features_to_select=21 exceeds the rank of X, which is 20"
    assert_refused(X, y, message, "Ask for at most 20", n_features_to_select=21)
    assert_refused(X, y, "max_features=30 exceeds the rank of X, which is 20", max_features=30)


def test_more_features_than_screening_leaves_are_refused(X, y):
    message = "n_features_to_select=9, but screen=0.1 leaves 5 features"
    assert_refused(X, y, message, n_features_to_select=9, screen=0.1)


def test_fewer_distinct_features_than_asked_for_are_refused():
    # Equal angles all around: the features differ in nothing that is clustered.
    X, y = np.eye(6), np.array([1.0, 1, 1, -1, -1, -1])
    assert_refused(
        X, y, "but only", "features differ", n_features_to_select=6, perturbation="expected"
    )


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("definition", "papers"),
        ("perturbation", "rank3"),
        ("target_coding", "onehot"),
        ("scaling", "zscore"),
        ("screen", 1.5),
        ("clusterer", "k-means"),
        ("representative", "middle"),
        ("estimator", "forest"),
        ("rule", "best"),
        ("n_repeats", 0),
        ("n_features_to_select", 0),
        ("n_features_to_select", "all"),
        ("max_features", 0),
    ],
)
def test_unknown_options_are_refused_with_what_is_allowed(X, y, option, value):
    assert_refused(
        X, y, f"The '{option}' parameter", "must be", f"Got {value!r}", **{option: value}
    )


def test_what_is_no_clusterer_is_refused(X, y):
    with pytest.raises(TypeError, match=r"Ridge\(\) is not a scikit-learn clusterer"):
        PerturbationSelector(clusterer=Ridge(), n_repeats=1).fit(X, y)


def test_a_classifier_for_a_quantity_is_refused(X):
    quantity = np.linspace(0, 1, 20)
    message = "y is a quantity, but LogisticRegression is a classifier"
    assert_refused(X, quantity, message, estimator=LogisticRegression())


def test_class_columns_of_a_quantity_are_refused(X):
    quantity = np.linspace(0, 1, 20)
    assert_refused(X, quantity, "needs classes, but y is a quantity", target_coding="indicators")


def test_several_outcomes_are_refused(X):
    assert_refused(X, np.random.default_rng(0).random((20, 2)), "y should be a 1d array")


@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csr_array])
def test_contradictory_samples_give_a_warning_that_counts_them(X, y, convert):
    X[3], X[15], X[7] = X[2], X[2], X[6]
    with pytest.warns(
        DataWarning, match="3 of 20 samples repeat the features of another"
    ) as caught:
        PerturbationSelector(3, random_state=0).fit(convert(X), y)
    assert caught[0].filename == __file__


def test_repeated_samples_that_agree_give_no_warning(X, y):
    X[3] = X[2]
    assert PerturbationSelector(3, random_state=0).fit(X, y).rank_ == 19


def test_features_are_compared_in_full_before_samples_are_called_equal(X, y):
    # Equal in every feature that is looked at first, different in one that is not.
    X[15] = X[2]
    X[15, 1] += 1
    assert PerturbationSelector(3, random_state=0).fit(X, y).rank_ == 20


@pytest.mark.parametrize("n_features", [1, 2])
def test_tables_with_hardly_any_features_work(X, y, n_features):
    selector = PerturbationSelector(n_repeats=2, random_state=0).fit(X[:, :n_features], y)
    assert selector.support_.sum() == n_features


def test_transforming_before_fitting_is_refused(X):
    with pytest.raises(ValueError, match="not fitted"):
        PerturbationSelector().transform(X)
