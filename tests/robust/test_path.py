import numpy as np
import pytest
import slow

from perturbfs.arrays import as_blocks
from perturbfs.robust import (
    explain_features,
    follow_paths,
    prepare_features,
    rotate_targets,
    unit_rows,
)
from perturbfs.robust._path import GROWTH
from perturbfs.robust._prepare import weighted_median


def problem(n_samples=30, n_features=40, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((n_samples, n_features)), np.arange(n_samples) % n_classes
    X[:, :n_classes] += 2.0 * np.eye(n_classes)[y]
    return X, y


def equal_weights(n_samples):
    return np.full(n_samples, 1 / n_samples)


def targets_of(y, weights):
    return unit_rows((y == np.unique(y)[:, None]).astype(float), weights, xp=np).T


def run(X, y, n_wanted=8, *, xp=np, noise=1.0, weights=None):
    weights = equal_weights(len(y)) if weights is None else weights
    features = np.asarray(prepare_features(as_blocks(xp.asarray(X)), xp.asarray(weights)))
    targets = rotate_targets(targets_of(y, weights))
    return features, targets, follow_paths(features, targets, {noise: n_wanted})[noise]


@pytest.mark.parametrize("noise", [0.1, 1.0, 3.0])
def test_path_agrees_with_a_full_ridge_at_every_step(noise):
    X, y = problem()
    features, targets, path = run(X, y, noise=noise)
    expected, coefficients = slow.robust_path(features, targets, 8, noise=noise, growth=GROWTH)
    assert path.features.tolist() == expected
    np.testing.assert_allclose(path.fits[-1], coefficients, atol=1e-12)


def test_paths_of_several_noises_are_those_of_each_alone():
    X, y = problem()
    features, targets, alone = run(X, y, 12)
    together = follow_paths(features, targets, {0.2: 5, 1.0: 12, 3.0: 8})
    assert [len(path.features) for path in together.values()] == [5, 12, 8]
    np.testing.assert_array_equal(together[1.0].features, alone.features)
    np.testing.assert_array_equal(together[0.2].features, run(X, y, 5, noise=0.2)[2].features)


def test_hardly_any_noise_is_solved_although_the_features_depend_on_each_other():
    rng = np.random.default_rng(0)
    features = unit_rows(rng.standard_normal((40, 6)), np.full(6, 1 / 6), xp=np)
    path = follow_paths(features, features[:2].T, {1e-9: 8})[1e-9]
    assert all(np.isfinite(fit).all() for fit in path.fits)


def test_rotated_targets_span_the_same_with_fewer_columns():
    targets = targets_of(np.arange(12) % 3, np.full(12, 1 / 12))
    rotated = rotate_targets(targets)
    assert rotated.shape == (12, 2)
    np.testing.assert_allclose(rotated @ rotated.T, targets @ targets.T, atol=1e-14)


def test_a_worked_case_takes_the_nearest_then_what_it_leaves():
    # The first feature is the target, the second a copy with noise, the third unrelated.
    features = np.array([[1.0, 0, 0, 0], [0.6, 0.8, 0, 0], [0, 0, 1.0, 0]])
    path = follow_paths(features, np.array([[1.0], [0], [0], [0]]), {1.0: 3})[1.0]
    assert path.features.tolist() == [0, 1, 2]
    # After the first step the residual is 1 - 1 / (1 + 1.5) of the target.
    np.testing.assert_allclose(path.cosines[:2], [1.0, 0.6 * 0.6])


def test_features_are_compressed_centered_and_of_unit_length(xp):
    X, y = problem()
    features = np.asarray(run(X, y, xp=xp)[0])
    np.testing.assert_allclose(features.sum(axis=1), 0, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(features, axis=1), 1)
    column = X[:, 5] - np.median(X[:, 5])
    expected = np.arcsinh(column / (2 * 1.4826 * np.median(np.abs(column))))
    expected -= expected.mean()
    np.testing.assert_allclose(features[5], expected / np.linalg.norm(expected), atol=1e-14)


def test_an_infinite_width_only_centers_and_scales():
    X, _ = problem()
    found = prepare_features(as_blocks(X), equal_weights(30), width=float("inf"))
    centered = X - X.mean(axis=0)
    np.testing.assert_allclose(found.T, centered / np.linalg.norm(centered, axis=0), atol=1e-14)


@pytest.mark.parametrize("factor", [1e-250, -3.0, 1e250])
def test_scale_and_shift_of_a_feature_change_nothing(factor):
    X, y = problem()
    moved = X.copy()
    moved[:, 4] = factor * (X[:, 4] + 1)
    np.testing.assert_array_equal(run(moved, y)[2].features, run(X, y)[2].features)


def test_order_of_features_and_numbering_of_classes_change_nothing():
    X, y = problem()
    # Few distinct values, so that scores are often equal.
    X = np.round(X)
    order = np.random.default_rng(1).permutation(X.shape[1])
    path = run(X, y, 20)[2].features
    moved = order[run(X[:, order], np.array([7, 1, 4])[y], 20)[2].features]
    np.testing.assert_allclose(X[:, moved], X[:, path])


def test_integer_weights_count_like_repeated_samples():
    X, y = problem()
    counts = np.random.default_rng(2).integers(1, 4, len(y))
    weighted = run(X, y, weights=counts / counts.sum())[2]
    repeated = run(np.repeat(X, counts, axis=0), np.repeat(y, counts))[2]
    np.testing.assert_array_equal(weighted.features, repeated.features)
    np.testing.assert_allclose(weighted.cosines, repeated.cosines)


@pytest.mark.parametrize("counts", [[1, 1, 1, 1], [1, 2, 3, 1], [3, 1, 1, 1], [5, 1, 1, 1]])
def test_weighted_median_is_that_of_repeated_values(xp, counts):
    rows = np.array([[4.0, 1.0, 3.0, 2.0], [0.0, 0.0, 5.0, -1.0]])
    weights = xp.asarray(np.array(counts) / sum(counts))
    found = np.asarray(weighted_median(xp.asarray(rows), weights, xp=xp))
    np.testing.assert_allclose(found[:, 0], np.median(np.repeat(rows, counts, axis=1), axis=1))


def test_constant_features_and_multiples_are_never_taken():
    X, y = problem(n_features=4)
    X = np.column_stack([X, 3 * X[:, 0], -X[:, 1], np.full(len(y), 0.1), np.zeros(len(y))])
    assert sorted(run(X, y, 8)[2].features.tolist()) == [0, 1, 2, 3]


def test_a_feature_mostly_of_one_value_stays_finite():
    X, y = problem()
    X[:, 0] = 0.0
    X[3, 0] = 1.0
    features = run(X, y)[0]
    assert np.all(np.isfinite(features))
    assert np.linalg.norm(features[0]) == pytest.approx(1)


def test_outliers_do_not_hide_a_good_feature():
    X, y = problem(n_samples=60)
    X[5, 0] = 50.0
    assert set(run(X, y, 3)[2].features) == {0, 1, 2}


def test_sparse_features_give_the_same_path():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    X, y = problem()
    X[X < 0.5] = 0.0
    found = prepare_features(as_blocks(scipy_sparse.csr_array(X)), equal_weights(30))
    np.testing.assert_allclose(found, run(X, y)[0], atol=1e-15)


def test_groups_hold_features_that_are_all_near_to_each_other(xp):
    turn = np.radians([0.0, 30.0, -30.0, 20.0, 90.0])
    features = xp.asarray(np.column_stack([np.cos(turn), np.sin(turn)]))
    groups = explain_features(features, xp.asarray([0, 4]), least_cosine=0.8, xp=xp)
    # 30 and -30 degrees are both near 0 but not to each other; 20 is nearer and comes first.
    assert groups == {0: [0, 3, 1], 4: [4]}
