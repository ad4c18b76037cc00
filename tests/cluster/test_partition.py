import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import (
    DBSCAN,
    AgglomerativeClustering,
    BisectingKMeans,
    FeatureAgglomeration,
    KMeans,
)
from sklearn.exceptions import ConvergenceWarning

from perturbfs.cluster import cut_tree_at, partition_points, ward_tree, warm_sweep

NAMES = ["kmeans", "fuzzy", "warm", "ward"]


@pytest.fixture
def points():
    return np.random.RandomState(0).exponential(size=(120, 3))


class FirstAndNoise(ClusterMixin, BaseEstimator):
    """Label the first points 0, 1, ...; the rest are noise, or all that `label` says."""

    def __init__(self, n_clusters=2, label=-1, random_state=None):
        self.n_clusters = n_clusters
        self.label = label
        self.random_state = random_state

    def fit(self, X, y=None):
        self.labels_ = np.full(len(X), self.label)
        self.labels_[: self.n_clusters - 1] = np.arange(self.n_clusters - 1)
        return self


def partition(points, size, clusterer, random_state=0):
    (only,) = partition_points(points, [size], clusterer=clusterer, random_state=random_state)
    return only


@pytest.mark.parametrize("clusterer", NAMES)
def test_two_far_groups_are_separated(clusterer):
    points = np.array([[9.0], [0.0], [9.5], [0.5], [0.2]])
    found = partition(points, 2, clusterer)
    is_high = np.array([True, False, True, False, False])
    np.testing.assert_array_equal(found.labels == found.labels[0], is_high)
    # Memberships in the other group pull fuzzy centers by 6e-5 here.
    means = [[points[is_high].mean()], [points[~is_high].mean()]]
    order = [found.labels[0], found.labels[1]]
    np.testing.assert_allclose(found.centers[order], means, atol=1e-3)


@pytest.mark.parametrize("clusterer", NAMES)
def test_permuting_the_points_permutes_the_labels(points, clusterer):
    order = np.random.RandomState(1).permutation(len(points))
    sizes = [2, 5, 17]
    given = partition_points(points, sizes, clusterer=clusterer, random_state=3)
    permuted = partition_points(points[order], sizes, clusterer=clusterer, random_state=3)
    for one, other in zip(given, permuted, strict=True):
        np.testing.assert_array_equal(other.labels, one.labels[order])
        np.testing.assert_array_equal(other.centers, one.centers)


@pytest.mark.parametrize("clusterer", [*NAMES, KMeans(n_init=2), AgglomerativeClustering()])
def test_one_size_alone_gives_what_it_gives_among_others(points, clusterer):
    found = list(partition_points(points, range(2, 9), clusterer=clusterer, random_state=5))
    assert [one.n_clusters for one in found] == list(range(2, 9))
    alone = partition(points, 6, clusterer, random_state=5)
    np.testing.assert_array_equal(alone.labels, found[4].labels)
    np.testing.assert_array_equal(alone.centers, found[4].centers)


@pytest.mark.parametrize("clusterer", ["kmeans", "fuzzy"])
def test_the_seed_decides_and_a_random_state_serves_as_one(points, clusterer):
    first, second = (partition(points, 12, clusterer, seed) for seed in (0, 1))
    assert not np.array_equal(first.labels, second.labels)
    states = [np.random.RandomState(4), np.random.RandomState(4)]
    first, second = (partition(points, 12, clusterer, state) for state in states)
    np.testing.assert_array_equal(first.labels, second.labels)


def test_kmeans_is_one_start_of_scikit_learn_on_ordered_points(points):
    ordered = points[np.lexsort(points.T[::-1])]
    seed = np.random.RandomState(0).randint(2**31 - 1)
    drawn = int(np.random.SeedSequence([seed, 7]).generate_state(1)[0])
    expected = KMeans(7, n_init=1, max_iter=100, random_state=drawn).fit(ordered)
    found = partition(ordered, 7, "kmeans")
    np.testing.assert_array_equal(found.labels, expected.labels_)
    np.testing.assert_allclose(found.centers, expected.cluster_centers_)


def test_warm_and_ward_agree_with_a_sweep_and_a_tree_of_their_own(points):
    ordered = points[np.lexsort(points.T[::-1])]
    *_, (labels, centers) = warm_sweep(ordered, 7)
    warm = partition(ordered, 7, "warm")
    np.testing.assert_array_equal(warm.labels, labels)
    np.testing.assert_array_equal(warm.centers, centers)

    labels = cut_tree_at(ward_tree(ordered), 7)
    ward = partition(ordered, 7, "ward")
    np.testing.assert_array_equal(ward.labels, labels)
    means = [ordered[labels == label].mean(axis=0) for label in range(7)]
    np.testing.assert_allclose(ward.centers, means, rtol=1e-12)


