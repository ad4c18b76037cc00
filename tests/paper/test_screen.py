import numpy as np
import pytest

from perturbfs.paper import characterize, screen_features


@pytest.fixture
def found():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 200))
    X[:, 5] = 1.0
    return characterize(X, X[:, 0] + X[:, 1], random_state=0)


def test_no_screen_keeps_every_informative_feature(found):
    assert np.flatnonzero(~screen_features(found, None)).tolist() == [5]


def test_a_share_keeps_the_largest_coefficients(found):
    kept = screen_features(found, 0.1)
    sizes = np.abs(found.coefficients)
    assert kept.sum() == 20
    assert sizes[kept].min() > sizes[~kept].max()


def test_a_share_of_one_keeps_every_informative_feature(found):
    np.testing.assert_array_equal(screen_features(found, 1.0), found.informative)


def test_auto_drops_what_takes_less_than_the_average_part(found):
    kept = screen_features(found, "auto")
    level = np.sqrt(np.mean(found.coefficients[found.informative] ** 2))
    np.testing.assert_array_equal(kept, np.abs(found.coefficients) >= level)
    assert kept[[0, 1]].all()
    assert not kept[5]


def test_auto_keeps_the_share_of_random_features_that_chance_says():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((50, 5000)), rng.standard_normal(50)
    kept = screen_features(characterize(X, y, random_state=0), "auto")
    # A normal number exceeds its standard deviation in 31.7 % of cases.
    assert kept.mean() == pytest.approx(0.317, abs=0.03)


def test_auto_leaves_features_where_all_share_a_direction():
    rng = np.random.default_rng(0)
    X, y = 10 + rng.standard_normal((30, 500)), rng.integers(0, 2, 30)
    kept = screen_features(characterize(X, y, random_state=0), "auto")
    assert 0.2 < kept.mean() < 0.5


def test_screening_class_columns_uses_the_length_of_their_coefficients():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 100)), rng.integers(0, 3, 30)
    found = characterize(X, y, target_coding="indicators", random_state=0)
    sizes = np.linalg.norm(found.coefficients, axis=1)
    kept = screen_features(found, 0.25)
    assert sizes[kept].min() > sizes[~kept].max()
