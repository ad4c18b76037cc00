"""Clusterers that find the number of clusters themselves."""

import numpy as np
import pytest
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    OPTICS,
    AffinityPropagation,
    AgglomerativeClustering,
    Birch,
    KMeans,
    MeanShift,
)
from sklearn.mixture import GaussianMixture
from sklearn.svm import SVC

from perturbfs.cluster import has_own_number, partition_by_own_number

CLUSTERERS = [
    DBSCAN(eps=1.0, min_samples=3),
    HDBSCAN(min_cluster_size=5, copy=True),
    OPTICS(min_samples=5),
    MeanShift(bandwidth=2.0),
    MeanShift(bandwidth=1.0, cluster_all=False),
    AffinityPropagation(),
    AgglomerativeClustering(n_clusters=None, distance_threshold=5.0),
    Birch(n_clusters=None),
]


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    centers = np.array([[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 9.0]])
    return np.concatenate([center + rng.normal(0, 0.4, (20, 3)) for center in centers])


def own(points, clusterer, random_state=0):
    return partition_by_own_number(points, clusterer, random_state=random_state)


@pytest.mark.parametrize("clusterer", CLUSTERERS, ids=lambda each: type(each).__name__)
def test_groups_are_those_of_the_clusterer_itself(points, clusterer):
    points = points[np.lexsort(points.T[::-1])]
    assert has_own_number(clusterer)
    found = own(points, clusterer)
    params = {"random_state": 0} if "random_state" in clusterer.get_params() else {}
    labels = clusterer.set_params(**params).fit(points).labels_
    np.testing.assert_array_equal(found.labels, labels)
    assert found.n_clusters == labels.max() + 1 >= 3
    for label, center in enumerate(found.centers):
        np.testing.assert_allclose(center, points[labels == label].mean(axis=0))


@pytest.mark.parametrize("clusterer", CLUSTERERS, ids=lambda each: type(each).__name__)
def test_permuting_the_points_permutes_the_labels(points, clusterer):
    order = np.random.default_rng(1).permutation(len(points))
    given, permuted = own(points, clusterer), own(points[order], clusterer)
    np.testing.assert_array_equal(permuted.labels, given.labels[order])


def test_far_points_are_noise_and_belong_to_no_cluster():
    points = np.array([[0.0], [0.1], [50.0], [9.0], [9.1]])
    found = own(points, DBSCAN(eps=0.5, min_samples=2))
    np.testing.assert_array_equal(found.labels, [0, 0, -1, 1, 1])
    np.testing.assert_allclose(found.centers, [[0.05], [9.05]])


def test_one_cluster_of_equal_points_is_an_answer():
    found = own(np.ones((6, 3)), DBSCAN())
    assert found.n_clusters == 1
    np.testing.assert_array_equal(found.labels, 0)


def test_nothing_but_noise_is_an_error_that_says_so(points):
    with pytest.raises(ValueError, match="put none of the 60 points into a cluster"):
        own(points, DBSCAN(eps=1e-6))


@pytest.mark.parametrize("clusterer", [SVC(), GaussianMixture()])
def test_an_estimator_that_does_not_cluster_is_a_type_error(points, clusterer):
    with pytest.raises(TypeError, match="is not a scikit-learn clusterer"):
        own(points, clusterer)


@pytest.mark.parametrize("clusterer", ["kmeans", KMeans(), KMeans, DBSCAN, None, 3])
def test_other_clusterers_need_a_number(clusterer):
    assert not has_own_number(clusterer)


def test_the_clusterer_given_is_not_changed(points):
    clusterer = AffinityPropagation()
    own(points, clusterer)
    assert clusterer.random_state is None
    assert not hasattr(clusterer, "labels_")
