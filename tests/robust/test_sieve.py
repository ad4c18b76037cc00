"""The path found among few features, by blocks or in memory, is that among all."""

import numpy as np
import pytest

from perturbfs.arrays import as_blocks
from perturbfs.robust import (
    WIDTH,
    PathProblem,
    Preparation,
    _paths,
    find_paths,
    prepare_features,
    rotate_targets,
    sieve_features,
    unit_rows,
)


def problem_of(X, y, *, n_wanted, samples=None, noises=(1.0,), **limits):
    rows = np.arange(len(y)) if samples is None else samples
    weights = np.full(len(rows), 1 / len(rows))
    indicators = (y[rows][:, None] == np.unique(y)).astype(float)
    targets = unit_rows(indicators.T, weights, xp=np).T
    return PathProblem(
        Preparation(weights, WIDTH, samples),
        rotate_targets(targets),
        dict.fromkeys(noises, n_wanted),
        **limits,
    )


def prepared(X, problem):
    preparation = problem.preparation
    return prepare_features(as_blocks(X), preparation.weights, samples=preparation.samples)


def path_among(X, problem, noise):
    return problem.follow(prepared(X, problem))[noise].features


def make(kind, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(45) % 3
    if kind == "counts":
        X = rng.integers(0, 3, (45, 700)).astype(float)
    elif kind == "steps":  # neighbors resemble each other
        X = np.cumsum(rng.standard_normal((45, 700)), axis=1)
    else:
        X = rng.standard_normal((45, 700))
    if kind == "copies":
        X[:, 350:] = -3 * X[:, :350]
    if kind == "constant":
        X[:, 20:] = 1.0
    X[:, 600] += 2.0 * (y == 1)
    return X, y


@pytest.fixture(autouse=True)
def narrow_blocks(monkeypatch):
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 1)
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 90)


LIMITS = {
    "no limit": {},
    "a limit to exceed": {"max_correlation": 0.4, "n_least": 25},
    "a limit to exceed at first": {"max_correlation": 0.25, "n_least": 9},
}


@pytest.mark.parametrize("n_kept", [1, 10, 200, 1000])
@pytest.mark.parametrize("kind", ["normal", "counts", "steps", "copies", "constant"])
@pytest.mark.parametrize("keeps_moments", [True, False])
@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_every_path_is_the_same(kind, n_kept, keeps_moments, limits):
    X, y = make(kind)
    problems = [
        problem_of(X, y, n_wanted=25, noises=(1.0, 0.3), **limits),
        problem_of(X, y, n_wanted=12, samples=np.arange(3, 40), **limits),
    ]
    sieved = sieve_features(
        as_blocks(X), problems, n_kept=n_kept, least_cosine=0.8, keeps_moments=keeps_moments
    )
    np.testing.assert_array_equal(sieved.columns, X[:, sieved.features])
    for problem in problems:
        for noise in problem.noises:
            found = sieved.features[path_among(sieved.columns, problem, noise)]
            np.testing.assert_array_equal(found, path_among(X, problem, noise))


@pytest.mark.parametrize("n_nearest", [1, 30, 300])
@pytest.mark.parametrize("kind", ["normal", "counts", "steps", "copies", "constant"])
@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS)
def test_every_path_in_memory_is_the_same(kind, n_nearest, limits, monkeypatch):
    monkeypatch.setattr(_paths, "N_NEAREST", n_nearest)
    monkeypatch.setattr(_paths, "PIECE", 64)
    X, y = make(kind)
    problem = problem_of(X, y, n_wanted=25, noises=(1.0, 0.3), **limits)
    found = find_paths(prepared(X, problem), problem)
    assert list(found) == [1.0, 0.3]
    for noise, path in found.items():
        np.testing.assert_array_equal(path, path_among(X, problem, noise))


def test_few_features_are_left_of_many():
    X, y = make("normal")
    sieved = sieve_features(
        as_blocks(X), [problem_of(X, y, n_wanted=5)], n_kept=20, least_cosine=0.8
    )
    assert len(sieved.features) <= 40
    features = prepare_features(as_blocks(X), np.full(45, 1 / 45))
    targets = problem_of(X, y, n_wanted=5).targets
    units = targets / np.linalg.norm(targets, axis=0)
    lengths = np.linalg.norm(features @ units, axis=1)
    np.testing.assert_allclose(sieved.angles, np.degrees(np.arccos(lengths)))


def test_moments_spare_the_sorting_and_change_nothing():
    X, _ = make("counts")
    [block, *_] = as_blocks(X)
    preparation = Preparation(np.full(45, 1 / 45), WIDTH)
    expected, moments = preparation.with_moments(block)
    found, _ = preparation.with_moments(block, moments)
    np.testing.assert_array_equal(found, expected)
