"""Selection within batches finds what the batches hide, and no test sample takes part in it."""

import numpy as np
import pytest

from perturbfs import RobustSelector, evaluate
from perturbfs.baselines import AnovaSelector
from perturbfs.evaluation import _evaluate, score_batch
from perturbfs.results import make_imputer

TRUE = range(58, 63)
N_BATCH_DRIVEN = 60  # two of which also depend on the outcome


def make_confounded(effect, *, share=0.85, n=100, p=90):
    """Two batches with different shares of the classes; most features depend on the batch."""
    rng = np.random.default_rng(3)
    batch = rng.permutation(np.arange(n) % 2)
    y = (rng.random(n) < np.array([1 - share, share])[batch]).astype(int)
    X = rng.standard_normal((n, p))
    X[:, :N_BATCH_DRIVEN] += 2 * rng.standard_normal((2, N_BATCH_DRIVEN))[batch]
    X[:, TRUE] += effect * y[:, None]
    return X, y, batch


@pytest.mark.parametrize("selector", [AnovaSelector(), RobustSelector()], ids=["anova", "robust"])
def test_with_the_batch_the_true_features_are_selected_and_without_it_the_batch_wins(selector):
    X, y, batch = make_confounded(1.5)
    hits = []
    for options in ({}, {"batch": batch}):
        found = evaluate(
            {"it": selector}, X, y, n_features=[5], n_splits=3, random_state=0, **options
        )
        chosen = np.concatenate(found.selections["it", 5])
        hits.append(np.isin(chosen, TRUE).mean())
    assert hits[1] > 0.7 > 0.6 > hits[0]


def test_features_that_depend_on_the_batch_alone_predict_nothing_within_batches():
    X, y, batch = make_confounded(0.0)
    options = {"n_features": [5], "n_splits": 5, "random_state": 0}
    naive = evaluate({"anova": AnovaSelector()}, X, y, **options)
    within = evaluate({"anova": AnovaSelector()}, X, y, batch=batch, **options)
    assert naive.estimate("anova", 5).mean > 0.75
    assert within.estimate("anova", 5).low < 0.5
    assert within.planned("anova", 5)[0].difference.p_value > 0.05
    estimate, comparison = within.batch_alone()
    assert estimate.mean > 0.75
    assert comparison.difference.p_value < 0.01
    assert naive.batch_alone() is None


def test_the_batch_alone_is_scored_on_the_splits_of_the_comparison():
    X, y, batch = make_confounded(0.0)
    options = {"n_splits": 4, "random_state": 5}
    found = evaluate({"a": AnovaSelector()}, X, y, n_features=[2], batch=batch, **options)
    estimate, planned = found.batch_alone()
    again = score_batch(batch, y, task="classification", **options)
    assert again == planned
    assert estimate.mean == pytest.approx(again.reference.mean + again.difference.mean)
    row = found.summary()[-1]
    assert (row["method"], row["mean"]) == ("the batch alone", estimate.mean)


def test_test_samples_take_no_part_in_the_means(monkeypatch):
    X, y, batch = make_confounded(1.5)
    train, test = np.arange(70), np.arange(70, 100)
    monkeypatch.setattr(_evaluate, "make_splits", lambda *_, **__: [(train, test)])
    noisy = X.copy()
    noisy[test] = 1e3 * np.random.default_rng(1).standard_normal((30, X.shape[1]))
    chosen = [
        evaluate({"a": AnovaSelector()}, each, y, n_features=[5], batch=batch).selections["a", 5]
        for each in (X, noisy)
    ]
    assert np.array_equal(*chosen)


def test_batches_that_groups_keep_out_of_training_are_counted():
    X, y, _ = make_confounded(1.0)
    site = np.arange(100) // 10
    found = evaluate(
        {"a": AnovaSelector()}, X, y, n_features=[3], n_splits=2, batch=site, groups=site
    )
    assert found.n_unknown_batch == found.n_tested > 0


def test_missing_values_are_filled_after_centering():
    X, y, batch = make_confounded(1.5)
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    found = evaluate(
        {"a": AnovaSelector()},
        X,
        y,
        n_features=[5],
        n_splits=2,
        batch=batch,
        imputer=make_imputer("median"),
        random_state=0,
    )
    assert np.isin(np.concatenate(found.selections["a", 5]), TRUE).mean() > 0.5


def test_quantities_have_batches_too():
    X, _, batch = make_confounded(0.0)
    y = X[:, 70] + 3.0 * batch + 0.1 * np.random.default_rng(0).standard_normal(100)
    found = evaluate(
        {"a": AnovaSelector()}, X, y, n_features=[1], n_splits=3, batch=batch, random_state=0
    )
    assert {int(each[0]) for each in found.selections["a", 1]} == {70}
    estimate, comparison = found.batch_alone()
    assert 0.4 < estimate.mean < 0.9
    assert comparison.difference.p_value < 0.05


def test_the_name_of_the_reference_is_reserved():
    X, y, batch = make_confounded(0.0)
    with pytest.raises(ValueError, match="reserved"):
        evaluate({"the batch alone": AnovaSelector()}, X, y, batch=batch)


def test_a_score_that_orders_samples_orders_them_by_the_share_of_the_batch():
    _, y, batch = make_confounded(0.0)
    found = score_batch(batch, y, task="classification", scoring="roc_auc", random_state=0)
    plain = score_batch(batch, y, task="classification", random_state=0)
    # With two batches, the curve has one corner, whose mean recall is the area below it.
    assert found.difference.mean == pytest.approx(plain.difference.mean)
