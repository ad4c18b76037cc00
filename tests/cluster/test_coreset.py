import numpy as np
import pytest
from scipy.spatial.distance import cdist

from perturbfs.cluster import WarmStartKMeans, _coreset, warm_sweep
from perturbfs.cluster._points import distinct_points


def blob(n_points, seed=0):
    # Skewed, with outliers, and of unequal scale: as the characteristics are.
    rng = np.random.default_rng(seed)
    return np.abs(rng.standard_t(3, (n_points, 3))) * [1.0, 0.3, 2.0]


@pytest.fixture
def small_threshold(monkeypatch):
    monkeypatch.setattr(_coreset, "MANY_POINTS", 2_000)
    monkeypatch.setattr(_coreset, "FEWEST_CELLS", 4_096)


def inertias(points, max_clusters):
    """Return the inertia as labelled, and with every point at its nearest center."""
    found = [
        (((points - centers[labels]) ** 2).sum(), squared(points, centers).min(axis=1).sum())
        for labels, centers in warm_sweep(points, max_clusters)
    ]
    return np.array(found).T


def squared(points, centers):
    return cdist(points, centers, "sqeuclidean")


def test_cells_hold_all_weight_and_their_means():
    points = distinct_points(blob(3000))
    cells = _coreset.coreset(points, 100)
    assert len(cells.values) == 100
    assert cells.counts.sum() == pytest.approx(3000)
    for cell in (0, 50, 99):
        members = blob(3000)[cells.inverse == cell]
        assert len(members) == cells.counts[cell]
        np.testing.assert_allclose(members.mean(axis=0), cells.values[cell], rtol=1e-12)


def test_the_inertia_of_the_points_is_that_of_the_cells_plus_a_constant():
    points = blob(3000)
    cells = _coreset.coreset(distinct_points(points), 200)
    within = ((points - cells.values[cells.inverse]) ** 2).sum()
    for labels, centers in warm_sweep(cells.values, 4):
        between = cells.counts @ ((cells.values - centers[labels]) ** 2).sum(axis=1)
        of_points = ((points - centers[labels][cells.inverse]) ** 2).sum()
        # Means of cells are exact, so that nothing is left over.
        assert of_points == pytest.approx(within + between, rel=1e-9)


def test_repeated_points_are_points_of_more_weight():
    points = blob(800)
    repeats = 1 + np.arange(800) % 3
    repeated = _coreset.coreset(distinct_points(np.repeat(points, repeats, axis=0)), 64)
    distinct = distinct_points(points)
    of_row = np.empty(800)
    of_row[distinct.inverse] = repeats
    weighted = _coreset.coreset(type(distinct)(distinct.values, of_row, distinct.inverse), 64)
    np.testing.assert_array_equal(repeated.values, weighted.values)
    np.testing.assert_array_equal(repeated.counts, weighted.counts)
    np.testing.assert_array_equal(repeated.inverse, np.repeat(weighted.inverse, repeats))


def test_the_order_of_the_points_does_not_matter():
    points, order = blob(1000), np.random.default_rng(1).permutation(1000)
    cells, shuffled = (
        _coreset.coreset(distinct_points(each), 50) for each in (points, points[order])
    )
    np.testing.assert_array_equal(cells.values, shuffled.values)
    np.testing.assert_array_equal(cells.inverse[order], shuffled.inverse)


def test_there_are_no_more_cells_than_points():
    points = distinct_points(np.array([[0.0], [1.0], [1.0], [5.0]]))
    cells = _coreset.coreset(points, 10)
    assert cells.values.ravel().tolist() == [0, 1, 5]
    assert cells.counts.tolist() == [1, 2, 1]


def test_neighbors_in_floating_point_are_cut_apart():
    points = distinct_points(np.nextafter(1e9, np.array([0.0, 1e9, 2e9]))[:, None])
    assert len(_coreset.coreset(points, 3).values) == 3


def test_few_points_are_left_as_they_are():
    points = distinct_points(blob(500))
    assert _coreset.compress(points, 4) is points


def test_many_clusters_get_more_cells(small_threshold):
    points = distinct_points(blob(9_000))
    assert len(_coreset.compress(points, 10).values) == 4096
    # Half as many cells as points would save nothing.
    assert _coreset.compress(points, 200) is points


def test_inertia_is_within_a_percent_of_that_of_the_full_sweep(small_threshold, monkeypatch):
    points = blob(12_000)
    labelled, nearest = inertias(points, 25)
    monkeypatch.setattr(_coreset, "MANY_POINTS", len(points))
    full, _ = inertias(points, 25)
    assert np.any(labelled != full)
    assert np.mean(nearest / full) < 1.01
    assert np.mean(labelled / full) < 1.02


def test_the_estimator_gives_each_point_its_nearest_center(small_threshold):
    points = blob(9_000)
    clusterer = WarmStartKMeans(12).fit(points)
    found = squared(points, clusterer.cluster_centers_)
    np.testing.assert_array_equal(clusterer.labels_, found.argmin(axis=1))
    assert clusterer.inertia_ == pytest.approx(found.min(axis=1).sum())
    np.testing.assert_array_equal(clusterer.predict(points), clusterer.labels_)
