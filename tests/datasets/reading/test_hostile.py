"""Files made to crash a reader or to fill the memory give one sentence."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from perturbfs._support.apart import ChildFailureError
from perturbfs.arrays import check_positions
from perturbfs.cli import app
from perturbfs.datasets import TableError, open_table, read_table
from perturbfs.datasets.reading import _limits, outline_file

HOSTILE = Path(__file__).resolve().parents[4] / "shared" / "hostile"
FILES = sorted(path for path in HOSTILE.glob("*") if path.suffix != ".md")


def refusal(path, read=read_table, **options):
    with pytest.raises(TableError) as caught:
        read(path, **options)
    message = str(caught.value)
    check_sentence(message, path)
    return message


def check_sentence(message, path):
    assert str(path) in message
    assert message.endswith((".", "?", ")"))
    assert "bug in perturbfs" not in message
    assert len(message) < 3000


# Gives files to one function or command, one after the other, with as much memory as the README of
# the files allows. A file that takes longer than a minute ends the process, as a crash does.
DRIVER = """
import io, json, resource, signal, sys, warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

resource.setrlimit(resource.RLIMIT_AS, (4 * 10**9, 4 * 10**9))
warnings.simplefilter("ignore")
from perturbfs.cli import app
from perturbfs.datasets import TableError, open_table, read_table
from perturbfs.datasets.reading import _limits, outline_file

_limits.SECONDS = 20.0

def select(path):
    said = io.StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(io.StringIO()):
            app(["select", path, "--out", sys.argv[2]])
    except SystemExit as ended:
        assert ended.code in (0, 1, 2), ended.code
        if ended.code:
            raise TableError(said.getvalue().partition("Error: ")[2].strip())

