"""`perturbfs select` on the same numbers in files of every format."""

import gzip
import json
import zipfile
from types import SimpleNamespace
from xml.sax.saxutils import escape

import numpy as np
import pytest
import scipy.io
from sklearn.datasets import dump_svmlight_file

from perturbfs.datasets import open_table

SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def as_text(table, delimiter=","):
    lines = [["sample", *table.names, "state"]]
    lines += ([s, *map(str, x), c] for s, x, c in rows_of(table))
    return "".join(delimiter.join(line) + "\n" for line in lines)


def rows_of(table):
    return list(zip(table.samples, table.X.tolist(), table.y.tolist(), strict=True))


def write_tsv(folder, table):
    (folder / "table.tsv").write_text(as_text(table, "\t"))
    return "table.tsv", "--target", "state"


def write_gz(folder, table):
    (folder / "table.csv.gz").write_bytes(gzip.compress(as_text(table).encode()))
    return "table.csv.gz", "--target", "state"


def write_semicolons(folder, table):
    (folder / "table.csv").write_text(as_text(table, ";"))
    return "table.csv", "--target", "state"


def write_parquet(folder, table):
    as_frame(table).write_parquet(folder / "table.parquet")
    return "table.parquet", "--target", "state"


def write_feather(folder, table):
    as_frame(table).write_ipc(folder / "table.feather")
    return "table.feather", "--target", "state"


def as_frame(table):
    polars = pytest.importorskip("polars")
    columns = dict(zip(table.names, table.X.T, strict=True))
    return polars.DataFrame({"sample": table.samples, **columns, "state": table.y.tolist()})


def write_arff(folder, table):
    head = ["@relation genes", *(f"@attribute '{name}' numeric" for name in table.names)]
    head += ["@attribute state {normal,tumor}", "@data"]
    rows = [",".join([*map(str, x), c]) for _, x, c in rows_of(table)]
    (folder / "table.arff").write_text("\n".join(head + rows) + "\n")
    return ("table.arff",)


def write_npz(folder, table):
    names = np.array(table.names)
    np.savez(folder / "table.npz", X=table.X, y=table.y, feature_names=names)
    return ("table.npz",)


def write_mat_with_names(folder, table):
    cells = {
        "featureNames": np.array(table.names, dtype=object),
        "state": np.array(table.y.tolist(), dtype=object),
    }
    scipy.io.savemat(folder / "table.mat", {"data": table.X, **cells})
    return "table.mat", "--target", "state"


def write_gct(folder, table):
    lines = ["#1.2", "60\t40", "\t".join(["Name", "Description", *table.samples])]
    for name, values in zip(table.names, table.X.T.tolist(), strict=True):
        lines.append("\t".join([name, "na", *map(str, values)]))
    (folder / "table.gct").write_text("\n".join(lines) + "\n")
    write_labels(folder, table)
    return "table.gct", "--target", "labels.csv"


def write_genes_by_samples(folder, table):
    lines = [",".join(["gene", *table.samples])]
    for name, values in zip(table.names, table.X.T.tolist(), strict=True):
        lines.append(",".join([name, *map(str, values)]))
    (folder / "genes.csv").write_text("\n".join(lines) + "\n")
    write_labels(folder, table)
    return "genes.csv", "--target", "labels.csv:state"


def write_labels(folder, table):
    """Labels in another order than the samples, with one too many."""
    pairs = [*zip(table.samples, table.y, strict=True), ("S99", "tumor")][::-1]
    lines = ["sample,state", *(f"{sample},{label}" for sample, label in pairs)]
    (folder / "labels.csv").write_text("\n".join(lines) + "\n")


