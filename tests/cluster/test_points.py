import numpy as np
import pytest

from perturbfs.cluster import _points, without_rounding_noise
from perturbfs.cluster._points import (
    canonical_order,
    cluster_means,
    distinct_points,
    is_in_canonical_order,
    nearest_centers,
    row_blocks,
)


@pytest.fixture
def points():
    """Many repeated coordinates and some repeated rows."""
    return np.random.RandomState(0).randint(0, 4, size=(60, 3)).astype(float)


def test_points_are_ordered_by_the_first_coordinate_before_the_second():
    points = np.array([[1.0, 0.0], [0.0, 5.0], [0.0, 2.0]])
    np.testing.assert_array_equal(canonical_order(points), [2, 1, 0])


def test_only_points_in_lexicographic_order_are_in_order(points):
    ordered = points[canonical_order(points)]
    assert is_in_canonical_order(ordered)
    assert is_in_canonical_order(ordered[:1])
    for first in range(len(ordered) - 1):
        swapped = ordered.copy()
        swapped[[first, first + 1]] = ordered[[first + 1, first]]
        is_equal = (ordered[first] == ordered[first + 1]).all()
        assert is_in_canonical_order(swapped) == is_equal


def test_canonical_order_of_permuted_points_gives_the_same_array(points):
    permuted = points[np.random.RandomState(1).permutation(len(points))]
    expected = points[canonical_order(points)]
    np.testing.assert_array_equal(permuted[canonical_order(permuted)], expected)


def test_distinct_points_agree_with_numpy_unique(points):
    values, inverse, counts = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    distinct = distinct_points(points)
    np.testing.assert_array_equal(distinct.values, values)
    np.testing.assert_array_equal(distinct.inverse, inverse.ravel())
    np.testing.assert_array_equal(distinct.counts, counts)


def test_equal_points_are_one_distinct_point():
    distinct = distinct_points(np.ones((5, 2)))
    assert distinct.values.shape == (1, 2)
    np.testing.assert_array_equal(distinct.counts, [5])


def test_zero_and_negative_zero_are_the_same_point():
    assert len(distinct_points(np.array([[0.0], [-0.0]])).values) == 1


@pytest.mark.parametrize(("n_rows", "n_columns"), [(10, 3), (1, 1), (7, 10**9), (300_000, 2)])
def test_blocks_cover_each_row_once_and_stay_small(n_rows, n_columns):
    blocks = list(row_blocks(n_rows, n_columns))
    assert [row for rows in blocks for row in range(n_rows)[rows]] == list(range(n_rows))
    sizes = [rows.stop - rows.start for rows in blocks]
    assert max(sizes) == 1 or max(sizes) * n_columns <= _points._BLOCK_ENTRIES


def test_nearest_center_of_a_case_by_hand_and_the_lowest_on_a_tie():
    labels, apart = nearest_centers(np.array([[0.0], [2.0], [5.0]]), np.array([[1.0], [3.0]]))
    np.testing.assert_array_equal(labels, [0, 0, 1])
    np.testing.assert_array_equal(apart, [1, 1, 4])


def test_nearest_centers_do_not_depend_on_the_block_size(points, monkeypatch):
    centers = points[:7] + 0.3
    whole = nearest_centers(points, centers)
    monkeypatch.setattr(_points, "_BLOCK_ENTRIES", 20)
    blocks = nearest_centers(points, centers)
    np.testing.assert_array_equal(whole[0], blocks[0])
    np.testing.assert_array_equal(whole[1], blocks[1])


def test_nearest_centers_keep_their_digits_far_from_the_origin():
    points = 1e8 + np.array([[0.0], [1.0]])
    labels, apart = nearest_centers(points, 1e8 + np.array([[0.25], [0.75]]))
    np.testing.assert_array_equal(labels, [0, 1])
    np.testing.assert_array_equal(apart, [0.0625, 0.0625])


def test_no_points_have_no_nearest_centers():
    labels, apart = nearest_centers(np.empty((0, 2)), np.zeros((3, 2)))
    assert labels.shape == apart.shape == (0,)


def test_cluster_means_agree_with_a_loop_over_clusters(points):
    labels = np.random.RandomState(2).randint(-1, 4, size=len(points))
    expected = [points[labels == label].mean(axis=0) for label in range(4)]
    np.testing.assert_allclose(cluster_means(points, labels, 4), expected, rtol=1e-14)


def test_cluster_means_shift_and_scale_with_the_points(points):
    labels = np.arange(len(points)) % 3
    moved = cluster_means(8 * points + 2.0, labels, 3)
    np.testing.assert_allclose(moved, 8 * cluster_means(points, labels, 3) + 2.0, rtol=1e-14)


def test_an_empty_cluster_has_no_mean():
    means = cluster_means(np.array([[1.0], [3.0]]), np.array([2, -1]), 3)
    np.testing.assert_array_equal(means, [[np.nan], [np.nan], [1.0]])


def test_points_that_differ_by_rounding_alone_become_equal():
    values = np.random.RandomState(0).normal(size=(50, 3)) * [1e-6, 1.0, 1e6]
    noisy = values * (1 + 1e-15)
    rounded, again = without_rounding_noise(values), without_rounding_noise(noisy)
    assert np.mean(rounded == again) > 0.98
    largest = np.abs(values).max(axis=0)
    assert np.all(np.abs(rounded - values) <= 2.0**-33 * largest)


def test_rounding_again_changes_nothing():
    rounded = without_rounding_noise(np.random.RandomState(0).normal(size=(50, 3)))
    np.testing.assert_array_equal(without_rounding_noise(rounded), rounded)
    np.testing.assert_array_equal(without_rounding_noise(np.zeros((4, 2))), np.zeros((4, 2)))
