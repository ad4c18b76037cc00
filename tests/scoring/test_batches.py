"""Features are centered within batches, and the batch alone predicts as a slow version does."""

import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import as_blocks, survival_outcome
from perturbfs.scoring import (
    BatchCenterer,
    batch_predictor,
    check_batch,
    check_centerable,
    outcome_within,
)

SITES = np.array(["a", "b", "c"])


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    site = rng.choice(SITES, 60)
    X = rng.standard_normal((60, 5)) + 3 * (site == "b")[:, None]
    return X, site, rng.choice(["ill", "well"], 60), rng


def test_features_are_centered_as_a_loop_over_samples_does(data):
    X, site, _, _ = data
    centered = BatchCenterer().fit(X[:40], site[:40]).transform(X, site)
    slow = [X[row] - X[:40][site[:40] == site[row]].mean(axis=0) for row in range(60)]
    np.testing.assert_allclose(centered, slow, atol=1e-12)


def test_a_sample_of_an_unknown_batch_is_centered_with_the_mean_of_all(data):
    X, site, _, _ = data
    centerer = BatchCenterer().fit(X, site)
    np.testing.assert_allclose(centerer.transform(X[:1], ["new"]), X[:1] - X.mean(axis=0))
    assert centerer.is_known(["a", "new"]).tolist() == [True, False]


def test_missing_values_stay_missing_and_do_not_count(data):
    X, site, _, _ = data
    X[site == "c", 0] = np.nan
    X[3, 1] = np.nan
    centered = BatchCenterer().fit(X, site).transform(X, site)
    assert np.array_equal(np.isnan(centered), np.isnan(X))
    for name in SITES:
        known = centered[site == name, 1]
        assert np.nanmean(known) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_feature_that_depends_on_the_batch_alone_becomes_exactly_zero(dtype):
    """A mean of equal values can differ from them by rounding, which would be the batch again."""
    site = np.repeat(SITES, [3, 7, 11])
    X = np.array([0.1, 0.7, 1e9 / 3], dtype=dtype)[np.unique(site, return_inverse=True)[1]]
    centered = BatchCenterer().fit(X[:, None], site).transform(X[:, None], site)
    assert not centered.any()
    assert centered.dtype == dtype


def test_coefficients_do_not_depend_on_whether_the_outcome_is_centered_too(data):
    X, site, _, rng = data
    y = X @ rng.standard_normal(5) + 2 * (site == "a") + rng.standard_normal(60)
    indicators = (site[:, None] == SITES).astype(float)
    with_intercepts = np.linalg.lstsq(np.hstack([X, indicators]), y, rcond=None)[0][:5]
    centered = BatchCenterer().fit(X, site).transform(X, site)
    np.testing.assert_allclose(np.linalg.lstsq(centered, y, rcond=None)[0], with_intercepts)


def test_the_variance_within_batches_is_what_least_squares_leaves(data):
    _, site, y, _ = data
    codes = (y == "ill").astype(float)
    indicators = (site[:, None] == SITES).astype(float)
    fitted = indicators @ np.linalg.lstsq(indicators, codes, rcond=None)[0]
    left = np.sum((codes - fitted) ** 2) / np.sum((codes - codes.mean()) ** 2)
    for outcome, task in ((y, "classification"), (codes, "regression")):
        assert outcome_within(outcome, site, task=task) == pytest.approx(left)


@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy"])
def test_the_usual_class_of_a_batch_is_predicted(metric):
    batch = np.array([[0.0], [0], [0], [1], [1], [1], [1], [1]])
    y = np.array(["rare", "usual", "usual", *["usual"] * 5])
    model = batch_predictor(metric, task="classification").fit(batch, y)
    # All of the rare class, but two of seven of the usual one, are in batch 0.
    first = "rare" if metric == "balanced_accuracy" else "usual"
    assert model.predict([[0.0], [1], [9]]).tolist()[:2] == [first, "usual"]
    np.testing.assert_allclose(model.predict_proba(batch).sum(axis=1), 1)


def test_the_mean_of_a_batch_is_predicted():
    model = batch_predictor("r2", task="regression")
    model.fit(np.array([[0], [0], [2]]), np.array([1.0, 3.0, 8.0]))
    assert model.predict([[0], [1], [2], [7]]).tolist() == [2.0, 4.0, 8.0, 4.0]


@pytest.mark.parametrize(
    ("batch", "task", "message"),
    [
        (["a"] * 8, "classification", "All samples are of the batch 'a'"),
        (list("aabbccde"), "classification", "5 batches for 8 samples"),
        (list("aaaabbbb"), "classification", "Every batch has samples of one class only"),
        (list("aaaabbbb"), "regression", "Every batch has one outcome only"),
        ([None, *"aaabbbb"], "classification", "batch of 1 of 8 samples is missing"),
        (list("aabb"), "classification", "batch has the shape"),
    ],
)
def test_batches_within_which_nothing_can_be_selected_are_refused(batch, task, message):
    y = np.repeat([0.0, 1.0], 4)
    with pytest.raises(ValueError, match=message):
        check_batch(np.array(batch, dtype=object), y, task=task)


def test_sparse_tables_and_tables_in_blocks_are_refused():
    with pytest.raises(ValueError, match="sparse"):
        check_centerable(scipy.sparse.eye_array(6, format="csr"))
    with pytest.raises(ValueError, match="only a table in memory"):
        check_centerable(as_blocks(np.eye(6)))


def test_batches_with_a_survival_outcome_are_refused():
    y = survival_outcome(np.array([True, False, True, False]), np.arange(1.0, 5.0))
    with pytest.raises(ValueError, match=r"survival outcome.*Leave the batch out"):
        check_batch(np.array([1, 1, 2, 2]), y, task="survival")
