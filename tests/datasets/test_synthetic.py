import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score

from perturbfs.datasets import (
    make_synth_data,
    make_wide_classification,
    make_wide_regression,
)

MAKERS = [make_wide_classification, make_wide_regression]


@pytest.mark.parametrize(("symmetric", "low"), [(True, -1), (False, 0)])
def test_synth_data_has_the_dependences_of_the_paper(symmetric, low):
    X, y = make_synth_data(symmetric=symmetric, random_state=0)
    np.testing.assert_allclose(X[:, 4], 8 * X[:, 2] + 2 * X[:, 3])
    np.testing.assert_allclose(X[:, 5], 5 * X[:, 1])
    np.testing.assert_allclose(y, X[:, :3] @ [7, -3, 6])
    assert low <= X[:, :4].min() < low + 0.1
    assert 0.9 < X[:, :4].max() <= 1


# What is where


@pytest.mark.parametrize("make", MAKERS)
def test_every_group_has_one_informative_feature_and_its_copies(make):
    data = make(n_informative=3, n_copies=4, random_state=0)
    assert data.X.shape == (80, 2000) == (len(data.y), len(data.feature_names))
    assert np.unique(data.groups, return_counts=True)[1].tolist() == [1985, 5, 5, 5]
    assert data.groups[data.informative].tolist() == [0, 1, 2]


@pytest.mark.parametrize("make", MAKERS)
def test_copies_follow_their_informative_feature_as_closely_as_the_noise_lets_them(make):
    close, loose = (make(copy_noise=noise, random_state=0) for noise in (0.1, 1.0))
    for data, low, high in ((close, 0.98, 1), (loose, 0.5, 0.95)):
        for signal, source in enumerate(data.informative):
            members = np.flatnonzero(data.groups == signal)
            copies = members[members != source]
            correlations = np.corrcoef(data.X[:, [source, *copies]].T)[0, 1:]
            assert low < correlations.min() <= correlations.max() < high


@pytest.mark.parametrize("make", MAKERS)
def test_copies_without_noise_equal_their_informative_feature(make):
    data = make(copy_noise=0, random_state=0)
    for signal, source in enumerate(data.informative):
        copies = data.X[:, data.groups == signal]
        np.testing.assert_allclose(copies, np.broadcast_to(data.X[:, [source]], copies.shape))


@pytest.mark.parametrize("make", MAKERS)
def test_noise_features_correlate_inside_blocks_of_the_given_size_only(make):
    data = make(
        2000, 60, n_informative=1, n_copies=0, block_size=6, block_correlation=0.6, random_state=0
    )
    correlations = np.corrcoef(data.X[:, data.groups < 0].T)
    linked = correlations > 0.3
    # One noise feature has given its place to the signal, so one block may be a feature short.
    assert set(linked.sum(axis=0).tolist()) == {5, 6}
    # Five standard errors of a correlation of 2000 samples.
    np.testing.assert_allclose(correlations[linked & ~np.eye(59, dtype=bool)], 0.6, atol=0.08)
    np.testing.assert_allclose(correlations[~linked], 0, atol=0.12)


@pytest.mark.parametrize("make", MAKERS)
def test_scale_does_not_betray_the_useful_features(make):
    np.testing.assert_allclose(make(random_state=0).X.std(axis=0), 1)


