import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import as_blocks

CONVERTERS = {"dense": np.asarray, "csc": scipy.sparse.csc_array, "csr": scipy.sparse.csr_matrix}


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    return rng.standard_normal((6, 23)) * (rng.random((6, 23)) < 0.4)


@pytest.fixture(params=CONVERTERS)
def blocks(request, X, monkeypatch):
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 1)
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 5)
    return as_blocks(CONVERTERS[request.param](X))


def test_blocks_cover_all_features_once_and_in_order(blocks, X):
    spans = [block.span for block in blocks]
    assert [span.start for span in spans] == [0, 5, 10, 15, 20]
    np.testing.assert_array_equal(np.concatenate([b.dense() for b in blocks], axis=1), X)


def test_blocks_can_be_walked_over_again(blocks):
    assert len(list(blocks)) == len(list(blocks)) == 5


def test_row_chunks_cover_all_samples_in_order(blocks, X):
    np.testing.assert_array_equal(np.concatenate(list(blocks.row_chunks())), X)


def test_products_are_those_of_the_dense_block(blocks, X):
    left, right = np.arange(12.0).reshape(6, 2), np.arange(23.0)[:, None]
    for block in blocks:
        values = X[:, block.span]
        np.testing.assert_allclose(block.gram(), values @ values.T, atol=1e-14)
        np.testing.assert_allclose(block.times(right[block.span]), values @ right[block.span])
        np.testing.assert_allclose(block.project(left), values.T @ left, atol=1e-14)
        np.testing.assert_allclose(block.norms(), np.linalg.norm(values, axis=0))
        np.testing.assert_array_equal(block.extremes(), (values.min(axis=0), values.max(axis=0)))


def test_scaling_subtracts_first(blocks, X):
    for block in blocks:
        values = X[:, block.span]
        scale = 1.0 + np.arange(values.shape[1])
        np.testing.assert_allclose(block.scaled(scale).dense(), values * scale)
        shifted = block.scaled(scale, scale / 2).dense()
        np.testing.assert_allclose(shifted, (values - scale / 2) * scale)


def test_sparse_blocks_stay_sparse_unless_shifted(X):
    [block] = as_blocks(scipy.sparse.csc_array(X))
    scale = np.ones(X.shape[1])
    assert scipy.sparse.issparse(block.scaled(scale).values)
    assert scipy.sparse.issparse(block.scaled(scale, np.zeros(X.shape[1])).values)
    assert not scipy.sparse.issparse(block.scaled(scale, scale).values)


@pytest.mark.parametrize("convert", CONVERTERS.values(), ids=CONVERTERS)
@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_blocks_and_taken_features_are_float64(convert, dtype, X):
    blocks = as_blocks(convert((10 * X).astype(dtype)))
    features = np.array([7, 2])
    assert next(iter(blocks)).dense().dtype == np.float64
    assert next(iter(blocks.row_chunks())).dtype == np.float64
    assert blocks.take(features).dtype == np.float64
    np.testing.assert_array_equal(blocks.take(features), (10 * X).astype(dtype)[:, features])
