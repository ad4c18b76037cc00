"""One small table, written in every format, comes back the same."""

import gzip
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

from perturbfs.datasets import TableError, open_table, read_table

X = np.array([[1.5, -2.0, 0.0], [0.25, 3.0, 1e-3], [7.0, 0.0, 4.5], [0.1, 1.0, 2.0]])
CLASSES = ["tumor", "normal", "tumor", "normal"]
FEATURES = ["TP53", "MYC", "a b"]
SAMPLES = ["S1", "S2", "S3", "S4"]


def text(delimiter=",", names=True):
    """The table as delimited text with sample names first and classes last."""
    head = [["sample", *FEATURES, "state"]] if names else []
    rows = [[s, *map(repr, x.tolist()), c] for s, x, c in zip(SAMPLES, X, CLASSES, strict=True)]
    return "\n".join(delimiter.join(row) for row in head + rows) + "\n"


def assert_is_the_table(table):
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == CLASSES
    assert list(table.feature_names) == FEATURES
    assert list(table.sample_names) == SAMPLES
    assert (table.task, table.target_name) == ("classification", "state")
    assert table.n_missing == 0
    assert table.missing_features == ()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_delimited_text_is_read_whatever_its_delimiter(tmp_path, suffix, delimiter):
    path = tmp_path / f"table{suffix}"
    path.write_text(text(delimiter))
    table = read_table(path, target="state")
    assert_is_the_table(table)
    assert table.source == str(path)
    assert table.dropped == (("sample", "names of the samples"),)


def test_compressed_text_is_read(tmp_path):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(text().encode()))
    assert_is_the_table(read_table(str(path), target="state"))


def test_white_space_separates_fields_of_txt_files(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text("1   2  3\n 4  5 6\n")
    np.testing.assert_array_equal(read_table(path).X, [[1, 2, 3], [4, 5, 6]])


def test_names_in_a_first_row_without_a_corner_are_read_as_r_writes_them(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text('"g1" "g2"\n"s1" 1 2\n"s2" 3 4\n'.replace(" ", "\t"))
    table = read_table(path)
    assert list(table.feature_names) == ["g1", "g2"]
    assert list(table.sample_names) == ["s1", "s2"]


@pytest.mark.parametrize("suffix", [".parquet", ".pq", ".feather", ".arrow"])
def test_columnar_files_are_read(tmp_path, suffix):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"sample": SAMPLES, **dict(zip(FEATURES, X.T, strict=True))})
    frame = frame.with_columns(polars.Series("state", CLASSES, dtype=polars.Categorical))
    path = tmp_path / f"table{suffix}"
    frame.write_parquet(path) if suffix in (".parquet", ".pq") else frame.write_ipc(path)
    assert_is_the_table(read_table(path, target="state"))


