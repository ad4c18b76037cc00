import numpy as np
import pytest
import scipy.sparse
import slow

from perturbfs.arrays import as_blocks
from perturbfs.paper import code_target
from perturbfs.paper._prepare import survey


def test_unit_scaling_in_a_case_worked_by_hand(xp):
    X = xp.asarray([[3.0, 0.0, 5.0], [-4.0, 0.0, 5.0]])
    found = survey(as_blocks(X))
    np.testing.assert_allclose(np.asarray(found.scaling.scale), [0.2, 0.0, 0.0])
    np.testing.assert_allclose(np.asarray(found.extremes), [[0.6, -0.8], [0, 0], [0, 0]])
    np.testing.assert_allclose(np.asarray(found.gram), [[0.36, -0.48], [-0.48, 0.64]])
    np.testing.assert_allclose(np.asarray(found.joint), [[0.36, -0.48], [-0.48, 0.64]])
    assert np.asarray(found.scaling.informative).tolist() == [True, False, False]


def test_minmax_scaling_in_a_case_worked_by_hand(xp):
    X = xp.asarray([[3.0, 7.0], [-4.0, 7.0], [-0.5, 7.0]])
    found = survey(as_blocks(X), scaling="minmax")
    np.testing.assert_allclose(np.asarray(found.extremes), [[1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(np.asarray(found.scaling.norms), [np.sqrt(1.25), 0.0])
    scaled = found.scaling.of_columns(X)
    np.testing.assert_allclose(np.asarray(scaled[:, 0]), [1.0, 0.0, 0.5])


@pytest.mark.parametrize("scaling", ["unit", "minmax"])
@pytest.mark.parametrize("convert", [np.asarray, scipy.sparse.csc_array])
def test_survey_agrees_with_scaling_the_whole_matrix(scaling, convert):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((9, 40)) * (rng.random((9, 40)) < 0.5)
    found = survey(as_blocks(convert(X)), scaling=scaling)
    N = slow.unit(X) if scaling == "unit" else slow.unit_interval(X)
    np.testing.assert_allclose(found.scaling.norms, np.linalg.norm(N, axis=0))
    np.testing.assert_allclose(found.extremes, np.stack([N.max(axis=0), N.min(axis=0)], axis=1))
    np.testing.assert_allclose(found.gram, N @ N.T, atol=1e-13)
    np.testing.assert_allclose(found.joint, N @ found.extremes, atol=1e-13)


@pytest.mark.parametrize("magnitude", [1e-320, 0.0])
def test_features_too_small_to_be_told_from_zero_are_left_out(magnitude):
    X = np.array([[1.0, magnitude], [2.0, -magnitude]])
    assert survey(as_blocks(X)).scaling.informative.tolist() == [True, False]


@pytest.mark.parametrize("magnitude", [1e-300, 1e-200, 1e200, 1e300])
def test_unit_norm_is_reached_at_the_ends_of_the_range_of_floats(magnitude):
    X = np.array([[3.0, 3.0], [4.0, -4.0]]) * [1.0, magnitude]
    found = survey(as_blocks(X))
    np.testing.assert_allclose(found.scaling.of_columns(X), [[0.6, 0.6], [0.8, -0.8]])


def test_numbers_are_taken_as_they_are():
    found = code_target(np.array([3.0, -4.0]))
    np.testing.assert_allclose(found.columns * found.scale, [[3.0], [-4.0]])
    assert found.scale == pytest.approx(5)


def test_other_labels_are_numbered_in_sorted_order():
    found = code_target(np.array(["b", "a", "c"]))
    np.testing.assert_allclose(found.columns[:, 0] * found.scale, [2, 1, 3])


def test_minmax_maps_codes_to_the_unit_interval():
    found = code_target(np.array([-1.0, 3.0, 1.0]), scaling="minmax")
    np.testing.assert_allclose(found.columns[:, 0] * found.scale, [0, 1, 0.5])


def test_indicator_columns_are_orthonormal_and_name_the_class():
    y = np.array(["b", "a", "b", "c"])
    columns = code_target(y, coding="indicators").columns
    np.testing.assert_allclose(columns.T @ columns, np.eye(3), atol=1e-15)
    assert (columns > 0).argmax(axis=1).tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize("factor", [1e300, 1e-300])
def test_huge_and_tiny_outcomes_keep_their_direction(factor):
    y = np.array([3.0, -4.0])
    np.testing.assert_allclose(code_target(y * factor).columns, [[0.6], [-0.8]])
