"""The three perturbations: what is drawn, and what becomes of the coefficients."""

import itertools

import numpy as np
import pytest
import slow
from made_tables import KINDS, SHAPES, make_table

from perturbfs.arrays import as_blocks
from perturbfs.paper import characterize, characterize_runs, code_target
from perturbfs.paper._perturb_iid import NOISE_CHUNK, draw_noise
from perturbfs.paper._perturb_rank2 import bound_mixing


def test_bounds_follow_from_the_extremes_of_a_feature():
    largest, smallest = 0.5, -0.2
    width, low = np.array([largest, smallest]) @ bound_mixing(1e6, xp=np)
    assert low == pytest.approx(smallest / 1e6)
    assert low + width == pytest.approx(largest / 1e5)


def test_the_box_adds_the_minimum_itself():
    largest, smallest = 0.5, -0.2
    mixing = bound_mixing(10.0, 4.0, from_minimum=True, xp=np)
    width, low = np.array([largest, smallest]) @ mixing
    assert low == smallest
    assert width == pytest.approx(0.5 / 4 + 0.2 / 10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("divisors", [(1e6, 1e5), (10.0, 4.0), (1.0, 1.0)])
@pytest.mark.parametrize("perturbation", ["rank2", "box"])
def test_any_divisors_change_coefficients_as_pseudo_inverses_say(
    shape, kind, divisors, perturbation
):
    X, y, u = make_table(shape, kind)
    N = slow.unit(X)
    matrix = slow.box_matrix if perturbation == "box" else slow.row_noise_matrix
    expected, _, _ = slow.characteristics(N, matrix(N, u, *divisors), y)
    found = characterize(
        X,
        y,
        perturbation=perturbation,
        lower_divisor=divisors[0],
        upper_divisor=divisors[1],
        row_noise=u,
    )
    # As in test_characterize: the slow version subtracts two pseudo-inverse solutions.
    scale = np.linalg.norm(slow.coefficients(N, y)) + np.linalg.norm(expected)
    np.testing.assert_allclose(found.sensitivity, expected, rtol=0, atol=1e-7 * scale)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_within_0_and_1_the_box_is_the_released_perturbation(shape):
    X, y, u = make_table(shape)
    first, second = (
        characterize(X, y, scaling="minmax", perturbation=each, row_noise=u)
        for each in ("rank2", "box")
    )
    np.testing.assert_array_equal(first.matrix, second.matrix)


def test_larger_divisors_make_a_smaller_perturbation():
    X, y, u = make_table((20, 60))
    moves = [
        np.linalg.norm(
            characterize(X, y, upper_divisor=size, lower_divisor=size, row_noise=u).sensitivity
        )
        for size in (1e4, 1e6)
    ]
    # To first order the moves are in proportion to the perturbation.
    assert moves[0] / moves[1] == pytest.approx(100, rel=0.01)


@pytest.mark.parametrize(
    ("name", "value", "smallest"),
    [
        ("strength", -1.0, 0),
        ("strength", np.inf, 0),
        ("lower_divisor", 0.5, 1),
        ("upper_divisor", 0, 1),
        ("upper_divisor", np.nan, 1),
    ],
)
def test_sizes_of_the_perturbation_out_of_range_are_an_error(name, value, smallest):
    X, y, _ = make_table((20, 60))
    with pytest.raises(ValueError, match=f"{name}=.* a finite number of at least {smallest}"):
        characterize(X, y, **{name: value})


def test_noise_is_the_same_however_it_is_cut():
    whole = draw_noise(7, slice(0, 3 * NOISE_CHUNK), 4, xp=np)
    cuts = [0, 5, NOISE_CHUNK, NOISE_CHUNK + 1, 3 * NOISE_CHUNK]
    pieces = [draw_noise(7, slice(a, b), 4, xp=np) for a, b in itertools.pairwise(cuts)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    assert len(np.unique(whole)) == whole.size


@pytest.mark.parametrize("kind", ["full", "deficient"])
@pytest.mark.parametrize("shape", [(20, 60), (60, 20)])
@pytest.mark.parametrize("strength", [2.0, 3.0])
def test_independent_noise_changes_coefficients_as_pseudo_inverses_say(shape, kind, strength):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    if kind == "deficient":
        X[:, 3] = X[:, 1] + X[:, 2]
        X[1], y[1] = X[0], y[0]
    found = characterize(X, y, perturbation="iid", strength=strength, random_state=5)
    seed = np.random.RandomState(5).randint(np.iinfo(np.int32).max, size=1)[0]
    N = slow.unit(X)
    smallest = np.linalg.svdvals(N)[np.linalg.matrix_rank(N) - 1]
    size = 10**-strength * smallest / sum(np.sqrt(shape))
    if shape[0] < shape[1]:
        E = size * draw_noise(seed, slice(0, shape[1]), shape[0], xp=np).T
    else:
        E = size * draw_noise(seed, slice(0, shape[0]), shape[1], xp=np)
    assert np.linalg.norm(E, 2) == pytest.approx(10**-strength * smallest, rel=0.15)
    sensitivity, _, _ = slow.characteristics(N, E, y)
    scale = np.linalg.norm(slow.coefficients(N, y)) + np.linalg.norm(sensitivity)
    np.testing.assert_allclose(found.sensitivity, sensitivity, rtol=0, atol=1e-9 * scale)


@pytest.mark.parametrize("shape", [(20, 60), (60, 20), (25, 25)])
def test_expected_sensitivity_is_the_mean_of_many_draws(shape):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    expected = characterize(X, y, perturbation="expected").sensitivity
    runs = characterize_runs(
        as_blocks(X), code_target(y), perturbation="iid", n_runs=400, random_state=0
    )
    mean = np.mean([run.sensitivity for run in runs], axis=0)
    # The mean of 400 absolute normal numbers has a relative deviation of 0.038.
    np.testing.assert_allclose(mean, expected, rtol=4.5 * 0.038)
    assert np.mean(mean / expected) == pytest.approx(1, abs=0.03)


def test_expected_sensitivity_of_class_columns_is_a_root_mean_square():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 60)), rng.integers(0, 3, 20)
    expected = characterize(X, y, perturbation="expected", target_coding="indicators").sensitivity
    target = code_target(y, coding="indicators")
    runs = characterize_runs(as_blocks(X), target, perturbation="iid", n_runs=400, random_state=0)
    squares = np.mean([run.sensitivity**2 for run in runs], axis=0)
    assert np.mean(np.sqrt(squares) / expected) == pytest.approx(1, abs=0.03)


def test_expected_sensitivity_draws_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 60)), rng.integers(0, 2, 20)
    first, second = (
        characterize(X, y, perturbation="expected", random_state=seed).matrix for seed in (0, 1)
    )
    np.testing.assert_array_equal(first, second)


def test_late_runs_divide_by_the_rank():
    rng = np.random.default_rng(0)
    X, y, u = rng.standard_normal((20, 60)), rng.integers(1, 3, 20) * 1.0, rng.uniform(size=20)
    found = characterize(X, y, definition="released-late", row_noise=u)
    N = slow.unit(X)
    sensitivity, _, _ = slow.characteristics(N, slow.row_noise_matrix(N, u, 20.0), y)
    np.testing.assert_allclose(found.sensitivity, sensitivity, rtol=0, atol=1e-12 * 60)


def test_wide_features_of_independent_noise_hardly_differ_in_sensitivity():
    # paper/NOTES.md: with far more features than samples the sensitivity says next to nothing.
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 5000)), rng.integers(1, 3, 20)
    sensitivity = characterize(X, y, perturbation="expected").sensitivity
    assert np.std(sensitivity) / np.mean(sensitivity) < 0.01