outline = lambda path: outline_file(Path(path))
for path in sys.argv[3:]:
    signal.alarm(60)
    try:
        globals()[sys.argv[1]](path)
        said = None
    except TableError as error:
        said = str(error)
    except BaseException as error:
        said = repr(error)
    print(json.dumps([path, said]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not FILES, reason="needs ../shared/hostile")
@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory need Linux")
@pytest.mark.parametrize("way", ["read_table", "open_table", "outline", "select"])
def test_every_kept_file_gives_one_sentence_or_a_result(way, tmp_path):
    script = [sys.executable, "-c", DRIVER, way, tmp_path / "out", *FILES]
    done = subprocess.run(script, capture_output=True, text=True, check=False)
    said = dict(map(json.loads, done.stdout.splitlines()))
    assert done.returncode == 0, f"{FILES[len(said)]}: {done.returncode} {done.stderr[-500:]}"
    assert list(said) == list(map(str, FILES))
    for path, sentence in said.items():
        is_read = way == "select" and "There are 2 samples, but at least" in str(sentence)
        if sentence is not None and not is_read:
            check_sentence(sentence, path)


def write_npz(path, **arrays):
    np.savez(path, **arrays)
    return path


def sparse_parts(**changes):
    matrix = scipy.sparse.csr_matrix(np.eye(4)[:, :3])
    parts = {"indices": matrix.indices, "indptr": matrix.indptr, "data": matrix.data}
    return {**parts, "format": b"csr", "shape": np.array([4, 3])} | changes


@pytest.mark.parametrize(
    "changes",
    [
        {"indices": np.array([0, 1, 3])},
        {"indices": np.array([0, 1, -1])},
        {"indices": np.array([0, 1, 10**9])},
        {"indices": np.array([0.0, 1.0, 2.0])},
        {"indptr": np.array([0, 1, 2, 3, 10**6])},
        {"indptr": np.array([0, 10**6, 2, 3, 3])},
        {"indptr": np.array([0, 10**6, 0, 0, 0])},  # SciPy finds no entries, so it checks nothing
        {"indptr": np.array([-5, 1, 2, 3, 3])},
        {"indptr": np.array([0, 1])},
        {"shape": np.array([4, -3])},
        {"shape": np.array([4])},
        {"shape": np.array([2**40, 3])},
        {"format": np.array([1, 2])},
        {"format": b"bsr"},
        {"data": np.array(["a", "b", "c"])},
    ],
    ids=str,
)
def test_a_sparse_matrix_with_wrong_positions_is_refused(tmp_path, changes):
    path = write_npz(tmp_path / "table.npz", **sparse_parts(**changes))
    assert "sparse" in refusal(path)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("make", ["matrix", "array"])
def test_a_sparse_matrix_that_scipy_wrote_is_read(tmp_path, kind, make):
    dense = np.where(np.arange(12).reshape(4, 3) % 2, 1.5, 0)
    matrix = getattr(scipy.sparse, f"{kind}_{make}")(dense)
    scipy.sparse.save_npz(tmp_path / "table.npz", matrix)
    np.testing.assert_array_equal(read_table(tmp_path / "table.npz").X.toarray(), dense)
    assert outline_file(tmp_path / "table.npz").n_columns == 3


def test_positions_are_checked_before_use():
    indices, indptr = np.array([0, 2]), np.array([0, 1, 2])
    check_positions(indices, indptr, (2, 3))
    check_positions(indices.astype(np.uint8), indptr.astype(np.uint64), (2, 3))
    for bad in ((indices, indptr[::-1]), (indices - 1, indptr), (indices + 1, indptr)):
        with pytest.raises(ValueError, match=r"position|lines"):
            check_positions(*bad, (2, 3))


def test_an_entry_of_an_archive_that_is_no_array_is_named(tmp_path):
    path = write_npz(tmp_path / "table.npz", X=np.eye(3))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("notes.txt", "not an array")
    assert "entries that are no arrays: 'notes.txt'" in refusal(path)


def test_text_that_is_not_unicode_is_refused(tmp_path):
    path = tmp_path / "table.npz"
    names = np.array(["a", "b", "c"])
    names.view(np.uint32)[1] = 0x3FFFFFF  # beyond the last character that there is
    np.savez(path, X=np.eye(3), feature_names=names, y=np.array(["x", "y", "x"]))
    assert "holds text that is not Unicode" in refusal(path)


def test_arrays_that_unpack_to_more_than_the_memory_are_refused(tmp_path):
    path = tmp_path / "table.npz"
    np.savez_compressed(path, X=np.zeros((1000, 10_000)))
    assert "would take 80 MB" in refusal(path, read_memory="64MB")
    assert read_table(path).X.shape == (1000, 10_000)


@pytest.mark.parametrize("read", [read_table, open_table])
@pytest.mark.parametrize("shape", [(2**32, 2**32), (-1, 3), (2**62, 2**62)])
def test_an_array_larger_than_its_file_is_refused(tmp_path, read, shape):
    path, content = tmp_path / "table.npy", io.BytesIO()
    np.lib.format.write_array_header_1_0(
        content, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    path.write_bytes(content.getvalue() + bytes(64))
    assert "is announced, and 64 bytes follow" in refusal(path, read)


def test_a_damaged_matlab_file_does_not_end_the_process(tmp_path):
    path = tmp_path / "table.mat"
    scipy.io.savemat(path, {"X": scipy.sparse.csc_matrix(np.eye(6)), "y": np.arange(6)})
    content = bytearray(path.read_bytes())
    rng = np.random.default_rng(0)
    for _ in range(30):
        bad = content.copy()
        for place in rng.integers(128, len(bad), 4):
            bad[place] = rng.integers(256)
        path.write_bytes(bad)
        with suppress(TableError):
            assert read_table(path).X.shape[0] > 0


def write_xlsx(path, cells):
    from fuzz_seeds import XLSX

    rows = "".join(f'<row><c r="{at}"><v>{value}</v></c></row>' for at, value in cells)
    start = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    sheet = f"{start}<sheetData>{rows}</sheetData></worksheet>"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**XLSX, "xl/worksheets/sheet1.xml": sheet}.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("corner", ["XFD1048576", "ALL100000"])
def test_a_cell_far_from_the_table_is_refused(tmp_path, corner):
    pytest.importorskip("python_calamine")
    path = write_xlsx(tmp_path / "table.xlsx", [("A1", 1), ("B2", 2), (corner, 3)])
    assert "only 3 cells are filled" in refusal(path)


def test_compressed_text_of_repetition_is_refused(tmp_path):
    path = tmp_path / "table.csv.gz"
    with gzip.open(path, "wb", 9) as handle:
        handle.write(b"a,b,state\n")
        for _ in range(120):
            handle.write(b"1,2,x\n" * 200_000)
    assert "unpacks to more than 200 times its size" in refusal(path)


@pytest.mark.parametrize("line", ["1 2000000000:1", "1 300000000:1 300000001:2"])
def test_a_feature_number_beyond_all_others_is_refused(tmp_path, line):
    path = tmp_path / "table.svmlight"
    path.write_text(f"{line}\n0 1:1\n")
    assert "is said to have 2 rows" in refusal(path)


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (ChildFailureError("time"), "was not read within 30 seconds"),
        (ChildFailureError("memory"), "takes more memory to read than the 500 MB"),
        (ChildFailureError("death", -11), "made the program that reads it end (SIGSEGV)"),
        (
            ChildFailureError("death", -6),
            "(SIGABRT), so it is damaged, or takes more than the 500",
        ),
        (ChildFailureError("death", 3), "(code 3), so it is damaged"),
    ],
)
def test_a_failure_of_the_child_is_one_sentence(tmp_path, monkeypatch, failure, message):
    def fail(*_, **__):
        raise failure

    monkeypatch.setattr(_limits, "call_apart", fail)
    path = tmp_path / "table.svmlight"
    path.write_text("1 1:1\n0 2:1\n")
    assert message in refusal(path, read_memory="500MB")


