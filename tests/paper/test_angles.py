import math

import numpy as np
import pytest
import slow

from perturbfs.arrays import as_blocks
from perturbfs.paper._angles import angle_to_span, angle_without_feature, cosines_and_sines


def angles_to(xp, columns, basis):
    [block] = as_blocks(columns)
    norms = xp.linalg.vector_norm(columns, axis=0)
    products = block.project(basis)
    return angle_to_span(*cosines_and_sines(block, norms, basis, products, xp=xp), xp=xp)


@pytest.mark.parametrize("degrees", [0.0, 1e-9, 1e-6, 5.0, 30.0, 90.0, 150.0, 180.0])
def test_angle_recovers_a_known_turn(xp, degrees):
    turn = math.radians(degrees)
    columns = xp.asarray([[3 * math.cos(turn)], [3 * math.sin(turn)]], dtype=xp.float64)
    basis = xp.asarray([[1.0], [0.0]], dtype=xp.float64)
    found = float(angles_to(xp, columns, basis)[0])
    assert found == pytest.approx(degrees, rel=1e-12, abs=1e-13)


def test_angle_to_a_plane_is_that_to_its_nearest_direction(xp):
    columns = xp.asarray([[1.0, 0.0, 2.0], [1.0, 0.0, 0.0], [math.sqrt(2), 5.0, 0.0]])
    basis = xp.asarray([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    np.testing.assert_allclose(np.asarray(angles_to(xp, columns, basis)), [45.0, 90.0, 0.0])


def test_a_zero_feature_is_at_a_right_angle(xp):
    columns, basis = xp.zeros((3, 2)), xp.asarray([[1.0], [0.0], [0.0]])
    np.testing.assert_array_equal(np.asarray(angles_to(xp, columns, basis)), [90.0, 90.0])


def test_angle_to_a_span_does_not_depend_on_its_basis():
    rng = np.random.default_rng(0)
    columns = rng.standard_normal((10, 4))
    basis = np.linalg.qr(rng.standard_normal((10, 3)))[0]
    turned = basis @ np.linalg.qr(rng.standard_normal((3, 3)))[0]
    np.testing.assert_allclose(angles_to(np, columns, basis), angles_to(np, columns, turned))


def without(columns, coefficients, target):
    """Angle without each feature, by the function under test."""
    [block] = as_blocks(columns)
    norms = np.linalg.norm(columns, axis=0)
    fitted = columns @ coefficients
    unit_fit = fitted / np.linalg.norm(fitted)
    cosines, _ = cosines_and_sines(block, norms, target, columns.T @ target, xp=np)
    _, sines = cosines_and_sines(block, norms, unit_fit, columns.T @ unit_fit, xp=np)
    return angle_without_feature(
        coefficients * norms[:, None],
        cosines,
        sines,
        fitted_norm=float(np.linalg.norm(fitted)),
        residual_norm=float(np.linalg.norm(target - fitted)),
        xp=np,
    )


@pytest.mark.parametrize("n_columns", [1, 3])
def test_angle_without_a_feature_agrees_with_leaving_it_out(n_columns):
    rng = np.random.default_rng(0)
    columns = rng.standard_normal((12, 7))
    target = np.linalg.qr(rng.standard_normal((12, n_columns)))[0]
    coefficients = np.linalg.pinv(columns) @ target
    _, _, expected = slow.characteristics(columns, 0 * columns, target)
    np.testing.assert_allclose(without(columns, coefficients, target), expected, rtol=1e-12)


def test_angle_without_a_feature_in_a_case_worked_by_hand():
    # Target (1, 1) / sqrt 2 from two unit features along the axes: without one, 45 degrees.
    target = np.array([[1.0], [1.0]]) / math.sqrt(2)
    np.testing.assert_allclose(without(np.eye(2), target, target), [45.0, 45.0])


def test_a_target_no_feature_helps_with_leaves_a_right_angle():
    found = angle_without_feature(
        np.zeros((2, 1)), np.zeros((2, 1)), np.ones(2), fitted_norm=0.0, residual_norm=1.0, xp=np
    )
    assert found.tolist() == [90.0, 90.0]
