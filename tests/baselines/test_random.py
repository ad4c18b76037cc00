import numpy as np
import pytest

from perturbfs.baselines import RandomSelector


def test_exactly_as_many_features_as_asked_for_and_others_for_other_seeds():
    X = np.zeros((3, 200))
    sets = {
        tuple(RandomSelector(7, random_state=seed).fit(X).get_support(True)) for seed in range(5)
    }
    assert len(sets) == 5
    assert {len(each) for each in sets} == {7}


def test_every_feature_is_drawn_equally_often():
    X = np.zeros((3, 10))
    counts = sum(RandomSelector(5, random_state=seed).fit(X).support_ for seed in range(1000))
    assert np.abs(counts - 500).max() < 4 * np.sqrt(250)


def test_more_features_than_there_are_are_refused():
    with pytest.raises(ValueError, match="n_features_to_select=11, but X has 10 features"):
        RandomSelector(11).fit(np.zeros((3, 10)))


@pytest.mark.parametrize(("n_features", "n_selected"), [(30, 10), (4, 4)])
def test_without_a_number_ten_are_drawn_or_all(n_features, n_selected):
    assert RandomSelector().fit(np.zeros((3, n_features))).support_.sum() == n_selected