@pytest.mark.parametrize(
    ("name", "readers"),
    [
        *((f"a.{each}.gz", [read_table, outline_file]) for each in ("csv", "gct", "svmlight")),
        *(
            (f"a.{each}", [read_table, outline_file])
            for each in ("svmlight", "libsvm", "feather", "arrow", "xlsx", "xls", "npz", "mat")
        ),
        *((f"a.{each}", [read_table, outline_file, open_table]) for each in ("h5ad", "parquet")),
        *((f"a.{each}", [open_table]) for each in ("h5", "hdf5", "pq", "zarr")),
    ],
)
def test_compiled_readers_run_in_a_child_process(tmp_path, monkeypatch, name, readers):
    def fail(*_, **__):
        raise ChildFailureError("death", -11)

    monkeypatch.setattr(_limits, "call_apart", fail)
    (tmp_path / name).write_bytes(b"x")
    for read in readers:
        assert "(SIGSEGV)" in refusal(tmp_path / name, read)


@pytest.mark.parametrize("read", [read_table, open_table])
@pytest.mark.parametrize("name", ["labels.xlsx", "labels.parquet", "labels.csv.gz"])
def test_labels_are_read_in_a_child_process_too(tmp_path, monkeypatch, read, name):
    np.save(tmp_path / "table.npy", np.eye(3))
    (tmp_path / name).write_bytes(b"x")

    def fail(*_, **__):
        raise ChildFailureError("death", -11)

    monkeypatch.setattr(_limits, "call_apart", fail)
    with pytest.raises(TableError, match="SIGSEGV"):
        read(tmp_path / "table.npy", tmp_path / name)


def test_a_pipe_is_refused(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    for name, read in (("a.csv", read_table), ("a.npz", read_table), ("a.npy", open_table)):
        os.mkfifo(tmp_path / name)
        assert "a pipe or a device" in refusal(tmp_path / name, read)


def test_deep_headers_and_blank_lines_are_sentences(tmp_path):
    path = tmp_path / "table.npy"
    header = b"(" * 9000
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    refusal(path)
    refusal(path, open_table)
    text = tmp_path / "table.csv"
    text.write_text("\n" * 5000)
    assert "there are no rows" in refusal(text)
    assert "there are no rows" in refusal(text, outline_file)


@pytest.mark.parametrize("name", ["a:b", "x.csv:y", ":", "a:"])
def test_a_column_with_a_colon_in_its_name_can_be_the_target(tmp_path, name):
    path = tmp_path / "table.csv"
    path.write_text(f'id,f,"{name}"\ns1,1,u\ns2,2,v\n')
    assert read_table(path, name).y.tolist() == ["u", "v"]
    labels = tmp_path / "labels.csv"
    labels.write_text(f'id,other,"{name}"\ns2,9,p\ns1,8,q\n')
    bare = tmp_path / "bare.csv"
    bare.write_text("id,f\ns1,1\ns2,2\n")
    assert read_table(bare, f"{labels}:{name}").y.tolist() == ["q", "p"]


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory need Linux")
def test_the_limit_on_memory_is_an_option_of_the_command(tmp_path, capsys):
    path = tmp_path / "table.npz"
    np.savez_compressed(path, X=np.zeros((1000, 10_000)), y=np.arange(1000) % 2)
    with pytest.raises(SystemExit):
        app(["select", str(path), "--read-memory", "64MB", "--out", str(tmp_path / "out")])
    said = capsys.readouterr().err
    assert "64 MB may be taken" in said
    assert "allow more with --read-memory." in said
    with pytest.raises(SystemExit):
        app(["select", str(path), "--read-memory", "much", "--out", str(tmp_path / "out")])
    assert "--read-memory much is too little, or not a number" in capsys.readouterr().err
