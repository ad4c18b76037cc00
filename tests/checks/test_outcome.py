import numpy as np
import pytest

from perturbfs.checks import infer_task, strata
from perturbfs.robust import unit_targets

EQUAL = np.full(4, 0.25)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["a", "b", "a", "b"], "classification"),
        ([0, 1, 2, 1], "classification"),
        ([[0, 1], [1, 1], [0, 0], [1, 0]], "classification"),
        ([0.5, 1.5, 2.0, 0.1], "regression"),
        ([[0.5, 1.0], [0.1, 2.0], [0.2, 3.5], [0.3, 1.0]], "regression"),
    ],
)
def test_the_task_follows_from_the_outcome(y, task):
    assert infer_task(np.array(y), multi_output=True) == task


def test_an_outcome_that_is_no_table_of_numbers_is_refused():
    with pytest.raises(ValueError, match=r"numbers are needed|Unknown label type"):
        infer_task(np.array([[[0], [1]], [[1], [0]]]), multi_output=True)


def test_every_class_has_the_same_length():
    targets = unit_targets(np.array([0, 0, 0, 1]), EQUAL, task="classification")
    np.testing.assert_allclose(np.linalg.norm(targets, axis=0), 1)
    np.testing.assert_allclose(targets[:, 0], -targets[:, 1])


def test_outputs_stand_side_by_side_and_one_that_is_constant_is_zero():
    y = np.array([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0], [4.0, 7.0]])
    targets = unit_targets(y, EQUAL, task="regression")
    np.testing.assert_allclose(targets[:, 0], np.array([-3, -1, 1, 3]) / np.sqrt(20))
    np.testing.assert_array_equal(targets[:, 1], 0)


def test_huge_quantities_stay_finite():
    targets = unit_targets(np.array([1e300, 2e300, -1e300, 0]), EQUAL, task="regression")
    np.testing.assert_allclose(np.linalg.norm(targets), 1)


def test_strata_are_combinations_of_labels_where_they_repeat():
    y = np.array([[0, 1], [0, 1], [1, 0], [1, 0]])
    assert strata(y, task="classification").tolist() == [0, 0, 1, 1]
    assert strata(np.array([[0, 1], [0, 0], [1, 0], [1, 0]]), task="classification") is None
    assert strata(y[:, 0], task="regression") is None
