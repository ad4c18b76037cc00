import contextlib
import io
import warnings

import numpy as np
import pytest
from rival_helpers import make_curved_data, order_of
from scipy.optimize import nnls
from sklearn.linear_model import lars_path

from perturbfs.baselines import HSICLassoSelector, _hsic_lasso
from perturbfs.baselines._hsic_lasso import (
    FeatureKernels,
    class_kernel,
    draw_blocks,
    gaussian_kernels,
)
from perturbfs.baselines._nonnegative_lars import nonnegative_lars
from perturbfs.baselines._preparation import standardize

# Made by pyHSICLasso 1.4.2 with numpy 2.4 on make_curved_data(task, seed), ten features asked for:
# HSICLasso.classification(10, B, M) or .regression(10, B, M) with B=0 for None; then `A`, which
# is sorted by coefficient, and the same by the first nonzero entry of each row of `path`.
BY_THE_PACKAGE = [
    ("classification", 0, None, 1, "3 7 22 29 5 20 18 21 14 15", "3 7 22 29 5 20 18 21 14 15"),
    ("classification", 0, 16, 3, "3 7 22 29 15 5 10 27 20 26", "3 7 22 29 15 5 10 27 20 26"),
    ("classification", 1, None, 1, "3 7 10 11 21 24 0 28 20 1", "3 7 10 11 21 24 0 20 28 1"),
    ("classification", 1, 16, 3, "3 7 10 11 23 0 2 22 8 5", "3 7 10 11 23 2 0 22 8 5"),
    ("regression", 0, None, 1, "3 7 22 18 15 2 5 16 20 0", "3 7 22 18 15 5 2 16 20 0"),
    ("regression", 0, 16, 3, "3 7 18 22 15 1 2 5 20 27", "3 7 18 22 15 2 5 1 20 27"),
    ("regression", 1, None, 1, "7 3 10 21 16 11 1 20 24 2", "7 3 10 21 16 11 1 20 2 24"),
    ("regression", 1, 16, 3, "7 3 10 1 16 28 14 21 2 11", "7 3 10 1 16 14 28 2 21 11"),
]


def order_by_coefficient(selector):
    return np.argsort(-selector.scores_, kind="stable")[: selector.support_.sum()].tolist()


def kernels_slowly(X, y):
    """Flattened full kernels of features and classes, one after the other."""
    n_samples, n_features = X.shape
    center = np.eye(n_samples) - 1 / n_samples
    flat = []
    for j in range(n_features):
        x = (X[:, j] - X[:, j].mean()) / X[:, j].std()
        flat.append(np.exp(-((x[:, None] - x[None, :]) ** 2) / 2))
    same = y[:, None] == y[None, :]
    flat.append(same / same.sum(axis=0))
    flat = [center @ kernel @ center for kernel in flat]
    flat = [(kernel / np.linalg.norm(kernel)).ravel() for kernel in flat]
    return np.array(flat[:-1]).T, flat[-1]


@pytest.mark.parametrize(
    ("task", "seed", "block_size", "n_permutations", "listed", "entered"), BY_THE_PACKAGE
)
def test_features_and_both_orders_are_those_of_the_package(
    task, seed, block_size, n_permutations, listed, entered
):
    X, y = make_curved_data(task, seed)
    selector = HSICLassoSelector(10, block_size=block_size, n_permutations=n_permutations)
    selector.fit(X, y)
    assert order_of(selector) == [int(feature) for feature in entered.split()]
    assert order_by_coefficient(selector) == [int(feature) for feature in listed.split()]


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize(("block_size", "n_permutations"), [(None, 1), (24, 2), (20, 2)])
@pytest.mark.parametrize("seed", range(2, 6))
def test_features_order_and_coefficients_are_those_of_the_installed_package(
    task, block_size, n_permutations, seed
):
    package = pytest.importorskip("pyHSICLasso")
    X, y = make_curved_data(task, seed)
    theirs = package.HSICLasso()
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.input(X, y.astype(float), featname=[str(j) for j in range(X.shape[1])])
        getattr(theirs, task)(8, B=block_size or 0, M=n_permutations, n_jobs=1)
    ours = HSICLassoSelector(8, block_size=block_size, n_permutations=n_permutations).fit(X, y)
    assert order_by_coefficient(ours) == [int(feature) for feature in theirs.A]
    # The package computes with single precision.
    assert ours.scores_ == pytest.approx(theirs.beta.ravel(), abs=2e-5)


@pytest.mark.parametrize("seed", range(3))
def test_the_whole_path_ends_at_nonnegative_least_squares(seed):
    X, y = make_curved_data("classification", seed)
    K, L = kernels_slowly(X, y)
    coefficients = nnls(K, L)[0]
    selector = HSICLassoSelector().fit(X, y)
    assert selector.scores_ == pytest.approx(coefficients, abs=1e-6)
    assert selector.support_.tolist() == (coefficients > 0).tolist()


@pytest.mark.parametrize("seed", range(3))
def test_coefficients_on_the_way_are_those_of_scikit_learn(seed):
    X, y = make_curved_data("classification", seed)
    K, L = kernels_slowly(X, y)
    path = lars_path(K, L, method="lasso", positive=True)[2]
    selector = HSICLassoSelector(7).fit(X, y)
    assert selector.scores_ == pytest.approx(path[:, 7], abs=1e-9)