def write_xlsx(folder, table):
    """A workbook; no package is needed for so little."""
    pytest.importorskip("python_calamine")
    rows = [["sample", *table.names, "state"], *([s, *x, c] for s, x, c in rows_of(table))]
    body = "".join(f"<row>{''.join(map(as_cell, row))}</row>" for row in rows)
    book = f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
    book += '<sheet name="Data" sheetId="1" r:id="r1"/></sheets></workbook>'
    with zipfile.ZipFile(folder / "table.xlsx", "w") as archive:
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{PACKAGE}/content-types"/>')
        archive.writestr("_rels/.rels", as_link("officeDocument", "xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", book)
        archive.writestr("xl/_rels/workbook.xml.rels", as_link("worksheet", "worksheets/1.xml"))
        sheet = f'<worksheet xmlns="{SHEET}"><sheetData>{body}</sheetData></worksheet>'
        archive.writestr("xl/worksheets/1.xml", sheet)
    return "table.xlsx", "--target", "state"


def as_cell(value):
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f"<c><v>{value!r}</v></c>"


def as_link(kind, target):
    link = f'<Relationship Id="r1" Type="{OFFICE}/{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}/relationships">{link}</Relationships>'


def write_h5ad(folder, table):
    anndata = pytest.importorskip("anndata")
    pandas = pytest.importorskip("pandas")
    obs = pandas.DataFrame({"state": table.y.tolist()}, index=table.samples)
    var = pandas.DataFrame(index=table.names)
    anndata.AnnData(X=table.X, obs=obs, var=var).write_h5ad(folder / "table.h5ad")
    return "table.h5ad", "--target", "state"


def write_mat(folder, table):
    scipy.io.savemat(folder / "table.mat", {"X": table.X, "Y": table.codes[:, None]})
    return ("table.mat",)


def write_npy(folder, table):
    np.save(folder / "table.npy", np.column_stack([table.X, table.codes]))
    return "table.npy", "--target", "-1"


def write_no_header(folder, table):
    rows = [",".join([*map(str, x), c]) for _, x, c in rows_of(table)]
    (folder / "table.csv").write_text("\n".join(rows) + "\n")
    return "table.csv", "--target", "-1"


def write_svmlight(folder, table):
    path = folder / "table.svmlight"
    dump_svmlight_file(table.X, table.codes, str(path), zero_based=False)
    return ("table.svmlight",)


WITH_NAMES = {
    "tsv": write_tsv,
    "csv.gz": write_gz,
    "semicolons": write_semicolons,
    "parquet": write_parquet,
    "feather": write_feather,
    "arff": write_arff,
    "npz": write_npz,
    "mat with names": write_mat_with_names,
    "gct": write_gct,
    "genes by samples": write_genes_by_samples,
    "xlsx": write_xlsx,
    "h5ad": write_h5ad,
}
WITHOUT_NAMES = {
    "mat": write_mat,
    "npy": write_npy,
    "no header": write_no_header,
    "svmlight": write_svmlight,
}


@pytest.fixture
def found_in(run, small, tmp_path):
    """What `select` finds in a file that a writer makes."""

    def select(write):
        args = write(tmp_path, small)
        done = run(
            *("select", *args, "--n-features", "3", "--splits", "2", "--out", "result"),
            cwd=tmp_path,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads((tmp_path / "result" / "selection.json").read_text(encoding="utf-8"))

    return select


@pytest.fixture(scope="module")
def from_csv(selected):
    content = json.loads((selected.folder / "selection.json").read_text(encoding="utf-8"))
    return SimpleNamespace(**content)


@pytest.mark.parametrize("form", WITH_NAMES)
def test_the_same_table_gives_the_same_answer_in_every_format(form, found_in, from_csv):
    found = found_in(WITH_NAMES[form])
    # The fingerprint covers every value, every label and every name.
    assert found["data"]["fingerprint"] == from_csv.data["fingerprint"]
    assert found["features"] == from_csv.features
    assert found["estimate"] == from_csv.estimate


@pytest.mark.parametrize("form", list(WITHOUT_NAMES))
def test_formats_without_names_select_the_same_positions(form, found_in, from_csv):
    found = found_in(WITHOUT_NAMES[form])
    assert {feature["name"] for feature in found["features"]} == {None}
    assert [f["index"] for f in found["features"]] == [f["index"] for f in from_csv.features]
    assert list(found["data"]["classes"].values()) == [20, 20]
    assert found["data"]["n_features"] == 60


def write_layers(folder, table):
    """Write a file whose X holds zeros and whose layers hold the table."""
    anndata = pytest.importorskip("anndata")
    name, *_ = write_h5ad(folder, table)
    data = anndata.read_h5ad(folder / name)
    data.layers["measured"] = data.X
    data.X = np.zeros_like(data.X)
    data.write_h5ad(folder / name)
    return name, "--target", "state", "--layer", "measured"


def test_a_layer_gives_the_same_answer_and_is_in_the_command(found_in, from_csv, tmp_path):
    found = found_in(write_layers)
    assert found["data"]["fingerprint"] == from_csv.data["fingerprint"]
    assert found["features"] == from_csv.features
    summary = json.loads((tmp_path / "result" / "summary.json").read_text(encoding="utf-8"))
    assert "--layer measured" in summary["command"]


@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.StorageWarning")
def test_a_layer_is_read_in_blocks_too(found_in, from_csv):
    def write(folder, table):
        return (*write_layers(folder, table), "--memory", "500MB")

    found = found_in(write)
    names = [feature["name"] for feature in found["features"]]
    assert names == [feature["name"] for feature in from_csv.features]


def test_an_unknown_layer_is_an_error_in_the_words_of_the_command(run, small, tmp_path):
    name, *_ = write_layers(tmp_path, small)
    for command in ("check", "select", "evaluate"):
        done = run(command, name, "--target", "state", "--layer", "raw", cwd=tmp_path)
        assert done.returncode == 1
        assert "--layer raw was not found. The file has 'measured'." in done.stderr


def test_convert_copies_a_layer(run, small, tmp_path):
    pytest.importorskip("zarr")
    name, _, target, *layer = write_layers(tmp_path, small)
    done = run("convert", name, "--target", target, *layer, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    copy = open_table(tmp_path / "table.zarr")
    np.testing.assert_array_equal(copy.X.take(np.arange(60)), small.X)
