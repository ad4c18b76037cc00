import numpy as np
import pytest

from perturbfs.cluster import Partition, most_relevant, nearest_to_centers, split_to_exactly


@pytest.fixture
def points():
    return np.random.RandomState(0).normal(size=(80, 3))


@pytest.fixture
def partition(points):
    """Ten clusters, of which 3 and 9 are empty, and some noise."""
    labels = np.random.RandomState(1).randint(-1, 9, size=len(points))
    labels[labels == 3] = 4
    centers = means_of(points, labels, 10) + 0.1
    return Partition(10, labels, centers)


def means_of(points, labels, n_clusters):
    """Return the mean of each cluster, NaN for an empty one."""
    means = np.full((n_clusters, points.shape[1]), np.nan)
    for label in np.unique(labels[labels >= 0]):
        means[label] = points[labels == label].mean(axis=0)
    return means


def by_hand(*labels, centers=None):
    labels = np.array(labels)
    n_clusters = labels.max() + 1
    return Partition(n_clusters, labels, np.zeros((n_clusters, 1)) if centers is None else centers)


def test_the_nearest_of_three_points_stands_for_their_cluster():
    points = np.array([[0.0], [2.0], [9.0], [5.0]])
    partition = by_hand(1, 1, 1, 0, centers=np.array([[0.0], [4.0]]))
    np.testing.assert_array_equal(nearest_to_centers(points, partition), [3, 1])


def test_nearest_points_agree_with_a_loop_over_clusters(points, partition):
    expected = []
    for label in range(10):
        members = np.flatnonzero(partition.labels == label)
        if len(members):
            apart = np.linalg.norm(points[members] - partition.centers[label], axis=1)
            expected.append(members[np.argmin(apart)])
    np.testing.assert_array_equal(nearest_to_centers(points, partition), expected)


def test_nearest_points_do_not_change_with_scale(points, partition):
    scaled = Partition(10, partition.labels, 8 * partition.centers)
    np.testing.assert_array_equal(
        nearest_to_centers(8 * points, scaled), nearest_to_centers(points, partition)
    )


def test_permuting_the_points_permutes_the_representatives(points, partition):
    order = np.random.RandomState(2).permutation(len(points))
    permuted = Partition(10, partition.labels[order], partition.centers)
    relevance = points[:, 0]
    np.testing.assert_array_equal(
        order[nearest_to_centers(points[order], permuted)], nearest_to_centers(points, partition)
    )
    np.testing.assert_array_equal(
        order[most_relevant(relevance[order], points[order], permuted)],
        most_relevant(relevance, points, partition),
    )


def test_of_equally_near_points_the_lexicographically_first_is_taken_in_any_order():
    partition = by_hand(0, 0, 0, centers=np.array([[1.0]]))
    for points, expected in [([5.0, 2.0, 0.0], 2), ([0.0, 2.0, 5.0], 0), ([2.0, 2.0, 5.0], 0)]:
        found = nearest_to_centers(np.array(points)[:, None], partition)
        np.testing.assert_array_equal(found, [expected])


def test_the_two_points_of_a_pair_are_equally_near_whatever_rounding_says():
    rng = np.random.RandomState(0)
    for _ in range(100):
        pair = rng.normal(size=(2, 3)) * [1e-3, 50.0, 50.0]
        mean = pair.mean(axis=0)[None] + 1e-14 * rng.normal(size=(1, 3))
        first = int(np.argmin(pair[:, 0]))
        assert nearest_to_centers(pair, by_hand(0, 0, centers=mean)).tolist() == [first]


def test_of_equally_relevant_points_the_lexicographically_first_is_taken():
    partition = by_hand(0, 0, 0, 0)
    points = np.array([[1.0], [4.0], [3.0], [9.0]])
    found = most_relevant(np.array([1.0, 7.0, 7.0, 0.0]), points, partition)
    np.testing.assert_array_equal(found, [2])


def test_noise_alone_has_no_representatives():
    partition = Partition(2, np.array([-1, -1]), np.full((2, 1), np.nan))
    assert nearest_to_centers(np.zeros((2, 1)), partition).shape == (0,)
    assert most_relevant(np.zeros(2), np.zeros((2, 1)), partition).shape == (0,)


def test_the_most_relevant_point_stands_for_its_cluster():
    partition = by_hand(2, 0, 2, 0)
    np.testing.assert_array_equal(
        most_relevant(np.array([3.0, 1.0, -3.0, 2.0]), np.zeros((4, 1)), partition), [3, 0]
    )


def test_most_relevant_points_agree_with_a_loop_over_clusters(points, partition):
    relevance = points[:, 1]
    groups = [np.flatnonzero(partition.labels == label) for label in range(10)]
    expected = [group[np.argmax(relevance[group])] for group in groups if len(group)]
    np.testing.assert_array_equal(most_relevant(relevance, points, partition), expected)


