import numpy as np
import pytest

from perturbfs.paper import code_target


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
