"""Points of any number, scale and repetition are divided as promised."""

import numpy as np
import pytest
from any_tables import QUICK, attempt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from perturbfs.cluster import (
    CLUSTERERS,
    FuzzyCMeans,
    WarmStartKMeans,
    canonical_order,
    choose_seeds,
    cut_tree_at,
    most_relevant,
    nearest_to_centers,
    partition_points,
    split_to_exactly,
    ward_tree,
    without_rounding_noise,
)

pytestmark = pytest.mark.slow


@st.composite
def points(draw, most=20):
    """Points, some of them at one place, at one of several scales and shifts."""
    shape = draw(st.integers(1, most)), draw(st.integers(1, 3))
    values = draw(arrays(np.float64, shape, elements=st.integers(-4, 4) | st.floats(-4, 4)))
    scale, shift = draw(st.sampled_from([(1.0, 0.0), (1e-150, 0.0), (1e100, 0.0), (1.0, 1e6)]))
    return values * scale + shift


def n_distinct(found):
    return len(np.unique(found, axis=0))


@QUICK
@given(points(), st.sampled_from(CLUSTERERS))
def test_a_partition_has_labels_and_finite_centers(found, clusterer):
    sizes = list(range(1, min(6, len(found)) + 1))
    partitions = list(partition_points(found, sizes, clusterer=clusterer, random_state=0))
    assert [each.n_clusters for each in partitions] == [
        size for size in sizes if size <= n_distinct(found)
    ]
    for each in partitions:
        assert each.labels.shape == (len(found),)
        assert each.labels.min() >= 0
        assert each.labels.max() < each.n_clusters
        assert np.isfinite(each.centers[np.unique(each.labels)]).all()
        exact = split_to_exactly(found, each, each.n_clusters)
        assert np.unique(exact.labels).tolist() == list(range(each.n_clusters))
        for chosen in (
            nearest_to_centers(found, exact),
            most_relevant(np.arange(len(found)) / 7, found, exact),
        ):
            assert exact.labels[chosen].tolist() == list(range(each.n_clusters))


@QUICK
@given(points(), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(found, size, chance):
    order = list(range(len(found)))
    chance.shuffle(order)
    assert (found[canonical_order(found)] == found[order][canonical_order(found[order])]).all()
    for clusterer in CLUSTERERS:
        first, second = (
            list(partition_points(each, [size], clusterer=clusterer, random_state=0))
            for each in (found, found[order])
        )
        assert [each.labels[order].tolist() for each in first] == [
            each.labels.tolist() for each in second
        ]


@QUICK
@given(points(), st.integers(1, 6), st.sampled_from([FuzzyCMeans, WarmStartKMeans]))
def test_a_clusterer_is_finite_or_says_why_not(found, size, kind):
    clusterer = attempt(kind(size).fit, found)
    if clusterer is None:
        assert size > n_distinct(found)
        return
    assert np.isfinite(clusterer.cluster_centers_).all()
    assert clusterer.labels_.shape == (len(found),)
    assert ((clusterer.labels_ >= 0) & (clusterer.labels_ < size)).all()
    assert clusterer.inertia_ >= 0
    assert (clusterer.predict(found) < size).all()


@QUICK
@given(points())
def test_a_tree_can_be_cut_into_any_number_of_clusters(found):
    if len(found) < 2:
        return
    tree = ward_tree(found)
    assert np.isfinite(tree).all()
    assert (np.diff(tree[:, 2]) >= 0).all()
    for size in range(1, len(found) + 1):
        assert np.unique(cut_tree_at(tree, size)).tolist() == list(range(size))


@QUICK
@given(points(), st.integers(1, 5))
def test_seeds_are_points(found, size):
    seeds = choose_seeds(found, min(size, n_distinct(found)), random_state=0)
    assert all((found == seed).all(axis=1).any() for seed in seeds)
    if (found == np.round(found)).all():  # others may be too close to have a distance
        assert n_distinct(seeds) == len(seeds)
    rounded = without_rounding_noise(found)
    assert np.isfinite(rounded).all()
    np.testing.assert_allclose(rounded, found, rtol=1e-6, atol=1e-6 * np.abs(found).max())
