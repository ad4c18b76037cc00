"""Small valid files of every format, from which damaged ones are made."""

from __future__ import annotations

import gzip
import json
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1] / "tests"
NAMES = ["alpha", "beta:2", "gamma", "delta"]
XLSX = {
    "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/'
    'package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.'
    'openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/'
    'xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/'
    'package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/'
    'spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships"><sheets><sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<?xml version="1.0"?><Relationships xmlns="http://schemas.'
    'openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.'
    'openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/'
    'sheet1.xml"/></Relationships>',
}


def write_seeds(folder: Path) -> list[Path]:
    """Write a valid file of every format, and return their paths.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    paths : list of Path
        Formats whose packages are not installed are left out.
    """
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(6, 4)), 2)
    y = np.array(["ill", "well"] * 3)
    _write_text(folder, X, y)
    _write_arrays(folder, X)
    _write_xlsx(folder / "table.xlsx", X, y)
    for write in (_write_frames, _write_groups, _write_anndata):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the libraries, on what they write
            try:
                write(folder, X, y)
            except ImportError:
                continue
    return sorted(folder.iterdir())


def _write_text(folder: Path, X: np.ndarray, y: np.ndarray) -> None:
    rows = [",".join([f"s{i}", *map(str, row), y[i]]) for i, row in enumerate(X.tolist())]
    text = "\n".join([",".join(["sample", *NAMES, "state"]), *rows]) + "\n"
    (folder / "table.csv").write_text(text)
    (folder / "table.tsv").write_text("# a title\n" + text.replace(",", "\t"))
    (folder / "european.csv").write_text(text.replace(",", ";").replace(".", ","))
    (folder / "table.csv.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    (folder / "wide.csv").write_bytes(text.encode("utf-16"))
    samples = "\t".join(f"s{i}" for i in range(6))
    lines = [f"{name}\t-\t" + "\t".join(map(str, X[:, j])) for j, name in enumerate(NAMES)]
    (folder / "table.gct").write_text(
        "\n".join(["#1.2", "4\t6", f"Name\tDescription\t{samples}", *lines]) + "\n"
    )
    attributes = "\n".join(f"@attribute '{name}' numeric" for name in NAMES)
    data = "\n".join(",".join([*map(str, row), y[i]]) for i, row in enumerate(X.tolist()))
    (folder / "table.arff").write_text(
        f"@relation r\n{attributes}\n@attribute class {{ill,well}}\n@data\n{data}\n"
    )
    pairs = [" ".join(f"{j + 1}:{x}" for j, x in enumerate(row)) for row in X.tolist()]
    (folder / "table.svmlight").write_text(
        "\n".join(f"{i % 2} {row}" for i, row in enumerate(pairs)) + "\n"
    )


def _write_arrays(folder: Path, X: np.ndarray) -> None:
    import scipy.io
    import scipy.sparse

    codes = np.arange(6) % 2
    sparse = scipy.sparse.csr_matrix(X * (X > 0))
    np.save(folder / "table.npy", X)
    np.save(folder / "fortran.npy", np.asfortranarray(X))
    np.savez(folder / "table.npz", X=X, y=codes, feature_names=np.array(NAMES))
    for kind in ("csr", "csc", "coo"):
        scipy.sparse.save_npz(folder / f"{kind}.npz", sparse.asformat(kind), compressed=False)
    names = np.array(NAMES, dtype=object)
    scipy.io.savemat(folder / "table.mat", {"X": X, "y": codes, "names": names})
    scipy.io.savemat(folder / "sparse.mat", {"X": sparse.tocsc(), "y": codes})
    scipy.io.savemat(folder / "old.mat", {"X": X, "y": codes}, format="4")


def _write_xlsx(path: Path, X: np.ndarray, y: np.ndarray) -> None:
    rows = [["sample", *NAMES, "state"]]
    rows += [[f"s{i}", *row, y[i]] for i, row in enumerate(X.tolist())]
    lines = []
    for i, row in enumerate(rows, 1):
        cells = [
            f'<c r="{chr(65 + j)}{i}"><v>{cell}</v></c>'
            if isinstance(cell, float)
            else f'<c r="{chr(65 + j)}{i}" t="inlineStr"><is><t>{cell}</t></is></c>'
            for j, cell in enumerate(row)
        ]
        lines.append(f'<row r="{i}">{"".join(cells)}</row>')
    sheet = (
        '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/'
        f'2006/main"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**XLSX, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def _write_frames(folder: Path, X: np.ndarray, y: np.ndarray) -> None:
    import polars

    frame = polars.DataFrame(X, schema=NAMES).with_columns(polars.Series("state", y))
    frame.write_parquet(folder / "table.parquet", compression="uncompressed")
    frame.write_parquet(folder / "packed.parquet")
    frame.write_ipc(folder / "table.feather")


def _write_groups(folder: Path, X: np.ndarray, _: np.ndarray) -> None:
    import h5py
    import zarr

    with h5py.File(folder / "table.h5", "w") as file:
        file.create_dataset("X", data=X, chunks=(6, 2))
        file["y"] = np.arange(6) % 2
        file["feature_names"] = [name.encode() for name in NAMES]
    group = zarr.open_group(folder / "table.zarr", mode="w")
    group.create_array("X", data=X, chunks=(6, 2))
    group.create_array("y", data=np.arange(6) % 2)
    group.create_array("feature_names", data=np.array(NAMES, dtype=np.dtypes.StringDType()))


def _write_anndata(folder: Path, X: np.ndarray, y: np.ndarray) -> None:
    import anndata
    import pandas
    import scipy.sparse

    obs = pandas.DataFrame({"state": y}, index=[f"s{i}" for i in range(6)])
    var = pandas.DataFrame(index=NAMES)
    anndata.AnnData(X, obs, var).write_h5ad(folder / "table.h5ad")
    for kind in ("csr", "csc"):
        sparse = getattr(scipy.sparse, f"{kind}_matrix")(X * (X > 0))
        anndata.AnnData(sparse, obs, var).write_h5ad(folder / f"{kind}.h5ad")


def write_documents(folder: Path) -> list[Path]:
    """Write selection.json, summary.json and evaluation.json of both schema versions.

    Each is in a folder of its own, with the name that the commands expect.
    """
    from perturbfs import load_selection
    from perturbfs.results import load_evaluation, load_summary

    sys.path.insert(0, str(TESTS))
    from made_summaries import make_detailed

    old = TESTS / "results" / "old"
    documents = [("summary", json.dumps(make_detailed()))]
    names = ("selection", "summary", "evaluation")
    documents += [(name, (old / f"{name}-1.json").read_text()) for name in names]
    documents.append(("selection", load_selection(old / "selection-1.json").to_json()))
    documents.append(("summary", json.dumps(load_summary(old / "summary-1.json"))))
    documents.append(("evaluation", json.dumps(load_evaluation(old / "evaluation-1.json"))))
    paths = []
    for place, (name, text) in enumerate(documents):
        path = folder / str(place) / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        paths.append(path)
    return paths