def test_an_arrow_stream_is_read(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "table.arrow"
    polars.DataFrame({"a": [1.0, 2.0], "b": [3, 4]}).write_ipc_stream(path)
    np.testing.assert_array_equal(read_table(path).X, [[1, 3], [2, 4]])


def test_the_index_that_pandas_stores_becomes_sample_names(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    path = tmp_path / "table.parquet"
    frame = pandas.DataFrame(X, index=SAMPLES, columns=FEATURES).assign(state=CLASSES)
    frame.to_parquet(path)
    assert_is_the_table(read_table(path, target="state"))


def test_parquet_keeps_single_precision_and_counts_nulls(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "table.parquet"
    schema = {"a": polars.Float32, "b": polars.Float32}
    polars.DataFrame({"a": [1.0, None], "b": [2.0, 3.0]}, schema=schema).write_parquet(path)
    table = read_table(path, missing="allow")
    assert table.X.dtype == np.float32
    assert (table.n_missing, table.missing_features) == (1, ("a",))


def test_booleans_and_integers_of_parquet_are_numbers(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "table.parquet"
    polars.DataFrame({"a": [True, False], "b": [2, 3], "c": ["4", "5"]}).write_parquet(path)
    np.testing.assert_array_equal(read_table(path).X, [[1, 2, 4], [0, 3, 5]])


def test_arff_takes_the_attribute_called_class(tmp_path):
    path = tmp_path / "table.arff"
    rows = "\n".join(
        f"{s}, {','.join(map(repr, x.tolist()))}, {c}"
        for s, x, c in zip(SAMPLES, X, CLASSES, strict=True)
    )
    path.write_text(
        "% made here\n@RELATION r\n@attribute id string\n@ATTRIBUTE TP53 numeric\n"
        "@attribute MYC real\n@attribute 'a b' numeric\n"
        f"@attribute Class {{tumor, normal}}\n@DATA\n{rows}\n"
    )
    table = read_table(path)
    assert table.target_name == "Class"
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == CLASSES
    assert list(table.feature_names) == FEATURES


def test_arff_without_a_class_takes_the_last_attribute(tmp_path):
    path = tmp_path / "table.arff"
    path.write_text(
        '@relation r\n@attribute "it\\"s" real\n@attribute kind {\'a, b\',c}\n@data\n'
        "1.5,'a, b'\n?,c\n"
    )
    table = read_table(path, missing="allow")
    assert list(table.feature_names) == ['it"s']
    assert list(table.y) == ["a, b", "c"]
    assert table.n_missing == 1


@pytest.mark.parametrize("outcome", ["Y", "y", "grade"])
def test_npz_variables_are_found(tmp_path, outcome):
    path = tmp_path / "table.npz"
    np.savez(path, **{"X": X, outcome: np.array(CLASSES), "feature_names": np.array(FEATURES)})
    table = read_table(path)
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == CLASSES
    assert list(table.feature_names) == FEATURES
    assert table.target_name == outcome


def test_npz_with_other_names_is_read_where_there_is_one_choice(tmp_path):
    path = tmp_path / "table.npz"
    np.savez(path, counts=X.astype(np.float32), grade=np.arange(4))
    table = read_table(path)
    assert table.X.dtype == np.float32
    assert list(table.y) == [0, 1, 2, 3]


def test_npz_target_can_be_any_variable(tmp_path):
    path = tmp_path / "table.npz"
    np.savez(path, X=X, Y=np.zeros(4), age=np.array([0.5, 1, 2, 3]))
    table = read_table(path, target="age")
    assert table.task == "regression"
    assert table.dropped == (("Y", "variable not used"),)


def test_a_sparse_npz_stays_sparse(tmp_path):
    path = tmp_path / "table.npz"
    scipy.sparse.save_npz(path, scipy.sparse.coo_array(X))
    table = read_table(path, target=0)
    assert table.X.format == "csc"
    np.testing.assert_array_equal(table.X.toarray(), X[:, 1:])
    np.testing.assert_array_equal(table.y, X[:, 0])


def test_npy_takes_its_target_by_position(tmp_path):
    path = tmp_path / "table.npy"
    np.save(path, np.column_stack([X, [0, 1, 0, 1]]))
    table = read_table(path, target=-1)
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == [0, 1, 0, 1]
    assert table.feature_names is None
    assert table.sample_names is None


@pytest.mark.parametrize("names", [("X", "Y"), ("data", "labels")])
def test_matlab_variables_are_found(tmp_path, names):
    path = tmp_path / "table.mat"
    scipy.io.savemat(path, {names[0]: X, names[1]: np.array([[1], [2], [1], [2]])})
    table = read_table(path)
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == [1, 2, 1, 2]


def test_matlab_cells_of_text_are_labels_and_names(tmp_path):
    path = tmp_path / "table.mat"
    cells = {"Y": np.array(CLASSES, dtype=object), "genes": np.array(FEATURES, dtype=object)}
    scipy.io.savemat(path, {"X": scipy.sparse.csc_array(X), **cells})
    table = read_table(path)
    np.testing.assert_array_equal(table.X.toarray(), X)
    assert list(table.y) == CLASSES
    assert list(table.feature_names) == FEATURES


@pytest.mark.parametrize("suffix", [".svmlight", ".libsvm", ".svmlight.gz"])
def test_svmlight_is_sparse_with_its_labels(tmp_path, suffix):
    plain = tmp_path / "plain"
    dump_svmlight_file(X, [0, 1, 0, 1], str(plain))
    path = tmp_path / f"table{suffix}"
    content = plain.read_bytes()
    path.write_bytes(gzip.compress(content) if suffix.endswith(".gz") else content)
    table = read_table(path)
    np.testing.assert_allclose(table.X.toarray(), X)
    assert list(table.y) == [0, 1, 0, 1]
    assert table.feature_names is None


GCT = "#1.2\n3\t4\nName\tDescription\t" + "\t".join(SAMPLES) + "\n"
GCT += "".join(
    f'{f}\t5"-end of {f}\t' + "\t".join(map(repr, x)) + "\n"
    for f, x in zip(FEATURES, X.T.tolist(), strict=True)
)


@pytest.mark.parametrize("suffix", [".gct", ".gct.gz"])
def test_gct_has_features_in_rows(tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    path.write_bytes(gzip.compress(GCT.encode()) if suffix.endswith(".gz") else GCT.encode())
    labels = tmp_path / "labels.csv"
    labels.write_text("".join(f"{s},{c}\n" for s, c in zip(SAMPLES, CLASSES, strict=True)))
    table = read_table(path, target=labels)
    np.testing.assert_array_equal(table.X, X)
    assert list(table.feature_names) == FEATURES
    assert list(table.sample_names) == SAMPLES
    assert list(table.y) == CLASSES
    assert ("Description", "describes the features") in table.dropped


def test_gct_of_version_3_takes_its_target_from_its_samples_descriptions(tmp_path):
    path = tmp_path / "table.gct"
    path.write_text(
        "#1.3\n2\t3\t1\t2\nid\tchrom\ta\tb\tc\nstate\tna\tx\ty\tx\nage\tna\t30\t40\t50\n"
        "g1\tX\t1\t2\t3\ng2\t7\t4\t5\t6\n"
    )
    table = read_table(path, target="state")
    np.testing.assert_array_equal(table.X, [[1, 4], [2, 5], [3, 6]])
    assert list(table.y) == ["x", "y", "x"]
    assert ("age", "describes the samples") in table.dropped


OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def as_cell(at, value):
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t>{value}</t></is></c>' if value else ""
    return f'<c r="{at}"><v>{value!r}</v></c>'


def as_links(targets):
    links = "".join(
        f'<Relationship Id="r{i}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>'


def write_xlsx(path, rows, sheets=("Data",)):
    """A workbook with the same rows in each sheet; no package is needed for so little."""
    lines = [
        f'<row r="{i}">' + "".join(as_cell(f"{chr(65 + j)}{i}", v) for j, v in enumerate(row))
        for i, row in enumerate(rows, 1)
    ]
    data = f'<worksheet xmlns="{SHEET}"><sheetData>{"</row>".join(lines)}</row></sheetData>'
    entries = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, 1)
    )
    book = f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{entries}</sheets></workbook>'
    files = [f"worksheets/s{i}.xml" for i, _ in enumerate(sheets)]
    with zipfile.ZipFile(path, "w") as archive:
        types = f'<Types xmlns="{PACKAGE}/content-types"></Types>'
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", as_links([("officeDocument", "xl/workbook.xml")]))
        archive.writestr("xl/workbook.xml", book)
        links = as_links([("worksheet", file) for file in files])
        archive.writestr("xl/_rels/workbook.xml.rels", links)
        for file in files:
            archive.writestr(f"xl/{file}", data + "</worksheet>")


def test_excel_is_read_from_its_first_sheet(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "table.xlsx"
    rows = [[s, *x.tolist(), c] for s, x, c in zip(SAMPLES, X, CLASSES, strict=True)]
    write_xlsx(path, [["sample", *FEATURES, "state"], *rows], sheets=("Data", "Notes"))
    table = read_table(path, target="state")
    assert_is_the_table(table)
    assert "The workbook has 2 sheets. 'Data' was read; the others" in table.notes[0]


def test_an_empty_cell_of_excel_is_missing(tmp_path):
    pytest.importorskip("python_calamine")
    path = tmp_path / "table.xlsx"
    write_xlsx(path, [["a", "b"], [1.0, 2.0], [3.0, ""]])
    assert read_table(path, missing="allow").missing_features == ("b",)


def test_old_excel_is_read(tmp_path):
    pytest.importorskip("python_calamine")
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    rows = [[s, *x.tolist(), c] for s, x, c in zip(SAMPLES, X, CLASSES, strict=True)]
    for i, row in enumerate([["sample", *FEATURES, "state"], *rows]):
        for j, value in enumerate(row):
            sheet.write(i, j, value)
    path = tmp_path / "table.xls"
    book.save(str(path))
    assert_is_the_table(read_table(path, target="state"))


@pytest.mark.parametrize("is_sparse", [False, True])
def test_anndata_takes_its_target_from_obs(tmp_path, is_sparse):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    obs = pandas.DataFrame({"state": pandas.Categorical(CLASSES)}, index=SAMPLES)
    matrix = scipy.sparse.csr_matrix(X) if is_sparse else X
    data = anndata.AnnData(matrix, obs=obs, var=pandas.DataFrame(index=FEATURES))
    path = tmp_path / "table.h5ad"
    data.write_h5ad(path)
    table = read_table(path, target="state")
    dense = table.X.toarray() if is_sparse else table.X
    np.testing.assert_array_equal(dense, X)
    assert list(table.y) == CLASSES
    assert list(table.feature_names) == FEATURES
    assert list(table.sample_names) == SAMPLES
    with pytest.raises(TableError, match="Did you mean 'state'"):
        read_table(path, target="States")


@pytest.fixture
def layered(tmp_path):
    """A file whose features are in a layer, and in raw with one more; X holds zeros."""
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    obs = pandas.DataFrame({"state": CLASSES}, index=SAMPLES)
    wide = anndata.AnnData(
        np.column_stack([X, X[:, 0]]), obs=obs, var=pandas.DataFrame(index=[*FEATURES, "more"])
    )
    data = anndata.AnnData(np.zeros_like(X), obs=obs, var=pandas.DataFrame(index=FEATURES))
    data.layers["measured"] = X
    data.layers["sparse"] = scipy.sparse.csr_matrix(X)
    data.raw = wide
    data.write_h5ad(tmp_path / "table.h5ad")
    return tmp_path / "table.h5ad"


@pytest.mark.parametrize("read", [read_table, open_table])
@pytest.mark.parametrize(
    ("layer", "expected"),
    [(None, np.zeros_like(X)), ("measured", X), ("sparse", X), ("raw", np.c_[X, X[:, 0]])],
)
@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.StorageWarning")
def test_a_layer_of_anndata_is_read(layered, read, layer, expected):
    table = read(layered, target="state", layer=layer)
    values = table.X
    if read is open_table:
        values = values.take(np.arange(values.shape[1]))
    elif scipy.sparse.issparse(values):
        values = values.toarray()
    np.testing.assert_array_equal(values, expected)
    names = [*FEATURES, "more"] if layer == "raw" else FEATURES
    assert list(table.feature_names) == names
    assert list(table.y) == CLASSES


@pytest.mark.parametrize("read", [read_table, open_table])
def test_an_unknown_layer_names_the_known_ones(layered, read):
    with pytest.raises(TableError, match=r"layer='x' was not found.*'measured', 'sparse', 'raw'"):
        read(layered, layer="x")


@pytest.mark.parametrize("read", [read_table, open_table])
def test_a_file_without_layers_says_so(tmp_path, read):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "table.h5ad"
    names = {"obs": pandas.DataFrame(index=SAMPLES), "var": pandas.DataFrame(index=FEATURES)}
    anndata.AnnData(X, **names).write_h5ad(path)
    with pytest.raises(TableError, match=r"neither layers nor raw\. Leave it out to use X"):
        read(path, layer="raw")
    anndata.AnnData(layers={"a": X}, **names).write_h5ad(path)
    with pytest.raises(TableError, match=r"has no matrix X"):
        read(path)
    assert read(path, layer="a").n_samples == len(SAMPLES)


@pytest.mark.parametrize("read", [read_table, open_table])
def test_other_formats_have_no_layers(tmp_path, read):
    np.save(tmp_path / "a.npy", np.asfortranarray(X))
    with pytest.raises(TableError, match=r"layer='a' was given for .*\.h5ad"):
        read(tmp_path / "a.npy", layer="a")


def test_without_a_target_there_is_no_outcome_and_no_task(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    table = read_table(path)
    assert (table.y, table.task, table.target_name) == (None, None, None)
    assert (table.n_samples, table.n_features) == (2, 2)
