import numpy as np
import pytest
from scipy.cluster import hierarchy
from sklearn.metrics import adjusted_rand_score

from perturbfs.cluster import cut_tree_at, ward_tree


def random_points(seed, n_points=60, n_dims=3):
    return np.random.RandomState(seed).normal(size=(n_points, n_dims))


def points_on_a_grid(seed, n_points=60):
    """Full of equal points and of equal distances."""
    return np.random.RandomState(seed).randint(0, 4, size=(n_points, 2)).astype(float)


def test_three_points_merge_at_the_heights_worked_out_by_hand():
    tree = ward_tree(np.array([[0.0], [2.0], [7.0]]))
    # sqrt(2 * 2 * 1 / 3) times the distance 6 from the mean of the first two.
    expected = [[0, 1, 2, 2], [2, 3, 6 * np.sqrt(4 / 3), 3]]
    np.testing.assert_allclose(tree, expected, rtol=1e-15)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_points", [2, 3, 10, 150])
def test_tree_agrees_with_scipy(seed, n_points):
    points = random_points(seed, n_points)
    np.testing.assert_allclose(ward_tree(points), hierarchy.ward(points), rtol=1e-10)


def test_with_ties_every_merger_has_the_lowest_cost_there_is():
    points = points_on_a_grid(0, n_points=40)
    tree = ward_tree(points)
    members = [[i] for i in range(len(points))]
    active = set(range(len(points)))
    for step, (first, second, height, _) in enumerate(tree):
        cheapest = min(
            merger_height(points, members[a], members[b]) for a in active for b in active if a < b
        )
        # Rounding in centroids: a few units in the last place of numbers up to about 10.
        assert height == pytest.approx(cheapest, abs=1e-13)
        active -= {int(first), int(second)}
        active.add(len(points) + step)
        members.append(members[int(first)] + members[int(second)])


def merger_height(points, first, second):
    step = points[first].mean(axis=0) - points[second].mean(axis=0)
    n_first, n_second = len(first), len(second)
    return np.sqrt(2 * n_first * n_second / (n_first + n_second) * (step @ step))


@pytest.mark.parametrize("make_points", [random_points, points_on_a_grid])
@pytest.mark.parametrize("seed", range(4))
def test_tree_is_valid_and_monotonic_for_scipy(make_points, seed):
    tree = ward_tree(make_points(seed))
    assert hierarchy.is_valid_linkage(tree)
    assert hierarchy.is_monotonic(tree)


@pytest.mark.parametrize("seed", range(4))
def test_equal_points_merge_first_and_at_height_zero(seed):
    points = points_on_a_grid(seed) / 3
    n_distinct = len(np.unique(points, axis=0))
    heights = ward_tree(points)[:, 2]
    np.testing.assert_array_equal(np.count_nonzero(heights == 0), len(points) - n_distinct)


def test_scaling_and_moving_the_points_scales_the_heights_only():
    points = random_points(1)
    tree = ward_tree(points)
    moved = ward_tree(4 * points + 1)
    np.testing.assert_array_equal(moved[:, [0, 1, 3]], tree[:, [0, 1, 3]])
    np.testing.assert_allclose(moved[:, 2], 4 * tree[:, 2], rtol=1e-12)


def test_permuting_the_points_keeps_the_heights():
    points = random_points(2)
    permuted = points[np.random.RandomState(0).permutation(len(points))]
    np.testing.assert_allclose(ward_tree(permuted)[:, 2], ward_tree(points)[:, 2], rtol=1e-12)


def test_one_point_has_a_tree_without_mergers():
    tree = ward_tree(np.zeros((1, 2)))
    assert tree.shape == (0, 4)
    np.testing.assert_array_equal(cut_tree_at(tree, 1), [0])


def test_equal_points_all_merge_at_height_zero():
    tree = ward_tree(np.full((9, 2), 0.1))
    np.testing.assert_array_equal(tree[:, 2], 0)
    assert hierarchy.is_valid_linkage(tree)


def test_labels_are_numbered_in_order_of_first_appearance():
    tree = ward_tree(np.array([[9.0], [0.0], [5.0], [9.1], [0.1]]))
    np.testing.assert_array_equal(cut_tree_at(tree, 3), [0, 1, 2, 0, 1])


@pytest.mark.parametrize("seed", range(3))
def test_cuts_agree_with_those_of_scipy(seed):
    tree = hierarchy.ward(random_points(seed))
    for n_clusters in range(1, 61):
        labels = cut_tree_at(tree, n_clusters)
        expected = hierarchy.cut_tree(tree, n_clusters).ravel()
        np.testing.assert_array_equal(np.unique(labels), np.arange(n_clusters))
        assert adjusted_rand_score(labels, expected) == 1


def test_each_cut_refines_the_one_before():
    tree = ward_tree(points_on_a_grid(3))
    coarse = cut_tree_at(tree, 1)
    for n_clusters in range(2, 61):
        fine = cut_tree_at(tree, n_clusters)
        pairs = np.unique(np.column_stack([fine, coarse]), axis=0)
        assert len(pairs) == n_clusters
        coarse = fine


@pytest.mark.parametrize("n_clusters", [0, 61, -1])
def test_cutting_into_an_impossible_number_of_clusters_is_an_error(n_clusters):
    with pytest.raises(ValueError, match=f"n_clusters={n_clusters} is not between 1 .* 60"):
        cut_tree_at(ward_tree(random_points(0)), n_clusters)
