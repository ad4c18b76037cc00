import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import as_blocks
from perturbfs.paper import Grouping, characterize, order_groups


@pytest.fixture
def grouping():
    points = np.random.default_rng(0).standard_normal((50, 3))
    return Grouping(points, np.arange(100, 150), None, "warm", 0)


def test_relevance_takes_the_most_relevant_feature_of_each_group(grouping):
    relevance = np.random.default_rng(1).random(50)
    by_relevance = Grouping(grouping.points, grouping.kept, relevance, "warm", 0)
    [partition] = by_relevance.partitions([5])
    for label, feature in enumerate(by_relevance.represent(partition)):
        members = np.flatnonzero(partition.labels == label)
        assert relevance[feature - 100] == relevance[members].max()


def test_fewer_distinct_features_than_asked_for_are_an_error():
    points = np.repeat(np.arange(3.0), 5)[:, None] * np.ones(3)
    grouping = Grouping(points, np.arange(15), None, "kmeans", 0)
    assert len(np.unique(grouping.exact_partition(3).labels)) == 3
    with pytest.raises(ValueError, match="n_features_to_select=4, but only 3 features differ"):
        grouping.exact_partition(4)


@pytest.mark.parametrize("clusterer", ["kmeans", "fuzzy", "warm", "ward"])
def test_exactly_as_many_groups_as_asked_for(grouping, clusterer):
    each = Grouping(grouping.points, grouping.kept, None, clusterer, 0)
    for k in (1, 2, 20, 50):
        assert len(each.represent(each.exact_partition(k))) == k


def scaling_of(X):
    return characterize(X, np.arange(len(X)), random_state=0).scaling


def test_members_follow_their_representative_by_similarity():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    X[:, 1] = -X[:, 0] + 0.1 * X[:, 1]  # opposite, but very similar
    X[:, 2] = X[:, 0] + 2.0 * X[:, 2]
    group = np.array([0, 0, 0, 1, 1, -1])
    for convert in (np.asarray, scipy.sparse.csc_array):
        found = order_groups(as_blocks(convert(X)), scaling_of(X), np.array([0, 4]), group)
        assert {key: value.tolist() for key, value in found.items()} == {0: [0, 1, 2], 4: [4, 3]}


def test_a_representative_comes_before_its_exact_copies():
    X = np.repeat(np.array([[1.0], [2.0], [4.0]]), 3, axis=1)
    found = order_groups(as_blocks(X), scaling_of(X), np.array([1]), np.zeros(3, dtype=int))
    assert found[1].tolist() == [1, 0, 2]
