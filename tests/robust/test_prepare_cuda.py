"""The kernels must agree with the steps of `Preparation`, which NumPy uses."""

import numpy as np
import pytest

from perturbfs.arrays import as_blocks, to_host
from perturbfs.robust import Preparation

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


def features(n_samples):
    """Return features of all kinds: ties, many zeros, constants, heavy tails, large offsets."""
    X = np.random.default_rng(0).normal(size=(n_samples, 500))
    X[: n_samples * 6 // 10, :50] = 0
    X[:, 50:100] = np.round(X[:, 50:100])
    X[:, 140:160] = 7
    X[:, 160:260] = np.exp(20 * X[:, 160:260])
    X[:, 260:270] += 1e12
    X[:, 270:280] = 7 + 1e-14 * X[:, 270:280]
    return X


def compare(X, weights, samples, width):
    expected, moments = Preparation(weights, width, samples).with_moments(block_of(X))
    preparation = Preparation(
        torch.asarray(weights, device="cuda"),
        width,
        None if samples is None else torch.asarray(samples, device="cuda"),
    )
    block = block_of(torch.asarray(X, device="cuda"))
    found, found_moments = preparation.with_moments(block)
    again, _ = preparation.with_moments(block, found_moments)
    np.testing.assert_allclose(to_host(found_moments), moments, rtol=1e-14)
    # Sums over thousands of samples are formed in another order.
    np.testing.assert_allclose(to_host(found), expected, atol=1e-13)
    np.testing.assert_allclose(to_host(again), expected, atol=1e-13)


def block_of(X):
    return next(iter(as_blocks(X)))


@pytest.mark.parametrize("width", [2.0, np.inf])
@pytest.mark.parametrize("share", [1, 2 / 3])
@pytest.mark.parametrize("n_samples", [3, 4, 500, 501, 1000, 3000, 20_000])
def test_kernels_agree_with_numpy(n_samples, share, width):
    n_used = max(2, int(share * n_samples))
    samples = np.sort(np.random.default_rng(1).permutation(n_samples)[:n_used])
    compare(
        features(n_samples), np.full(n_used, 1 / n_used), None if share == 1 else samples, width
    )


@pytest.mark.parametrize("unit", [1e200, 1e-200])
def test_features_in_extreme_units_are_scaled_first(unit):
    X = features(100)
    X[:, 300:310] *= unit
    compare(X, np.full(100, 0.01), None, 2.0)


def test_weighted_medians_agree_too():
    weights = np.arange(1.0, 101)
    compare(features(100), weights / weights.sum(), None, 2.0)


def test_transposed_tensors_are_prepared_alike():
    X = features(64)
    weights = torch.full((64,), 1 / 64, dtype=torch.float64, device="cuda")
    rows = torch.asarray(X, device="cuda")
    columns = torch.asarray(np.ascontiguousarray(X.T), device="cuda").T
    first, second = (
        Preparation(weights, 2.0).with_moments(block_of(each))[0] for each in (rows, columns)
    )
    torch.testing.assert_close(first, second, rtol=0, atol=1e-14)
