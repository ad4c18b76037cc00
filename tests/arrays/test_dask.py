"""Dask arrays give what arrays give, and are read no more than they have to be."""

import numpy as np
import pytest
import scipy.sparse

import perturbfs.arrays._blocks as block_sizes
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import DaskBlocks, as_blocks
from perturbfs.datasets import make_wide_classification, open_table
from perturbfs.exceptions import BlockReadError, StorageWarning
from perturbfs.paper import characterize_runs, code_target

pytestmark = pytest.mark.slow

da = pytest.importorskip("dask.array")


@pytest.fixture(autouse=True)
def narrow_blocks(monkeypatch):
    """Several blocks in a chunk, and several chunks."""
    monkeypatch.setattr(block_sizes, "BLOCK_BYTES", 8 * 60 * 40)
    monkeypatch.setattr(block_sizes, "MIN_BLOCK_WIDTH", 8)


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(60, 500, random_state=0)


@pytest.mark.parametrize(
    "selector",
    [
        RobustSelector(6, nonlinear=False),
        PerturbationSelector(6, random_state=0),
        PerturbationSelector(max_features=4, n_repeats=2, random_state=0),
        PerturbationSelector(6, perturbation="iid", random_state=0),
        PerturbationSelector(6, scaling="minmax", random_state=0),
    ],
    ids=str,
)
def test_selects_what_it_selects_in_an_array(data, selector):
    X = da.from_array(data.X, chunks=(60, 130))
    expected = selector.fit(data.X, data.y).get_support(indices=True)
    found = selector.fit(X, da.from_array(data.y, chunks=20))
    assert found.get_support(indices=True).tolist() == expected.tolist()
    assert np.array_equal(found.transform(X), data.X[:, expected])


def test_characteristics_agree_with_those_of_an_array(data):
    target = code_target(data.y)
    # Two samples that are nearly the same: ill conditioned.
    rows = np.concatenate([data.X[:1], data.X[:1] + 1e-3 * data.X[1:2], data.X[2:]])
    for X in (data.X, rows, data.X[:, :30]):  # wide, by triangles, tall
        expected, found = (
            characterize_runs(blocks, target, n_runs=2, random_state=np.random.RandomState(0))
            for blocks in (as_blocks(X), as_blocks(da.from_array(X, chunks=(60, 130))))
        )
        for one, other in zip(expected, found, strict=True):
            assert np.linalg.norm(one.matrix - other.matrix) <= 1e-8 * np.linalg.norm(one.matrix)


def test_sparse_chunks_stay_sparse_and_agree(data):
    X = np.where(np.abs(data.X) > 1, data.X, 0.0)
    chunks = [
        da.from_delayed(da_delayed(scipy.sparse.csc_array(part)), shape=part.shape, dtype=float)
        for part in np.split(X, 5, axis=1)
    ]
    stacked = da.concatenate(chunks, axis=1, allow_unknown_chunksizes=True)
    expected = RobustSelector(4, nonlinear=False).fit(X, data.y).path_
    found = RobustSelector(4, nonlinear=False).fit(stacked, data.y).path_
    assert found.tolist() == expected.tolist()


def da_delayed(value):
    import dask

    return dask.delayed(value)


def test_chunks_of_samples_are_put_together_with_a_warning(data):
    X = da.from_array(data.X, chunks=(20, 100))
    with pytest.warns(StorageWarning, match="3 chunks of samples"):
        found = RobustSelector(4, nonlinear=False).fit(X, data.y)
    expected = RobustSelector(4, nonlinear=False).fit(data.X, data.y)
    assert found.path_.tolist() == expected.path_.tolist()


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_named(data, value):
    X = data.X.copy()
    X[3, 321] = value
    with pytest.raises(ValueError, match=r"1 values, in column 321\."):
        RobustSelector(4).fit(da.from_array(X, chunks=(60, 130)), data.y)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda X: X.astype(complex), "Complex data not supported"),
        (lambda X: X.astype(str), "features must be numbers"),
        (lambda X: X[:, 0], "samples in rows and features in columns"),
        (lambda X: X[X[:, 0] > 0], "compute_chunk_sizes"),
        (lambda X: X[:, :0], "0 feature"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_computed(data, make, said):
    def fail(block):
        raise AssertionError("computed")

    X = make(da.from_array(data.X, chunks=(60, 130)).map_blocks(fail, dtype=float))
    with pytest.raises(ValueError, match=said):
        RobustSelector(4).fit(X, data.y)


def test_a_chunk_that_cannot_be_read_is_named(data):
    def read(block, block_info=None):
        if block_info[0]["chunk-location"][1] == 2:
            raise OSError("disk on fire")
        return block

    X = da.from_array(data.X, chunks=(60, 130)).map_blocks(read, dtype=float)
    selector = RobustSelector(4)
    with pytest.raises(BlockReadError, match=r"features 260 to 389 could not .*disk on fire"):
        selector.fit(X, data.y)
    assert not hasattr(selector, "support_")


def test_features_come_in_the_order_asked_for_and_other_chunks_are_left_alone(data):
    seen = []

    def look(block, block_info=None):
        seen.append(block_info[0]["chunk-location"][1])
        return block

    X = da.from_array(data.X, chunks=(60, 100)).map_blocks(
        look, dtype=float, meta=np.empty((0, 0))
    )
    features = np.array([410, 3, 3, 7])
    assert np.array_equal(DaskBlocks(X).take(features), data.X[:, features])
    assert sorted(seen) == [0, 4]


def test_results_come_in_order_and_few_chunks_are_under_way(data):
    import dask

    started = []

    def look(block, block_info=None):
        started.append(block_info[0]["chunk-location"][1])
        return block

    X = da.from_array(data.X, chunks=(60, 50)).map_blocks(look, dtype=float, meta=np.empty((0, 0)))
    stops = []
    with dask.config.set(num_workers=2):
        for span, found in DaskBlocks(X).map(_first_row):
            assert np.array_equal(found, data.X[0, span])
            stops.append(span.stop)
            assert len(started) <= span.stop // 50 + 5
    assert stops == sorted(stops)
    assert stops[-1] == 500
    assert sorted(started) == list(range(10))


def _first_row(block):
    return block.dense()[0]


def test_narrow_chunks_are_joined(data):
    assert DaskBlocks(da.from_array(data.X, chunks=(60, 2))).array.numblocks == (1, 13)


def test_a_file_is_read_by_workers(tmp_path, data):
    np.save(tmp_path / "table.npy", np.asfortranarray(data.X))
    store = open_table(tmp_path / "table.npy", target=data.y, memory="64MB").X
    blocks = DaskBlocks.of_store(store)
    expected = RobustSelector(4, nonlinear=False).fit(data.X, data.y)
    assert RobustSelector(4, nonlinear=False).fit(blocks, data.y).path_.tolist() == (
        expected.path_.tolist()
    )
    (tmp_path / "table.npy").write_bytes((tmp_path / "table.npy").read_bytes()[:-80])
    with pytest.raises(BlockReadError, match=r"table\.npy: features 0 to 499 could not be read"):
        RobustSelector(4).fit(DaskBlocks.of_store(store), data.y)


def test_a_dask_backed_anndata_is_taken_by_its_matrix(data):
    anndata = pytest.importorskip("anndata")
    table = anndata.AnnData(X=da.from_array(data.X, chunks=(60, 130)))
    found = RobustSelector(4, nonlinear=False).fit(table.X, data.y)
    expected = RobustSelector(4, nonlinear=False).fit(data.X, data.y)
    assert found.path_.tolist() == expected.path_.tolist()
