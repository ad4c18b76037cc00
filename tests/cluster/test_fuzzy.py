import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.utils.estimator_checks import parametrize_with_checks

from perturbfs.cluster import FuzzyCMeans, _points
from perturbfs.cluster._fuzzy import improve_centers, memberships_from


@pytest.fixture
def points():
    rng = np.random.RandomState(0)
    return np.vstack([rng.normal(size=(40, 2)), rng.normal(5, 1, size=(30, 2))])


def matlab_fcm(points, memberships, exponent, max_iter, tol):
    """MATLAB's fcm line by line, with its whole table of memberships (clusters x points)."""
    objectives = []
    for _ in range(max_iter):
        weights = memberships**exponent
        centers = weights @ points / weights.sum(axis=1, keepdims=True)
        distances = cdist(centers, points)
        objectives.append((distances**2 * weights).sum())
        powers = distances ** (-2 / (exponent - 1))
        memberships = powers / powers.sum(axis=0)
        if len(objectives) > 1 and abs(objectives[-1] - objectives[-2]) < tol:
            break
    return centers, memberships, objectives


@parametrize_with_checks([FuzzyCMeans()])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("exponent", [1.3, 2.0, 3.5])
def test_fit_agrees_with_matlab_line_by_line(points, exponent):
    drawn = np.random.RandomState(7).uniform(size=(len(points), 3)).T
    centers, memberships, objectives = matlab_fcm(
        points, drawn / drawn.sum(axis=0), exponent, max_iter=100, tol=1e-5
    )
    fitted = FuzzyCMeans(3, exponent=exponent, random_state=7).fit(points)
    assert fitted.n_iter_ == len(objectives)
    assert fitted.inertia_ == pytest.approx(objectives[-1], rel=1e-10)
    # Tens of iterations that round differently; the centers have three digits to spare.
    np.testing.assert_allclose(fitted.cluster_centers_, centers, rtol=1e-8)
    np.testing.assert_allclose(fitted.predict_membership(points), memberships.T, atol=1e-8)
    np.testing.assert_array_equal(fitted.labels_, memberships.argmax(axis=0))


def test_memberships_of_a_point_twice_as_far_from_one_center():
    # Squared distances 1 and 4: weights 1 and 1/4.
    np.testing.assert_allclose(memberships_from(np.array([[1.0, 4.0]]), 2.0), [[0.8, 0.2]])
    # With exponent 3 the weights are 1 and 1/2.
    np.testing.assert_allclose(memberships_from(np.array([[1.0, 4.0]]), 3.0), [[2 / 3, 1 / 3]])


def test_memberships_do_not_depend_on_the_scale_of_distances():
    squared = np.random.RandomState(0).uniform(size=(20, 4))
    expected = memberships_from(squared, 2.5)
    np.testing.assert_allclose(memberships_from(squared * 1e-300, 2.5), expected, rtol=1e-12)
    np.testing.assert_allclose(memberships_from(squared * 1e300, 2.5), expected, rtol=1e-12)


@pytest.mark.parametrize("exponent", [1.0001, 2.0, 50.0])
def test_memberships_sum_to_one(exponent):
    squared = np.random.RandomState(0).uniform(size=(20, 4)) ** 20
    np.testing.assert_allclose(memberships_from(squared, exponent).sum(axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize("exponent", [1.5, 2.0, 3.0])
def test_a_point_on_a_center_belongs_to_it_alone_and_to_several_equally(exponent):
    squared = np.array([[0.0, 3.0, 5.0], [0.0, 3.0, 0.0], [0.0, 0.0, 0.0]])
    expected = [[1, 0, 0], [0.5, 0, 0.5], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(memberships_from(squared, exponent), expected)


def test_centers_improve_to_weighted_means_and_their_objective():
    points = np.array([[0.0], [4.0]])
    weights = np.array([[1.0, 0.5], [0.0, 0.5]])
    centers, objective = improve_centers(points, np.zeros((2, 1)), 2.0, lambda _: weights)
    np.testing.assert_allclose(centers, [[0.0], [2.0]])
    assert objective == pytest.approx(0.25 * 4 + 0.25 * 4)


def test_a_center_without_weight_stays():
    points = np.array([[0.0], [4.0]])
    weights = np.array([[1.0, 0.0], [1.0, 0.0]])
    centers, _ = improve_centers(points, np.array([[1.0], [9.0]]), 2.0, lambda _: weights)
    np.testing.assert_allclose(centers, [[2.0], [9.0]])


def test_the_objective_never_rises(points):
    objectives = [
        FuzzyCMeans(4, max_iter=n_iter, tol=0, random_state=0).fit(points).inertia_
        for n_iter in range(1, 30)
    ]
    assert (np.diff(objectives) <= 1e-12 * objectives[0]).all()


def test_blocks_of_samples_change_nothing(points, monkeypatch):
    whole = FuzzyCMeans(3, random_state=0).fit(points)
    monkeypatch.setattr(_points, "_BLOCK_ENTRIES", 33)
    blocks = FuzzyCMeans(3, random_state=0).fit(points)
    np.testing.assert_allclose(blocks.cluster_centers_, whole.cluster_centers_, rtol=1e-9)
    assert blocks.n_iter_ == whole.n_iter_


def test_scaling_and_moving_the_points_moves_the_centers_alike(points):
    settings = {"n_clusters": 3, "tol": 0, "max_iter": 20, "random_state": 0}
    centers = FuzzyCMeans(**settings).fit(points).cluster_centers_
    moved = FuzzyCMeans(**settings).fit(4 * points + 1e3).cluster_centers_
    np.testing.assert_allclose(moved, 4 * centers + 1e3, rtol=1e-10)


def test_reaching_max_iter_gives_no_warning_but_shows_in_n_iter(points):
    assert FuzzyCMeans(3, max_iter=2, random_state=0).fit(points).n_iter_ == 2


def test_one_cluster_has_its_center_at_the_mean(points):
    fitted = FuzzyCMeans(1, random_state=0).fit(points)
    np.testing.assert_allclose(fitted.cluster_centers_, [points.mean(axis=0)], rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict_membership(points), 1)


def test_equal_points_have_all_centers_on_them():
    fitted = FuzzyCMeans(3, random_state=0).fit(np.full((6, 2), 0.1))
    np.testing.assert_allclose(fitted.cluster_centers_, 0.1)
    np.testing.assert_array_equal(fitted.labels_, 0)
    assert fitted.inertia_ == pytest.approx(0, abs=1e-30)


def test_more_clusters_than_samples_are_an_error_with_both_numbers():
    with pytest.raises(ValueError, match="n_clusters=4 exceeds n_samples=3"):
        FuzzyCMeans(4).fit(np.eye(3))
