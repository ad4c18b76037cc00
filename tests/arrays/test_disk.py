"""Both selectors find in tables on disk what they find in arrays."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import perturbfs.robust._table as large
from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs.arrays import ColumnStore, as_blocks
from perturbfs.baselines import MRMRSelector
from perturbfs.cli import app
from perturbfs.datasets import convert_table, load_dataset, make_wide_classification, open_table
from perturbfs.exceptions import BlockReadError, StorageWarning
from perturbfs.paper import characterize_runs, code_target

pytestmark = pytest.mark.slow

anndata = pytest.importorskip("anndata")
h5py = pytest.importorskip("h5py")
polars = pytest.importorskip("polars")
zarr = pytest.importorskip("zarr")


def save_npy(path, X, names):
    np.save(path, np.asfortranarray(X))


def save_npy_by_rows(path, X, names):
    np.save(path, np.ascontiguousarray(X))


def save_group(path, X, names):
    def fill(group):
        group.create_array("X", data=X, chunks=(len(X), min(37, X.shape[1])))

    if path.suffix == ".zarr":
        fill(zarr.open_group(path, mode="w"))
    else:
        with h5py.File(path, "w") as file:
            file.create_dataset("X", data=X, chunks=(len(X), min(37, X.shape[1])))
            file["feature_names"] = [name.encode() for name in names]


def save_parquet(path, X, names):
    polars.DataFrame(X, schema=names).write_parquet(path)


def save_anndata(path, X, names, convert=np.asarray):
    data = anndata.AnnData(convert(X))
    data.var_names = names
    data.write_h5ad(path) if path.suffix == ".h5ad" else data.write_zarr(path)


def save_csc(path, X, names):
    save_anndata(path, X, names, scipy.sparse.csc_matrix)


def save_csr(path, X, names):
    save_anndata(path, X, names, scipy.sparse.csr_matrix)


FORMATS = {
    "npy": ("a.npy", save_npy),
    "npy by rows": ("a.npy", save_npy_by_rows),
    "zarr": ("a.zarr", save_group),
    "hdf5": ("a.h5", save_group),
    "parquet": ("a.parquet", save_parquet),
    "h5ad": ("a.h5ad", save_anndata),
    "h5ad csc": ("a.h5ad", save_csc),
    "h5ad csr": ("a.h5ad", save_csr),
    "anndata zarr": ("a.zarr", save_anndata),
    "anndata zarr csc": ("a.zarr", save_csc),
}


@pytest.fixture(params=FORMATS)
def stored(request, tmp_path):
    """A function from X and y to an opened table, whatever the format."""
    name, save = FORMATS[request.param]

    def store(X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the writers, and of files by rows
            save(tmp_path / name, X, [f"f{j}" for j in range(X.shape[1])])
            return open_table(tmp_path / name, target=y)

    return store


@pytest.fixture
def narrow(monkeypatch):
    """Reads and blocks of few features, and few features kept."""
    monkeypatch.setattr(ColumnStore, "read_width", lambda _: 150)
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 1)
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 60)
    monkeypatch.setattr(large, "PREPARED_SHARE", 10**9)
    monkeypatch.setattr(large, "MOST_KEPT", 40)
    monkeypatch.setattr(large, "FEWEST_KEPT", 40)


@pytest.fixture(scope="module")
def table():
    data = make_wide_classification(60, 500, random_state=0)
    X = np.round(data.X, 2) * (np.abs(data.X) > 0.7)
    X[:, 7], X[:, 99] = 3.0, -2 * X[:, 98]
    return X, data.y


def assert_same(found, expected):
    np.testing.assert_array_equal(found.support_, expected.support_)
    np.testing.assert_array_equal(found.ranking_, expected.ranking_)
    np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-12)
    np.testing.assert_allclose(found.angle_to_target_, expected.angle_to_target_, atol=1e-10)
    assert list(found.groups_) == list(expected.groups_)
    for feature, members in expected.groups_.items():
        np.testing.assert_array_equal(found.groups_[feature], members)


def test_characteristics_are_those_of_the_array(stored, narrow, table):
    X, y = table
    noise = np.random.default_rng(0).uniform(size=(60, 3))
    expected = characterize_runs(as_blocks(X), code_target(y), row_noise=noise)
    found = characterize_runs(stored(X, y).X, code_target(y), row_noise=noise)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(
            ours.matrix, theirs.matrix, atol=1e-8 * np.linalg.norm(theirs.matrix)
        )


FEW_FORMATS = pytest.mark.parametrize("stored", ["npy", "zarr", "h5ad csc"], indirect=True)


@FEW_FORMATS
def test_inner_scores_are_the_same(stored, narrow, table):
    selector = PerturbationSelector(max_features=5, n_repeats=2, random_state=0)
    opened = stored(*table)
    expected = selector.fit(*table).runs_
    found = selector.fit(opened.X, opened.y).runs_
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours.chosen.features, theirs.chosen.features)
        assert ours.chosen.score == theirs.chosen.score


@FEW_FORMATS
def test_the_number_of_features_is_the_same(stored, narrow, table):
    opened = stored(*table)
    expected = RobustSelector(max_features=6).fit(*table)
    found = RobustSelector(max_features=6).fit(opened.X, opened.y)
    assert_same(found, expected)
    assert found.stability_ == expected.stability_
    for ours, theirs in zip(found.candidates_, expected.candidates_, strict=True):
        np.testing.assert_array_equal(ours.features, theirs.features)
        assert ours.score == theirs.score


def test_perturbation_selector_finds_the_same(stored, narrow, table):
    opened = stored(*table)
    expected = PerturbationSelector(12, random_state=0).fit(*table)
    assert_same(PerturbationSelector(12, random_state=0).fit(opened.X, opened.y), expected)


def test_robust_selector_finds_the_same(stored, narrow, table):
    opened = stored(*table)
    expected = RobustSelector(12).fit(*table)
    found = RobustSelector(12).fit(opened.X, opened.y)
    np.testing.assert_array_equal(found.path_, expected.path_)
    assert_same(found, expected)


def test_what_fits_into_the_limit_is_read_once(stored, table, monkeypatch):
    opened = stored(*table)
    monkeypatch.setattr(large, "sieve_features", None)
    found = RobustSelector(5).fit(opened.X, opened.y)
    np.testing.assert_array_equal(found.path_, RobustSelector(5).fit(*table).path_)


def test_tall_tables_are_read_by_rows(stored, table):
    X, y = table
    opened = stored(X[:, :9], y)
    expected = PerturbationSelector(3, random_state=0).fit(X[:, :9], y)
    assert_same(PerturbationSelector(3, random_state=0).fit(opened.X, opened.y), expected)


@pytest.mark.parametrize("name", ["colon", "glioma", "gasoline", "leukemia"])
@pytest.mark.usefixtures("developers_data", "narrow")
def test_features_of_real_data_are_the_same(name, tmp_path):
    data = load_dataset(name, download=False)
    save_npy(tmp_path / "a.npy", data.X, None)
    opened = open_table(tmp_path / "a.npy", target=data.y)
    for selector in (RobustSelector(20), PerturbationSelector(10, random_state=0)):
        expected = selector.fit(data.X, data.y).support_
        np.testing.assert_array_equal(selector.fit(opened.X, opened.y).support_, expected)
        sparse = selector.fit(scipy.sparse.csc_array(data.X), data.y).support_
        np.testing.assert_array_equal(sparse, expected)


def test_a_value_that_is_not_finite_is_named(stored, narrow, table):
    X, y = table[0].copy(), table[1]
    X[3, 333] = np.nan
    opened = stored(X, y)
    for selector in (RobustSelector(3), PerturbationSelector(3)):
        with pytest.raises(ValueError, match=r"X contains NaN: 1 values, in (column 333|'f333')"):
            selector.fit(opened.X, opened.y)
        assert not hasattr(selector, "support_")


def test_a_block_that_cannot_be_read_is_named(tmp_path, narrow, table):
    X, y = table
    path = tmp_path / "a.npy"
    save_npy(path, X, None)
    opened = open_table(path, target=y)
    path.write_bytes(path.read_bytes()[:-100])
    selector = RobustSelector(3)
    with pytest.raises(BlockReadError, match=r"a\.npy: features 450 to 499 could not be read"):
        selector.fit(opened.X, opened.y)
    assert not hasattr(selector, "support_")


def test_a_file_stored_by_rows_is_noticed_once(tmp_path, narrow, table):
    X, y = table
    save_npy_by_rows(tmp_path / "rows.npy", X, None)
    with pytest.warns(StorageWarning, match=r"perturbfs convert .*rows.npy --to zarr") as noticed:
        opened = open_table(tmp_path / "rows.npy", target=y)
    assert len(noticed) == 1
    RobustSelector(3).fit(opened.X, opened.y)  # where a warning would be an error


def test_a_sparse_matrix_by_rows_is_noticed_too(tmp_path, narrow, table):
    save_csr(tmp_path / "a.h5ad", table[0], [f"f{j}" for j in range(500)])
    with pytest.warns(StorageWarning, match="write X in CSC format"):
        open_table(tmp_path / "a.h5ad", target=table[1])


@pytest.mark.parametrize("save", [save_anndata, save_csc, save_csr])
@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.StorageWarning")
def test_a_backed_matrix_is_taken_as_it_is(save, tmp_path, narrow, table):
    X, y = table
    save(tmp_path / "a.h5ad", X, [f"f{j}" for j in range(500)])
    backed = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r").X
    assert_same(RobustSelector(5).fit(backed, y), RobustSelector(5).fit(X, y))
    expected = MRMRSelector(5).fit(X, y)
    np.testing.assert_array_equal(MRMRSelector(5).fit(backed, y).support_, expected.support_)
    found, known = (
        evaluate({"r": RobustSelector(3)}, each, y, n_features=[3], n_splits=2, random_state=0)
        for each in (backed, X)
    )
    np.testing.assert_array_equal(found.selections["r", 3], known.selections["r", 3])


def test_a_backed_array_that_is_no_table_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        vector = file.create_dataset("x", data=np.zeros(3))
        with pytest.raises(ValueError, match=r"X is an array of shape \(3,\) and type float64 in"):
            RobustSelector(1).fit(vector, np.zeros(3))


def test_a_method_in_memory_refuses_a_file_beyond_its_limit(tmp_path, table):
    X, y = table
    save_npy(tmp_path / "a.npy", X, None)
    opened = open_table(tmp_path / "a.npy", y)
    opened.X.memory = 1000
    with pytest.raises(ValueError, match=r"MRMRSelector needs all features in memory.*Robust"):
        MRMRSelector(5).fit(opened.X, y)


def test_names_and_outcome_come_from_the_file(tmp_path, table):
    X, y = table
    path = tmp_path / "a.h5ad"
    data = anndata.AnnData(X)
    data.var_names = [f"gene {j}" for j in range(X.shape[1])]
    data.obs["state"] = np.where(y == y[0], "ill", "well")
    data.write_h5ad(path)
    opened = open_table(path, target="state")
    assert (opened.task, opened.target_name) == ("classification", "state")
    selector = RobustSelector(3).fit(opened.X, opened.y)
    assert set(selector.get_feature_names_out()) == {f"gene {j}" for j in selector.path_}
    frame = polars.DataFrame(X, schema=[f"f{j}" for j in range(500)])
    frame = frame.with_columns(polars.Series("state", opened.y))
    frame.write_parquet(tmp_path / "a.parquet")
    again = open_table(tmp_path / "a.parquet", target="state")
    np.testing.assert_array_equal(again.y, opened.y)
    np.testing.assert_array_equal(again.X.take(np.arange(500)), X)


def test_labels_of_a_second_file_are_joined(tmp_path, table):
    X, y = table
    save_npy(tmp_path / "a.npy", X, None)
    np.save(tmp_path / "labels.npy", y)
    np.testing.assert_array_equal(open_table(tmp_path / "a.npy", tmp_path / "labels.npy").y, y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"memory": "lots"}, "memory='lots' is too little, or not a number of bytes"),
        ({"memory": "1MB"}, "Give at least 64MB"),
        ({"target": [1, 2]}, "target has 2 values, but .* has 60 samples"),
        ({"target": "state"}, "a .npy file has no names"),
    ],
)
def test_what_cannot_be_opened_is_said(tmp_path, table, arguments, message):
    save_npy(tmp_path / "a.npy", table[0], None)
    with pytest.raises(ValueError, match=message):
        open_table(tmp_path / "a.npy", **arguments)
    with pytest.raises(ValueError, match="cannot be read in blocks"):
        open_table(tmp_path / "a.txt")


def test_taken_features_come_as_asked_for(stored, table):
    X, y = table
    features = np.array([400, 3, 3, 77])
    np.testing.assert_array_equal(stored(X, y).X.take(features), X[:, features])


def test_selected_features_are_read_from_the_file(stored, table):
    X, y = table
    opened = stored(X, y)
    selector = RobustSelector(4).fit(X, y)
    np.testing.assert_array_equal(selector.transform(opened.X), X[:, selector.support_])
    with pytest.raises(ValueError, match="X has 500 features, but RobustSelector was fitted to 9"):
        RobustSelector(4).fit(X[:, :9], y).transform(opened.X)


def test_a_copy_by_features_is_the_same_table(tmp_path, narrow, table):
    X, y = table
    data = anndata.AnnData(X)
    data.var_names = [f"gène {j}" for j in range(X.shape[1])]
    data.obs["state"] = np.where(y == y[0], "ill", "well")
    data.write_h5ad(tmp_path / "a.h5ad")
    copy = convert_table(tmp_path / "a.h5ad", tmp_path / "b.zarr", target="state")
    opened = open_table(copy)
    np.testing.assert_array_equal(opened.X.take(np.arange(500)), X)
    np.testing.assert_array_equal(opened.y, data.obs["state"])
    assert list(opened.feature_names) == list(data.var_names)
    assert list(opened.sample_names) == list(data.obs_names)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.h5ad", "b.zarr"]


def test_a_copy_that_fails_leaves_nothing(tmp_path, narrow, table):
    X = table[0].copy()
    X[0, 450] = np.inf
    np.save(tmp_path / "a.npy", X)
    with pytest.raises(ValueError, match="X contains infinity: 1 values, in column 450"):
        convert_table(tmp_path / "a.npy", tmp_path / "b.zarr")
    assert [each.name for each in tmp_path.iterdir()] == ["a.npy"]
    with pytest.raises(ValueError, match=r"b\.h5 does not end in \.zarr"):
        convert_table(tmp_path / "a.npy", tmp_path / "b.h5")


def test_a_sparse_matrix_is_not_filled_by_copying(tmp_path, table):
    save_csr(tmp_path / "a.h5ad", table[0], [f"f{j}" for j in range(500)])
    with pytest.raises(ValueError, match="holds a sparse matrix"):
        convert_table(tmp_path / "a.h5ad", tmp_path / "b.zarr")


def test_the_command_copies_and_says_where(tmp_path, table, capsys):
    np.save(tmp_path / "a.npy", table[0])
    np.save(tmp_path / "labels.npy", table[1])
    arguments = [str(tmp_path / "a.npy"), "--target", str(tmp_path / "labels.npy")]
    with pytest.raises(SystemExit) as stopped:
        app(["convert", *arguments, "--memory", "100MB"])
    assert stopped.value.code == 0
    assert "60 samples, 500 features" in " ".join(capsys.readouterr().out.split())
    np.testing.assert_array_equal(open_table(tmp_path / "a.zarr").y, table[1])
