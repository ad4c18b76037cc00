import numpy as np
import pytest

from perturbfs.datasets import make_synth_data, make_wide_classification


@pytest.mark.parametrize(("symmetric", "low"), [(True, -1), (False, 0)])
def test_synth_data_has_the_dependences_of_the_paper(symmetric, low):
    X, y = make_synth_data(symmetric=symmetric, random_state=0)
    np.testing.assert_allclose(X[:, 4], 8 * X[:, 2] + 2 * X[:, 3])
    np.testing.assert_allclose(X[:, 5], 5 * X[:, 1])
    np.testing.assert_allclose(y, X[:, :3] @ [7, -3, 6])
    assert low <= X[:, :4].min() < low + 0.1
    assert 0.9 < X[:, :4].max() <= 1


def test_wide_data_hide_groups_of_features_that_carry_a_signal():
    data = make_wide_classification(n_signals=3, n_copies=4, noise=0.2, random_state=0)
    assert data.X.shape == (80, 2000) == (len(data.y), len(data.feature_names))
    assert np.unique(data.groups, return_counts=True)[1].tolist() == [1988, 4, 4, 4]
    for signal in range(3):
        correlations = np.corrcoef(data.X[:, data.groups == signal].T)
        assert correlations.min() > 0.8


def test_same_seed_same_data_and_balanced_classes():
    first, second = (make_wide_classification(n_classes=4, random_state=1) for _ in range(2))
    np.testing.assert_array_equal(first.X, second.X)
    assert np.unique(first.y, return_counts=True)[1].tolist() == [20] * 4


def test_more_useful_features_than_features_are_an_error():
    with pytest.raises(ValueError, match="make 50 useful features, but n_features=40"):
        make_wide_classification(n_features=40)


def test_more_classes_than_samples_are_an_error():
    with pytest.raises(ValueError, match="n_classes=5 exceeds n_samples=4"):
        make_wide_classification(4, n_classes=5)
