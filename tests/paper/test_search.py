import numpy as np
import pytest

from perturbfs.paper import Grouping
from perturbfs.paper._search import propose


@pytest.fixture
def grouping():
    points = np.random.default_rng(0).standard_normal((50, 3))
    return Grouping(points, np.arange(100, 150), None, "warm", 0)


def test_there_is_a_candidate_for_each_size(grouping):
    candidates = propose(grouping, range(2, 10))
    assert [each.k for each in candidates] == list(range(2, 10))
    assert [each.n_features for each in candidates] == list(range(2, 10))


def test_candidates_name_features_and_not_points(grouping):
    for candidate in propose(grouping, [3, 7]):
        assert candidate.features.min() >= 100
        assert np.all(np.diff(candidate.features) > 0)


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
