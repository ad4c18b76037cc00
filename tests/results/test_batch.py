"""A selection within batches keeps what the batch alone predicts."""

import json

import numpy as np
import pytest

from perturbfs.datasets import Table
from perturbfs.results import load_selection, select_features, summarize


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    site = np.array(["x", "y", "z"])[np.arange(60) % 3]
    y = np.where(rng.random(60) < np.where(site == "x", 0.8, 0.4), "ill", "well")
    X = rng.standard_normal((60, 30)) + 4 * (site == "y")[:, None]
    X[:, 3] += 2 * (y == "ill")
    table = Table(X=X, y=y, task="classification")
    options = {"batch": site, "batch_name": "site", "n_splits": 3}
    return select_features(table, method="anova", n_features=2, **options), X, site


def test_the_selector_sees_centered_features_and_the_table_keeps_its_values(result):
    found, X, site = result
    for name in np.unique(site):
        np.testing.assert_allclose(found.X[site == name].mean(axis=0), 0, atol=1e-12)
    assert np.array_equal(found.table.X, X)
    assert found.selection.features[0].index == 3
    assert found.selection.features[0].median == pytest.approx(np.median(X[:, 3]))


def test_the_selection_says_what_the_batch_alone_predicts(result, tmp_path):
    selection = result[0].selection
    selection.save(tmp_path / "selection.json")
    assert load_selection(tmp_path / "selection.json").to_json() == selection.to_json()
    assert selection.data["batch"] == {"name": "site", "n_batches": 3}
    batch = json.loads(selection.to_json())["estimate"]["batch"]
    assert (batch["n_tested"], batch["n_unknown"]) == (54, 0)
    assert batch["comparison"]["against"] == "guessing"
    assert batch["score"]["mean"] == pytest.approx(0.5 + batch["comparison"]["difference"])


def test_the_summary_has_a_row_and_a_sentence_on_the_batch(result):
    summary = summarize(result[0].selection)
    assert summary["scores"][-1][0] == "the batch alone"
    assert "Features were centered within batches" in summary["estimate"]
    assert "The batch alone predicts" in summary["estimate"]
    assert ("batches", "site: 3 batches; features are centered within them") in summary["data"]


def test_samples_of_small_classes_leave_their_batches():
    y = np.array(["a", "b"] * 12 + ["c"])
    X = np.random.default_rng(0).standard_normal((25, 8))
    batch = np.array([1, 1, 2, 2] * 6 + [3])
    table = Table(X=X, y=y, task="classification")
    options = {"batch": batch, "min_class_size": 3, "n_splits": 2}
    found = select_features(table, method="anova", n_features=2, **options)
    assert found.selection.data["batch"]["n_batches"] == 2