@pytest.mark.parametrize("clusterer", [*NAMES, BisectingKMeans()])
def test_sizes_above_the_number_of_distinct_points_are_left_out(clusterer):
    points = np.repeat([[0.0, 1.0], [2.0, 0.5], [7.0, 0.1], [9.0, 4.0]], 3, axis=0)
    found = partition_points(points, range(1, 9), clusterer=clusterer, random_state=0)
    assert [one.n_clusters for one in found] == [1, 2, 3, 4]


def test_distinct_points_too_close_for_kmeans_leave_clusters_empty_without_a_warning():
    points = np.array([[1.0], [1.0 + 1e-15], [1.0 + 2e-15], [5.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = partition(points, 4, "kmeans")
    assert len(np.unique(found.labels)) < 4


def test_other_warnings_of_a_clusterer_reach_the_user(points):
    class Slow(FirstAndNoise):
        def fit(self, X, y=None):
            warnings.warn("did not converge", ConvergenceWarning, stacklevel=2)
            return super().fit(X, y)

    with pytest.warns(ConvergenceWarning, match="did not converge"):
        partition(points, 2, Slow())


def test_no_sizes_give_no_partitions(points):
    for clusterer in NAMES:
        assert not list(partition_points(points, [], clusterer=clusterer, random_state=0))


@pytest.mark.parametrize("clusterer", NAMES)
def test_a_single_point_is_a_partition_of_one(clusterer):
    only = partition(np.array([[3.0, 4.0]]), 1, clusterer)
    np.testing.assert_array_equal(only.labels, [0])
    np.testing.assert_allclose(only.centers, [[3.0, 4.0]])


def test_a_clusterer_without_centers_gets_means(points):
    found = partition(points, 5, AgglomerativeClustering())
    means = [points[found.labels == label].mean(axis=0) for label in range(5)]
    np.testing.assert_allclose(found.centers, means, rtol=1e-12)


def test_noise_belongs_to_no_cluster_and_an_empty_cluster_has_no_center(points):
    found = partition(points, 3, FirstAndNoise())
    assert np.count_nonzero(found.labels == -1) == len(points) - 2
    assert not np.isnan(found.centers[:2]).any()
    assert np.isnan(found.centers[2]).all()


def test_the_clusterer_given_is_not_changed(points):
    clusterer = KMeans(n_clusters=3, n_init=1)
    partition(points, 5, clusterer)
    assert clusterer.get_params() == KMeans(n_clusters=3, n_init=1).get_params()
    assert not hasattr(clusterer, "labels_")


def test_a_seed_the_user_gave_to_the_clusterer_is_kept(points):
    first, second = (
        partition(points, 12, KMeans(n_init=1, random_state=8), seed) for seed in (0, 1)
    )
    np.testing.assert_array_equal(first.labels, second.labels)


@pytest.mark.parametrize("clusterer", [DBSCAN(), KMeans, 3, None])
def test_a_clusterer_without_n_clusters_is_a_type_error_at_once(points, clusterer):
    with pytest.raises(TypeError, match="has no parameter n_clusters"):
        partition_points(points, [2], clusterer=clusterer, random_state=0)


def test_an_unknown_name_is_an_error_that_lists_the_names(points):
    with pytest.raises(ValueError, match=r"'k-means' is not .* kmeans, fuzzy, warm, ward"):
        partition_points(points, [2], clusterer="k-means", random_state=0)


@pytest.mark.parametrize("sizes", [[0, 1], [3, 2], [2, 2], [2.5]])
def test_sizes_that_do_not_increase_from_one_are_an_error(points, sizes):
    with pytest.raises(ValueError, match="are not numbers of clusters in increasing order"):
        partition_points(points, sizes, clusterer="warm", random_state=0)


@pytest.mark.parametrize("clusterer", [FirstAndNoise(label=9), FeatureAgglomeration()])
def test_labels_that_do_not_fit_are_an_error(points, clusterer):
    with pytest.raises(ValueError, match="each of 120 points needs one from -1 to 1"):
        partition(points, 2, clusterer)


def test_points_that_are_not_finite_are_an_error():
    with pytest.raises(ValueError, match="NaN"):
        partition_points([[np.nan], [1.0]], [1], clusterer="warm", random_state=0)
