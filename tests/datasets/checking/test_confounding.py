"""What the check says of a batch that a user names."""

import numpy as np
import pytest

from perturbfs.datasets import Table, check_table

N = 60


def check(y, batch, X=None, **options):
    X = np.random.default_rng(0).standard_normal((len(y), 30)) if X is None else X
    task = "classification" if y.dtype.kind in "US" else "regression"
    found = check_table(Table(X=X, y=y, task=task), batch=batch, **options)
    return [each for each in found if each.kind in ("confounded", "batch")]


@pytest.fixture
def classes():
    return np.repeat(["ill", "well"], N // 2)


def test_a_batch_that_predicts_the_outcome_is_a_warning(classes):
    is_first = (np.arange(N) < N // 2) ^ (np.arange(N) % 5 == 0)
    [finding] = check(classes, np.where(is_first, "a", "b"))
    assert finding.severity == "warning"
    assert "predicts the outcome better than guessing (balanced accuracy 0.8" in finding.message
    assert "--batch" in finding.advice


def test_a_batch_that_says_nothing_is_a_note(classes):
    [finding] = check(classes, np.arange(N) % 3)
    assert (finding.severity, "no better than guessing" in finding.message) == ("note", True)
    assert "100 % is within batches" in finding.message


def test_a_batch_that_is_nearly_the_outcome_says_that_hardly_anything_can_be_learned(classes):
    batch = np.where(classes == "ill", "a", "b")
    batch[0] = "b"
    [finding, single] = check(classes, batch)
    assert "nearly the same" in finding.advice
    assert single.message == "1 of 2 batches has samples of one class only: 29 of 60 samples."


def test_a_batch_that_is_the_outcome_cannot_be_used(classes):
    [finding] = check(classes, np.where(classes == "ill", 1, 2))
    assert finding.severity == "warning"
    assert finding.message.startswith("Every batch has samples of one class only.")


def test_a_quantity_is_compared_with_its_mean_in_each_batch():
    batch = np.arange(N) % 2
    y = 3.0 * batch + np.random.default_rng(0).standard_normal(N)
    [finding] = check(y, batch)
    assert finding.severity == "warning"
    assert "guessing (R² 0." in finding.message


def test_samples_of_small_classes_take_no_part(classes):
    classes = classes.astype("<U6")
    classes[:2] = "rare"
    batch = np.where(classes == "rare", "own", np.where(np.arange(N) % 2, "a", "b"))
    [finding] = check(classes, batch, min_class_size=5)
    assert "of one class only" not in finding.message


def test_a_class_with_one_sample_cannot_be_split_so_nothing_is_scored(classes):
    classes[0] = "one"
    assert check(classes, np.arange(N) % 2) == []


def test_a_known_batch_is_not_found_again(classes):
    rng = np.random.default_rng(0)
    order = rng.permutation(N)
    machine = np.repeat(["old", "new"], N // 2)
    X = rng.standard_normal((N, 80))
    X[machine == "new"] += rng.normal(0, 4, 80)
    y = classes[order]
    assert [each.kind for each in check(y, None, X)] == ["batch"]
    assert [each.kind for each in check(y, machine, X)] == ["confounded"]
