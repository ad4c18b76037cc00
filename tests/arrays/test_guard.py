"""Stores that refer to other files or to programs are refused; all others are read."""

import json

import numpy as np
import pytest
import scipy.sparse

from perturbfs.arrays import refuse_outside
from perturbfs.datasets import TableError, open_table, read_table
from perturbfs.exceptions import BlockReadError, UnsafeFileError

h5py = pytest.importorskip("h5py")
zarr = pytest.importorskip("zarr")


@pytest.fixture
def secret(tmp_path):
    """A file of which no value may be read."""
    path = tmp_path / "secret.h5"
    with h5py.File(path, "w") as file:
        file["X"] = np.full((3, 2), 42.0)
    return path


def link(file, secret):
    file["X"] = h5py.ExternalLink(str(secret), "/X")


def link_below(file, secret):
    file["X"] = np.eye(3)
    file.create_group("uns")["more"] = h5py.ExternalLink(str(secret), "/")


def store_outside(file, secret):
    file.create_dataset("X", (3, 2), "f8", external=[(str(secret), 0, 48)])


def map_outside(file, secret):
    layout = h5py.VirtualLayout((3, 2), "f8")
    layout[:] = h5py.VirtualSource(str(secret), "X", (3, 2))
    file.create_virtual_dataset("X", layout)


@pytest.mark.parametrize("suffix", [".h5", ".h5ad"])
@pytest.mark.parametrize("make", [link, link_below, store_outside, map_outside])
def test_other_files_are_not_read(tmp_path, secret, make, suffix):
    path = tmp_path / f"table{suffix}"
    with h5py.File(path, "w") as file:
        make(file, secret)
    readers = [open_table, read_table] if suffix == ".h5ad" else [open_table]
    for read in readers:
        with pytest.raises(TableError, match="another file") as caught:
            read(path)
        assert "secret.h5" in str(caught.value)
        assert "42" not in str(caught.value)


def test_links_within_a_file_and_groups_in_themselves_are_no_harm(tmp_path):
    path = tmp_path / "table.h5"
    with h5py.File(path, "w") as file:
        file["a/X"] = np.eye(3)
        file["X"] = h5py.SoftLink("/a/X")
        file["gone"] = h5py.SoftLink("/nowhere")
        file["a/again"] = file["/"]
    with h5py.File(path, "r+") as file:
        refuse_outside(file)
        del file["gone"]
    assert open_table(path).X.shape == (3, 3)


def test_chunks_larger_than_the_memory_are_refused(tmp_path):
    path = tmp_path / "table.h5"
    with h5py.File(path, "w") as file:
        refuse_outside(file.create_dataset("X", (2**20, 2**10), "f8", chunks=(2**20, 2**8)))
    with h5py.File(path, "w") as file:
        file.create_dataset("X", (2**20, 2**10), "f8", chunks=(2**20, 2**8 + 1))
    with pytest.raises(TableError, match="too large to be read one by one"):
        open_table(path)


@pytest.mark.parametrize("ending", ["h5", "zarr"])
def test_a_table_of_which_next_to_nothing_is_stored_is_refused(tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    options = {"chunks": (100, 1000), "dtype": "f8"}
    for n_features, is_refused in ((100_000, False), (40_000_000, True)):
        shape = (100, n_features)
        if ending == "h5":
            with h5py.File(path, "w") as file:
                file.create_dataset("X", shape, **options)
        else:
            zarr.open_group(path, mode="w").create_array("X", shape=shape, **options)
        if is_refused:
            with pytest.raises(TableError, match="less than a byte for 1,032 bytes of it"):
                open_table(path)
        else:
            assert open_table(path).X.shape == shape


def test_a_well_compressed_table_is_read(tmp_path):
    counts = np.random.default_rng(0).poisson(0.01, size=(150, 100_000)).astype(np.float64)
    path = tmp_path / "table.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("X", data=counts, chunks=(150, 1000), compression="gzip")
    assert 20 * path.stat().st_size < counts.nbytes
    assert open_table(path).X.shape == counts.shape


def with_codecs(path, version, codecs):
    """A store whose metadata name codecs that it was not written with."""
    zarr.create_array(path, data=np.eye(4), chunks=(4, 2), zarr_format=version)
    file = path / (".zarray" if version == 2 else "zarr.json")
    content = json.loads(file.read_text())
    content.update(codecs)
    file.write_text(json.dumps(content))
    return path


BYTES = {"name": "bytes", "configuration": {"endian": "little"}}


@pytest.mark.parametrize(
    ("version", "codecs"),
    [
        (2, {"compressor": {"id": "pickle", "protocol": 4}}),
        (2, {"filters": [{"id": "pickle", "protocol": 4}]}),
        (2, {"filters": [{"id": "vlen-utf8"}, {"id": "pickle"}], "dtype": "|O", "fill_value": ""}),
        (3, {"codecs": [BYTES, {"name": "numcodecs.pickle", "configuration": {}}]}),
        (3, {"codecs": [BYTES, {"name": "made.up", "configuration": {}}]}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore")
def test_codecs_that_can_be_programs_are_refused_by_name(tmp_path, version, codecs):
    path = with_codecs(tmp_path / "table.zarr", version, codecs)
    with pytest.raises(TableError, match=r"pickle|made\.up"):
        open_table(path)


def test_a_codec_that_arrives_later_is_refused_when_a_block_is_read(tmp_path):
    path = with_codecs(tmp_path / "table.zarr", 2, {})
    table = open_table(path)
    file = path / ".zarray"
    file.write_text(file.read_text().replace('"filters": null', '"filters": [{"id": "pickle"}]'))
    with pytest.raises(BlockReadError, match="pickle"):
        table.X.take([0])


@pytest.mark.parametrize("version", [2, 3])
def test_what_zarr_writes_is_read(tmp_path, version):
    group = zarr.open_group(tmp_path / "table.zarr", mode="w", zarr_format=version)
    more = {"shards": (4, 4)} if version == 3 else {}
    group.create_array("X", data=np.eye(4), chunks=(4, 2), **more)
    group.create_array("feature_names", data=np.array(list("abcd"), dtype=np.dtypes.StringDType()))
    table = open_table(tmp_path / "table.zarr")
    np.testing.assert_array_equal(table.X.take([0, 1, 2, 3]), np.eye(4))
    assert list(table.feature_names) == list("abcd")


@pytest.mark.parametrize("place", [-1, 9, 10**9])
@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_a_wrong_position_in_a_block_is_refused(tmp_path, kind, place):
    anndata = pytest.importorskip("anndata")
    path = tmp_path / "table.h5ad"
    matrix = getattr(scipy.sparse, f"{kind}_matrix")(np.eye(6)[:, :5])
    anndata.AnnData(matrix).write_h5ad(path)
    with h5py.File(path, "r+") as file:
        file["X/indices"][1] = place
    with pytest.raises(BlockReadError, match=f"a position is {place}"):
        open_table(path).X.take([0, 1, 2, 3, 4])
    with pytest.raises(TableError, match=f"a position is {place}"):
        read_table(path)


def test_the_error_is_public():
    assert issubclass(UnsafeFileError, ValueError)