def test_kernels_have_the_inner_products_of_full_matrices():
    X, y = make_curved_data("classification", 0)
    blocks = draw_blocks(len(y), None, 1, 0)
    K, L = kernels_slowly(X, y)
    ours = gaussian_kernels(standardize(X).T, blocks)
    assert ours @ ours.T == pytest.approx(K.T @ K, abs=1e-12)
    assert ours @ class_kernel(y, blocks) == pytest.approx(K.T @ L, abs=1e-12)


def test_kernels_that_are_not_kept_give_the_same_products(monkeypatch):
    X, _ = make_curved_data("classification", 0)
    blocks = draw_blocks(len(X), None, 1, 0)
    kept = FeatureKernels(standardize(X).T, blocks).gram_column(3)
    monkeypatch.setattr(_hsic_lasso, "_KEPT_BYTES", 0)
    monkeypatch.setattr(_hsic_lasso, "_CHUNK_BYTES", 2**16)
    anew = FeatureKernels(standardize(X).T, blocks)
    assert anew._kept is None
    assert anew.gram_column(3) == pytest.approx(kept, abs=1e-14)


def test_a_path_worked_by_hand():
    # Orthonormal regressors: each coefficient is what its relevance has over the level, which
    # is 0 at the end and that of the third feature where it would enter.
    relevance = np.array([0.2, 0.5, -0.3, 0.4])
    gram_column = list(np.eye(4)).__getitem__
    end = nonnegative_lars(relevance, gram_column)
    assert end.order.tolist() == [1, 3, 0]
    assert end.scores == pytest.approx([0.2, 0.5, 0.0, 0.4])
    two = nonnegative_lars(relevance, gram_column, n_wanted=2)
    assert two.order.tolist() == [1, 3]
    assert two.scores == pytest.approx([0.0, 0.3, 0.0, 0.2])


@pytest.mark.parametrize("seed", range(5))
def test_paths_with_features_that_leave_end_at_nonnegative_least_squares(seed):
    rng = np.random.default_rng(seed)
    K = rng.normal(size=(60, 1)) + 0.5 * rng.normal(size=(60, 25))
    K /= np.linalg.norm(K, axis=0)
    L = K @ rng.normal(size=25)
    gram = K.T @ K
    end = nonnegative_lars(K.T @ L, lambda feature: gram[feature])
    assert end.scores == pytest.approx(nnls(K, L)[0], abs=1e-6)


def test_permuting_and_scaling_features_permutes_the_answer():
    X, y = make_curved_data("classification", 0)
    order = np.random.default_rng(1).permutation(X.shape[1])
    plain = HSICLassoSelector(8).fit(X, y)
    moved = HSICLassoSelector(8).fit(-20 * X[:, order] + 3, y)
    assert order[order_of(moved)].tolist() == order_of(plain)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("n_wanted", [None, 8])
def test_copies_change_nothing_and_are_not_taken(task, n_wanted):
    X, y = make_curved_data(task, 0)
    plain = HSICLassoSelector(n_wanted).fit(X, y)
    twice = HSICLassoSelector(n_wanted).fit(np.hstack([X, X, 3 * X[:, :5] + 1]), y)
    assert twice.support_.sum() == plain.support_.sum()
    assert [feature % 30 for feature in order_of(twice)] == order_of(plain)


def test_constant_features_are_not_taken():
    X, y = make_curved_data("classification", 0)
    plain = HSICLassoSelector().fit(X, y)
    wider = HSICLassoSelector().fit(np.hstack([np.full((48, 2), [0.1, 1e6]), X]), y)
    assert [feature - 2 for feature in order_of(wider)] == order_of(plain)


def test_more_features_than_the_path_holds_are_refused():
    X, y = make_curved_data("classification", 0)
    n_most = HSICLassoSelector().fit(X, y).support_.sum()
    with pytest.raises(ValueError, match=f"ranks only {n_most} features"):
        HSICLassoSelector(30).fit(X, y)


def test_wide_data_give_exactly_as_many_features_as_asked_for():
    X, y = make_curved_data("classification", 0, n_samples=30, n_features=1500)
    assert HSICLassoSelector(20).fit(X, y).support_.sum() == 20


def test_blocks_hold_every_sample_at_most_once_a_shuffle_and_follow_the_seed():
    blocks = draw_blocks(11, 3, 2, 5)
    assert blocks.shape == (6, 3)
    assert len(np.unique(blocks[:3])) == len(np.unique(blocks[3:])) == 9
    assert blocks.tolist() == draw_blocks(11, 3, 2, 5).tolist()
    assert blocks.tolist() != draw_blocks(11, 3, 2, 6).tolist()
    assert draw_blocks(11, 3, 2, np.random.RandomState(0)).shape == (6, 3)


def test_blocks_larger_than_the_data_are_refused():
    X, y = make_curved_data("classification", 0)
    with pytest.raises(ValueError, match="block_size=49, but X has 48 samples"):
        HSICLassoSelector(block_size=49).fit(X, y)