def test_a_relevance_that_is_not_a_number_loses():
    partition = by_hand(0, 0, 1)
    relevance = np.array([np.nan, -5.0, np.nan])
    np.testing.assert_array_equal(most_relevant(relevance, np.zeros((3, 1)), partition), [1, 2])


def test_splitting_drops_empty_clusters_and_cuts_the_widest():
    points = np.array([[0.0], [1.0], [30.0], [39.0]])
    partition = by_hand(1, 1, 3, 3, centers=np.array([[7.0], [0.4], [7.0], [34.0]]))
    split = split_to_exactly(points, partition, 3)
    np.testing.assert_array_equal(split.labels, [0, 0, 1, 2])
    np.testing.assert_array_equal(split.centers, [[0.4], [30.0], [39.0]])
    assert split.n_clusters == 3


@pytest.mark.parametrize("n_clusters", [8, 9, 25, 60])
def test_a_split_partition_has_exactly_the_clusters_asked_for(points, partition, n_clusters):
    split = split_to_exactly(points, partition, n_clusters)
    is_clustered = partition.labels >= 0
    np.testing.assert_array_equal(np.unique(split.labels[is_clustered]), np.arange(n_clusters))
    np.testing.assert_array_equal(split.labels[~is_clustered], -1)
    assert split.centers.shape == (n_clusters, 3)
    assert len(nearest_to_centers(points, split)) == n_clusters


def test_a_split_partition_refines_the_one_given(points, partition):
    split = split_to_exactly(points, partition, 20)
    pairs = np.unique(np.column_stack([split.labels, partition.labels]), axis=0)
    assert len(pairs) == 20 + 1  # with noise, which stays noise


def test_clusters_made_by_a_split_have_their_mean_as_center(points, partition):
    split = split_to_exactly(points, partition, 40)
    sizes_before = np.bincount(partition.labels[partition.labels >= 0], minlength=10)
    means = means_of(points, split.labels, 40)
    is_new = np.arange(40) >= np.count_nonzero(sizes_before)
    np.testing.assert_allclose(split.centers[is_new], means[is_new], rtol=1e-12)


def test_splitting_does_not_change_its_input(points, partition):
    labels, centers = partition.labels.copy(), partition.centers.copy()
    split_to_exactly(points, partition, 30)
    np.testing.assert_array_equal(partition.labels, labels)
    np.testing.assert_array_equal(partition.centers, centers)


def test_splitting_one_cluster_agrees_with_doing_it_step_by_step(points):
    whole = Partition(1, np.zeros(len(points), dtype=np.intp), points.mean(axis=0)[None])
    at_once = split_to_exactly(points, whole, 12)
    for n_clusters in range(2, 13):
        whole = split_to_exactly(points, whole, n_clusters)
    np.testing.assert_array_equal(at_once.labels, whole.labels)
    np.testing.assert_array_equal(at_once.centers, whole.centers)


def test_permuting_the_points_permutes_the_split_labels(points, partition):
    order = np.random.RandomState(3).permutation(len(points))
    permuted = Partition(10, partition.labels[order], partition.centers)
    split = split_to_exactly(points[order], permuted, 30)
    np.testing.assert_array_equal(
        split.labels, split_to_exactly(points, partition, 30).labels[order]
    )


def test_as_many_clusters_as_distinct_points_put_equal_points_together():
    points = np.repeat([[0.1], [0.2], [0.7]], 4, axis=0)
    whole = Partition(1, np.zeros(12, dtype=np.intp), np.array([[1 / 3]]))
    split = split_to_exactly(points, whole, 3)
    groups = split.labels.reshape(3, 4)
    assert (groups == groups[:, :1]).all()
    assert len(np.unique(groups)) == 3


def test_equal_points_in_two_clusters_stay_in_two_clusters():
    points = np.array([[0.0], [0.0], [1.0], [5.0]])
    partition = by_hand(0, 1, 1, 1, centers=np.array([[0.0], [2.0]]))
    split = split_to_exactly(points, partition, 3)
    np.testing.assert_array_equal(split.labels, [0, 1, 1, 2])


def test_too_few_distinct_points_are_an_error_that_counts_them():
    points = np.repeat([[0.0], [1.0]], 5, axis=0)
    whole = Partition(1, np.zeros(10, dtype=np.intp), np.array([[0.5]]))
    with pytest.raises(ValueError, match=r"n_clusters=3 exceeds .* which is 2. Ask for fewer"):
        split_to_exactly(points, whole, 3)


def test_fewer_clusters_than_there_are_is_an_error(points, partition):
    with pytest.raises(ValueError, match=r"n_clusters=7 is below .* which is 8. Ask for at least"):
        split_to_exactly(points, partition, 7)
