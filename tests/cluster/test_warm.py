import numpy as np
import pytest
from reference_values import load_values
from sklearn.cluster import KMeans
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs.cluster import WarmStartKMeans, _warm, warm_sweep

pytestmark = pytest.mark.slow


@pytest.fixture
def points():
    rng = np.random.RandomState(3)
    return np.vstack([rng.normal(size=(150, 3)), rng.exponential(3, size=(150, 3))])


def inertia_of(points, labels, centers):
    return ((points - centers[labels]) ** 2).sum()


@parametrize_with_checks([WarmStartKMeans()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


def test_three_pairs_are_found_in_three_steps():
    points = np.array([[0.0], [1.0], [10.0], [12.0], [40.0], [44.0]])
    sweep = list(warm_sweep(points, 3))
    np.testing.assert_array_equal(sweep[0][0], [0, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(sweep[1][0], [0, 0, 0, 0, 1, 1])
    np.testing.assert_array_equal(sweep[2][0], [0, 0, 2, 2, 1, 1])
    np.testing.assert_allclose(sweep[2][1], [[0.5], [42.0], [11.0]])


def test_step_k_has_k_clusters_and_none_is_empty(points):
    for k, (labels, centers) in enumerate(warm_sweep(points, 40), start=1):
        assert centers.shape == (k, 3)
        np.testing.assert_array_equal(np.unique(labels), np.arange(k))


def test_permuting_the_points_permutes_the_labels(points):
    order = np.random.RandomState(0).permutation(len(points))
    permuted = warm_sweep(points[order], 30)
    for (labels, centers), (other_labels, other_centers) in zip(
        warm_sweep(points, 30), permuted, strict=True
    ):
        np.testing.assert_array_equal(other_labels, labels[order])
        np.testing.assert_array_equal(other_centers, centers)


def test_scaling_the_points_scales_the_centers(points):
    # By a power of two, so that no rounding differs.
    for (labels, centers), (scaled_labels, scaled_centers) in zip(
        warm_sweep(points, 20), warm_sweep(points / 1024, 20), strict=True
    ):
        np.testing.assert_array_equal(scaled_labels, labels)
        np.testing.assert_array_equal(scaled_centers * 1024, centers)


def test_repeating_every_point_changes_no_center(points):
    for (_, once), (_, twice) in zip(
        warm_sweep(points, 15), warm_sweep(np.repeat(points, 2, axis=0), 15), strict=True
    ):
        np.testing.assert_allclose(twice, once, rtol=1e-10)


def test_what_was_yielded_does_not_change_later(points):
    sweep = warm_sweep(points, 5)
    labels, centers = next(sweep)
    list(sweep)
    np.testing.assert_array_equal(labels, 0)
    np.testing.assert_allclose(centers, [points.mean(axis=0)])


def test_long_settling_ends_where_scikit_learn_has_nothing_left_to_improve(points):
    for labels, centers in warm_sweep(points, 12, max_iter=1000):
        further = KMeans(len(centers), init=centers, n_init=1, tol=0).fit(points)
        # Each center may rest where its move would gain 1e-4 of a mean cluster's inertia.
        assert further.inertia_ > 0.999 * inertia_of(points, labels, centers)


@pytest.mark.parametrize("seed", range(3))
def test_inertia_is_below_the_mean_of_single_starts(seed):
    rng = np.random.RandomState(seed)
    points = np.vstack([rng.normal(size=(150, 3)), rng.exponential(3, size=(150, 3))])
    ratios = []
    for labels, centers in warm_sweep(points, 20):
        starts = [KMeans(len(centers), n_init=1, random_state=r).fit(points) for r in range(5)]
        single = np.mean([start.inertia_ for start in starts])
        ratios.append(inertia_of(points, labels, centers) / single)
    assert np.mean(ratios) < 1


def test_the_sweep_ends_when_every_cluster_consists_of_equal_points():
    points = np.repeat([[0.1, 0.2], [0.3, 0.4], [0.5, 0.9]], 7, axis=0)
    sweep = list(warm_sweep(points, 10))
    assert len(sweep) == 3
    labels, centers = sweep[-1]
    np.testing.assert_allclose(centers[labels], points, rtol=1e-15)


def test_equal_points_form_one_cluster():
    ((labels, centers),) = warm_sweep(np.full((4, 2), 0.1), 3)
    np.testing.assert_array_equal(labels, 0)
    np.testing.assert_array_equal(centers, [[0.1, 0.1]])


def test_a_large_offset_changes_no_label(points):
    # Multiples of 2**-20, which an offset of 2**20 leaves exact.
    points = np.round(points * 2**20) / 2**20
    for (labels, _), (moved_labels, _) in zip(
        warm_sweep(points, 8), warm_sweep(points + 2**20, 8), strict=True
    ):
        np.testing.assert_array_equal(moved_labels, labels)


def test_a_cluster_emptied_while_settling_is_filled_again(points, monkeypatch):
    def settle_badly(clusters, max_iter):
        clusters.labels[clusters.labels == len(clusters.centers) - 1] = 0
        return max_iter

    monkeypatch.setattr(_warm, "settle", settle_badly)
    for k, (labels, _) in enumerate(warm_sweep(points, 6), start=1):
        np.testing.assert_array_equal(np.unique(labels), np.arange(k))


def test_the_estimator_gives_the_last_step_of_the_sweep(points):
    *_, (labels, centers) = warm_sweep(points, 9)
    fitted = WarmStartKMeans(n_clusters=9).fit(points)
    np.testing.assert_array_equal(fitted.labels_, labels)
    np.testing.assert_array_equal(fitted.cluster_centers_, centers)
    assert fitted.inertia_ == pytest.approx(inertia_of(points, labels, centers))


def test_predicting_the_training_points_gives_their_labels(points):
    fitted = WarmStartKMeans(n_clusters=25).fit(points)
    np.testing.assert_array_equal(fitted.predict(points), fitted.labels_)


def test_too_few_distinct_points_are_an_error_that_counts_them():
    points = np.repeat([[0.0], [1.0], [2.0]], 5, axis=0)
    with pytest.raises(ValueError, match=r"n_clusters=4 exceeds .* distinct points, which is 3"):
        WarmStartKMeans(n_clusters=4).fit(points)
    assert WarmStartKMeans(n_clusters=3).fit(points).inertia_ == 0


@pytest.mark.parametrize("name", ["LSVT", "colon", "GLIOMA"])
def test_inertia_on_real_characteristics_is_below_that_of_one_start(name):
    points = load_values(name)["char3"]
    ratios = [
        inertia_of(points, labels, centers)
        / KMeans(len(centers), n_init=1, random_state=0).fit(points).inertia_
        for labels, centers in warm_sweep(points, 40)
    ]
    assert np.mean(ratios) < 1
