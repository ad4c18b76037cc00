import numpy as np
import pytest

from perturbfs.paper import Grouping, propose


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
