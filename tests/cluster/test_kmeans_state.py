import numpy as np
import pytest
from scipy.spatial.distance import cdist

from perturbfs.cluster._kmeans_state import one_cluster, settle, split_on_main_axis, split_worst
from perturbfs.cluster._points import distinct_points


@pytest.fixture
def distinct():
    rng = np.random.RandomState(0)
    return distinct_points(np.vstack([rng.normal(size=(80, 3)), rng.normal(6, 2, (40, 3))]))


def grown(distinct, n_clusters, max_iter=200):
    clusters = one_cluster(distinct)
    for label in range(1, n_clusters):
        split_worst(clusters, label)
        settle(clusters, max_iter)
    return clusters


def nearest_centers(points, centers):
    squared = cdist(points, centers, "sqeuclidean")
    return squared.argmin(axis=1), squared.min(axis=1)


def inertia_of(values, counts):
    mean = np.average(values, axis=0, weights=counts)
    return counts @ ((values - mean) ** 2).sum(axis=1)


def test_a_cluster_is_cut_at_its_widest_gap_across_its_longer_side():
    values = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0], [10.0, 0.0]])
    is_upper = split_on_main_axis(values, np.ones(5))
    np.testing.assert_array_equal(is_upper, [False, False, True, True, True])


def test_a_weight_counts_like_as_many_equal_points():
    values = np.array([[0.0], [4.0], [7.0]])
    np.testing.assert_array_equal(
        split_on_main_axis(values, np.array([1.0, 1.0, 1.0])), [False, True, True]
    )
    np.testing.assert_array_equal(
        split_on_main_axis(values, np.array([1.0, 1.0, 9.0])), [False, False, True]
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_cut_agrees_with_trying_all_cuts_across_the_first_right_singular_vector(seed):
    rng = np.random.RandomState(seed)
    values = rng.normal(size=(25, 3)) * [3, 1, 0.5]
    counts = rng.randint(1, 4, size=25).astype(float)
    deviations = values - np.average(values, axis=0, weights=counts)
    axis = np.linalg.svd(deviations * np.sqrt(counts)[:, None])[2][0]
    positions = deviations @ axis * np.sign(axis[np.argmax(np.abs(axis))])
    cuts = [positions > cut for cut in np.sort(positions)[:-1]]
    expected = min(
        cuts,
        key=lambda is_upper: sum(
            inertia_of(positions[half, None], counts[half]) for half in (is_upper, ~is_upper)
        ),
    )
    np.testing.assert_array_equal(split_on_main_axis(values, counts), expected)


def test_the_cut_does_not_change_with_scale_and_position(distinct):
    values, counts = distinct.values, distinct.counts
    expected = split_on_main_axis(values, counts)
    np.testing.assert_array_equal(split_on_main_axis(1024 * values - 3.0, counts), expected)


@pytest.mark.parametrize("gap", [1.0, 2.0**-52, 1e-200])
def test_neither_half_is_empty_however_close_the_points(gap):
    is_upper = split_on_main_axis(np.array([[0.0, 1.0], [gap, 1.0 + gap]]), np.ones(2))
    assert is_upper.sum() == 1


def test_the_cluster_of_largest_inertia_is_the_one_split():
    clusters = one_cluster(distinct_points(np.array([[0.0], [1.0], [20.0], [24.0]])))
    split_worst(clusters, 1)
    np.testing.assert_array_equal(clusters.labels, [0, 0, 1, 1])
    split_worst(clusters, 2)
    np.testing.assert_array_equal(clusters.labels, [0, 0, 1, 2])
    np.testing.assert_array_equal(clusters.centers, [[0.5], [20.0], [24.0]])


def test_a_split_can_fill_an_empty_cluster():
    clusters = one_cluster(distinct_points(np.array([[0.0], [1.0], [9.0]])))
    clusters.labels[:] = 1
    clusters.centers = np.array([[99.0], [10 / 3]])
    clusters.is_pending = np.zeros(2, dtype=bool)
    split_worst(clusters, 0)
    np.testing.assert_array_equal(clusters.labels, [1, 1, 0])
    np.testing.assert_array_equal(clusters.centers, [[9.0], [0.5]])


def test_settled_points_belong_to_their_nearest_center(distinct):
    for n_clusters in range(2, 15):
        clusters = grown(distinct, n_clusters)
        labels, apart = nearest_centers(distinct.values, clusters.centers)
        np.testing.assert_array_equal(clusters.labels, labels)
        np.testing.assert_allclose(clusters.apart, apart, rtol=1e-12)


def test_points_belong_to_their_nearest_center_after_any_number_of_iterations(distinct):
    for max_iter in range(1, 6):
        clusters = grown(distinct, 10, max_iter)
        labels = nearest_centers(distinct.values, clusters.centers)[0]
        np.testing.assert_array_equal(clusters.labels, labels)


def test_with_no_negligible_moves_settling_agrees_with_plain_lloyd(distinct, monkeypatch):
    monkeypatch.setattr("perturbfs.cluster._kmeans_state._NEGLIGIBLE", 0.0)
    clusters = grown(distinct, 6)
    split_worst(clusters, 6)
    labels, centers = clusters.labels.copy(), clusters.centers.copy()
    settle(clusters, 4)
    for _ in range(4):
        centers = np.array([distinct.values[labels == c].mean(axis=0) for c in range(7)])
        labels = nearest_centers(distinct.values, centers)[0]
    np.testing.assert_array_equal(clusters.labels, labels)
    np.testing.assert_allclose(clusters.centers, centers, rtol=1e-12)


def test_settling_never_raises_the_inertia(distinct):
    clusters = grown(distinct, 5)
    split_worst(clusters, 5)
    inertias = [clusters.apart.sum()]
    while settle(clusters, 1):
        inertias.append(clusters.apart.sum())
    assert len(inertias) > 1
    assert (np.diff(inertias) <= 0).all()


def test_settling_settled_clusters_takes_no_iteration(distinct):
    assert settle(grown(distinct, 4), 10) == 0


def test_an_empty_cluster_keeps_its_center_while_others_settle(distinct):
    clusters = grown(distinct, 3)
    clusters.centers = np.vstack([clusters.centers, [[1e3, 1e3, 1e3]]])
    clusters.is_pending = np.ones(4, dtype=bool)
    settle(clusters, 5)
    np.testing.assert_array_equal(clusters.centers[3], [1e3, 1e3, 1e3])
    assert clusters.labels.max() == 2
