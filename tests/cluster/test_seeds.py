import numpy as np
import pytest
from sklearn.cluster import kmeans_plusplus

from perturbfs.cluster import _points, choose_seeds


def oracle(points, n_clusters, seed):
    """Return what KMeans chooses: it subtracts the mean first."""
    _, rows = kmeans_plusplus(points - points.mean(axis=0), n_clusters, random_state=seed)
    return points[rows]


def check(n_clusters):
    points = np.random.default_rng(0).standard_normal((500, 3)) * [0.1, 20, 40] + [0, 50, 90]
    for seed in range(5):
        found = choose_seeds(points, n_clusters, random_state=seed)
        np.testing.assert_array_equal(found, oracle(points, n_clusters, seed))


@pytest.mark.parametrize("n_clusters", [1, 2, 8, 60])
def test_the_seeds_are_those_of_scikit_learn(n_clusters):
    check(n_clusters)


@pytest.mark.parametrize("n_clusters", [2, 8])
def test_the_seeds_are_the_same_in_many_blocks(monkeypatch, n_clusters):
    # With nearly as many clusters as points, rounding decides between points of a pair.
    monkeypatch.setattr(_points, "_BLOCK_ENTRIES", 64)
    check(n_clusters)


def test_equal_points_can_all_be_seeds():
    points = np.ones((4, 2))
    np.testing.assert_array_equal(choose_seeds(points, 3, random_state=0), points[:3])