@pytest.mark.parametrize("make", MAKERS)
def test_a_table_of_useful_features_alone_can_be_made(make):
    data = make(n_features=50, random_state=0)
    assert data.groups.min() == 0


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_seed_gives_the_same_data_and_another_seed_does_not(make):
    first, second, third = (make(random_state=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.X, second.X)
    np.testing.assert_array_equal(first.y, second.y)
    assert not np.array_equal(first.informative, third.informative)


# Outcomes


def test_classes_are_balanced_by_default():
    data = make_wide_classification(n_classes=4, random_state=1)
    assert np.unique(data.y, return_counts=True)[1].tolist() == [20] * 4


@pytest.mark.parametrize(
    ("n_samples", "weights", "expected"),
    [(80, [3, 1], [60, 20]), (80, [0.9, 0.1], [72, 8]), (10, [1, 1, 1], [4, 3, 3])],
)
def test_weights_set_the_shares_of_the_classes(n_samples, weights, expected):
    data = make_wide_classification(
        n_samples, n_classes=len(weights), weights=weights, random_state=0
    )
    assert np.unique(data.y, return_counts=True)[1].tolist() == expected


def test_separation_is_the_distance_of_two_classes_in_their_standard_deviations():
    data = make_wide_classification(4000, 50, separation=1.5, random_state=0)
    first, second = (data.X[data.y == label][:, data.informative] for label in np.unique(data.y))
    distances = np.abs(first.mean(axis=0) - second.mean(axis=0)) / first.std(axis=0)
    # Five standard errors of a difference of means of 2000 samples each.
    np.testing.assert_allclose(distances, 1.5, atol=0.16)


def test_without_noise_the_outcome_is_a_sum_of_the_informative_features():
    data = make_wide_regression(noise=0, random_state=0)
    columns = data.X[:, data.informative]
    slopes = np.linalg.lstsq(columns, data.y)[0]
    np.testing.assert_allclose(columns @ slopes, data.y, atol=1e-12)
    assert np.abs(slopes).min() > 0.7


def test_noise_of_the_outcome_is_relative_to_what_is_explained():
    data = make_wide_regression(4000, 50, noise=0.5, random_state=0)
    explained = (
        Ridge().fit(data.X[:, data.informative], data.y).predict(data.X[:, data.informative])
    )
    # The ratio's standard error is about 0.5 / sqrt(4000).
    assert np.std(data.y - explained) / np.std(explained) == pytest.approx(0.5, abs=0.05)


# The signals are worth finding


def mean_score(make, features, **options):
    """Mean over seeds of the cross-validated score of a linear model on chosen features."""
    scores = []
    for seed in range(4):
        data = make(random_state=seed, **options)
        model = Ridge() if make is make_wide_regression else LogisticRegression()
        X = data.X[:, features(data, np.random.default_rng(seed))]
        scores.append(cross_val_score(model, X, data.y, cv=5).mean())
    return np.mean(scores)


def informative(data, rng):
    return data.informative


def one_copy_a_group(data, rng):
    redundant = np.setdiff1d(np.flatnonzero(data.groups >= 0), data.informative)
    return [rng.choice(redundant[data.groups[redundant] == g]) for g in range(5)]


def all_useful(data, rng):
    return data.groups >= 0


def as_much_noise(data, rng):
    return rng.choice(np.flatnonzero(data.groups < 0), 5, replace=False)


def one_group(data, rng):
    return data.groups == 0


@pytest.mark.parametrize(
    ("make", "options", "guessing"),
    [
        (make_wide_classification, {}, 0.5),
        (make_wide_classification, {"n_classes": 3}, 1 / 3),
        (make_wide_regression, {}, 0.0),
    ],
)
def test_informative_features_predict_and_noise_features_do_not(make, options, guessing):
    best = mean_score(make, informative, **options)
    noise = mean_score(make, as_much_noise, **options)
    assert noise < guessing + 0.1
    assert best > noise + 0.35
    assert mean_score(make, one_group, **options) < best - 0.1


@pytest.mark.parametrize("make", MAKERS)
def test_one_copy_of_each_group_is_nearly_as_good_as_all_useful_features(make):
    assert mean_score(make, one_copy_a_group) > mean_score(make, all_useful) - 0.1


def test_signals_are_found_under_imbalance_too():
    data = make_wide_classification(weights=[0.8, 0.2], random_state=0)
    model, X = LogisticRegression(), data.X[:, data.informative]
    score = cross_val_score(model, X, data.y, cv=5, scoring="balanced_accuracy").mean()
    assert score > 0.8


# What is refused


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_features": 40}, "each gives 50 useful features, but n_features=40"),
        ({"n_samples": 1, "n_features": 60}, "=1 is out of range|n_classes=2 is out of range"),
        ({"n_informative": 0}, "n_informative=0 is out of range. Pass a number .* at least 1"),
        ({"n_copies": -1}, "n_copies=-1 is out of range"),
        ({"copy_noise": -1}, "copy_noise=-1 is out of range"),
        ({"copy_noise": np.nan}, "copy_noise=nan is out of range"),
        ({"block_size": 0}, "block_size=0 is out of range"),
        ({"block_correlation": 1.5}, "block_correlation=1.5 is out of range.* from 0 to 1"),
    ],
)
def test_impossible_tables_are_refused(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 4, "n_classes": 5}, "n_classes=5 is out of range.* from 2 to 4"),
        ({"separation": -1}, "separation=-1 is out of range"),
        ({"weights": [1, 2, 3]}, r"weights=\[1, 2, 3\] does not fit n_classes=2"),
        ({"weights": [1, 0]}, "one positive number per class"),
        ({"weights": [1, np.nan]}, "one positive number per class"),
        ({"weights": [999, 1]}, "leaves class 2 without a sample of n_samples=80"),
    ],
)
def test_impossible_classes_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        make_wide_classification(**options)


def test_negative_noise_of_the_outcome_is_refused():
    with pytest.raises(ValueError, match="noise=-1 is out of range"):
        make_wide_regression(noise=-1)
