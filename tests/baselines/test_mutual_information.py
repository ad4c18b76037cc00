import numpy as np
import pytest

from perturbfs.baselines import MutualInformationSelector


def test_information_of_levels_is_counted():
    y = np.array([0, 0, 1, 1] * 5)
    X = np.column_stack([np.tile([0.0, 1.0], 10), 2.0 * y])
    selector = MutualInformationSelector(discrete_features=True).fit(X, y)
    assert selector.scores_ == pytest.approx([0, np.log(2)], abs=1e-12)


def test_relations_without_correlation_are_found():
    X = np.random.default_rng(0).standard_normal((100, 30))
    selector = MutualInformationSelector(random_state=0).fit(X, np.abs(X[:, 3]) > 0.7)
    assert selector.ranking_[3] == 1
    assert selector.support_[3]


def test_few_features_of_noise_beat_the_shuffled_outcome():
    X = np.random.default_rng(0).standard_normal((60, 100))
    selector = MutualInformationSelector(random_state=0).fit(X, np.arange(60) % 2)
    assert selector.support_.sum() <= 5


def test_as_many_classes_as_samples_are_refused():
    with pytest.raises(ValueError, match="InformationSelector needs a class with at least two"):
        MutualInformationSelector().fit(np.eye(4), ["a", "b", "c", "d"])
