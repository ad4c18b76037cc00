"""A file that is not a table gives an error that says what to do."""

import gzip
import pickle

import numpy as np
import pytest
import scipy.io

from perturbfs.datasets import TableError, read_table
from perturbfs.datasets.reading._formats import READERS

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8
JUNK = np.random.default_rng(0).bytes(6000)
PACKAGES = {
    ".xlsx": "python_calamine",
    ".xls": "python_calamine",
    ".h5ad": "anndata",
}


def refusal(path, **options):
    with pytest.raises(TableError) as error:
        read_table(path, **options)
    message = str(error.value)
    assert str(path) in message
    assert message.endswith((".", "?", "csv", ")"))
    return message


@pytest.mark.parametrize("suffix", [*READERS, ".csv.gz", ".svmlight.gz"])
@pytest.mark.parametrize("content", [b"", PNG, JUNK], ids=["empty", "image", "junk"])
def test_what_is_not_a_table_is_refused_in_every_format(write, suffix, content):
    message = refusal(write(content, f"table{suffix}"))
    if not content:
        assert "is empty" in message
    if content is PNG:
        assert "looks like a PNG image" in message


def write_valid(path):
    """A table of some size in the format that the extension says."""
    values = np.random.default_rng(0).normal(size=(40, 30))
    if path.suffix == ".npy":
        np.save(path, values)
    elif path.suffix == ".npz":
        np.savez_compressed(path, X=values)
    elif path.suffix == ".mat":
        scipy.io.savemat(path, {"X": values}, do_compression=True)
    elif path.suffix == ".h5ad":
        pytest.importorskip("anndata").AnnData(values).write_h5ad(path)
    else:
        frame = pytest.importorskip("polars").from_numpy(values)
        frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_ipc(path)


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".mat", ".h5ad", ".parquet", ".feather"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
@pytest.mark.filterwarnings("ignore::UserWarning")  # anndata on observations without names
def test_a_truncated_file_is_refused(tmp_path, suffix, share):
    path = tmp_path / f"table{suffix}"
    write_valid(path)
    assert read_table(path).X.shape == (40, 30)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert "cut short or damaged" in refusal(path)


def test_truncated_compressed_text_is_refused(write):
    values = np.random.default_rng(0).normal(size=(50, 20)).tolist()
    lines = "\n".join(",".join(map(repr, row)) for row in values)
    content = gzip.compress(lines.encode())
    assert "cut short" in refusal(write(content[:-200], "table.csv.gz"))


@pytest.mark.parametrize("bad", ["3", "3,4,5"])
def test_a_ragged_row_is_refused_with_its_line_and_counts(write, bad):
    message = refusal(write(f"a,b\n1,2\n{bad}\n5,6\n5,6\n"))
    assert f"line 3 has {bad.count(',') + 1} fields where 2 are expected" in message


def test_a_quote_that_is_never_closed_is_refused(write):
    assert "quote that is never closed" in refusal(write('a,b\n1,2\n"3,4\n5,6\n'))


def test_bytes_that_are_text_in_no_usual_encoding_are_refused(write):
    assert "byte 0x81 cannot be read" in refusal(write(b"a,b\x81\n1,2\n"))


@pytest.mark.parametrize("content", ["a,b\n", "\n\n \n", "a,b,c"])
def test_a_table_without_rows_is_refused(write, content):
    refusal(write(content))


def test_a_repeated_name_is_refused_with_both_positions(write):
    message = refusal(write("id,a,b,a\ns,1,2,3\n"))
    assert "1 name of features occurs more than once: 'a' (2 times)" in message
    message = refusal(write("gene,s1,s2\na,1,2\nb,3,4\na,5,6\n"), features_in_rows=True)
    assert "1 name of features occurs more than once: 'a' (2 times)" in message
    message = refusal(write("gene,s1,s1\na,1,2\nb,3,4\n"), features_in_rows=True)
    assert "1 sample name occurs more than once: 's1'" in message
    message = refusal(write("y,a,y\n1,1,2\n2,3,4\n"), target="y")
    assert "target='y' is the name of 2 columns" in message


def test_an_empty_name_is_refused_with_its_position(write):
    message = refusal(write("id,a,,b\ns,1,2,3\nt,1,2,3\n"))
    assert "1 of 3 features has no name. The first of them is feature 2" in message


def test_an_unknown_extension_lists_the_known_ones(write):
    message = refusal(write("a,b\n1,2\n", "table.docx"))
    assert "'.docx'" in message
    assert all(suffix in message for suffix in READERS)
    assert "(none)" in refusal(write("a,b\n1,2\n", "table"))


@pytest.mark.parametrize(
    ("suffix", "content", "found"),
    [
        # Without a fixed time the content, hence the name of the test, differs between workers.
        (".csv", gzip.compress(b"a,b\n1,2\n", mtime=0), "gzip"),
        (".csv.gz", b"a,b\n1,2\n", "has other content"),
        (".parquet", b"a,b\n1,2\n", "has other content"),
        (".xlsx", b"\xd0\xcf\x11\xe0" * 100, "old Excel"),
        (".feather", b"FEA1" * 100, "version 1"),
        (".gct", b"gene\ts1\na\t1\n", "starts with #1.2 or #1.3"),
        (".arff", b"a,b\n1,2\n", "call it .csv"),
        (".svmlight", b"a,b\n1,2\n", "damaged"),
    ],
)
def test_content_of_another_format_is_refused_by_its_name(write, suffix, content, found):
    assert found in refusal(write(content, f"table{suffix}"))


def test_a_directory_is_refused(tmp_path):
    assert "is a directory" in refusal(tmp_path)


def test_a_missing_file_is_answered_with_similar_names(write, tmp_path):
    write("a\n1\n", "expression.csv")
    assert "Did you mean expression.csv?" in refusal(tmp_path / "expression1.csv")
    assert "Neither does its directory" in refusal(tmp_path / "away" / "x.csv")


def test_a_file_without_permission_is_refused(write, monkeypatch):
    path = write("a\n1\n")

    def denied(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", denied)  # root may read everything
    assert "permission denied" in refusal(path)


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was loaded",))


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_a_pickle_is_never_loaded(tmp_path, suffix):
    path = tmp_path / f"table{suffix}"
    bomb = np.array([[Bomb()]], dtype=object)
    np.save(path, bomb) if suffix == ".npy" else np.savez(path, X=bomb)
    assert "never read" in refusal(path)


def test_a_pickle_under_another_extension_is_never_loaded(write):
    refusal(write(pickle.dumps(Bomb()), "table.npy"))
    refusal(write(pickle.dumps(Bomb()), "table.mat"))


def test_arrays_that_leave_a_choice_are_listed(tmp_path):
    path = tmp_path / "table.npz"
    np.savez(path, a=np.ones((3, 4)), b=np.ones((3, 4)))
    assert "a (3, 4), b (3, 4). Call the matrix X" in refusal(path)
    np.savez(path, X=np.ones((3, 4)), u=np.arange(3), v=np.arange(3))
    assert "2 variables could be the target: 'u', 'v'" in refusal(path)
    np.savez(path, X=np.ones((3, 4)), y=np.arange(5))
    assert "the target has 5 entries and there are 3 samples" in refusal(path)
    assert "Did you mean 'y'" in refusal(path, target="Y")


@pytest.mark.parametrize("array", [np.ones(3), np.ones((2, 2, 2)), np.ones((2, 2)) * 1j])
def test_an_array_that_is_no_table_is_refused(tmp_path, array):
    np.save(tmp_path / "table.npy", array)
    assert "two dimensions" in refusal(tmp_path / "table.npy")


def test_a_matlab_file_of_version_73_is_refused_with_the_way_out(write):
    assert "'-v7'" in refusal(write(b"MATLAB 7.3 MAT-file, Platform" + b" " * 600, "table.mat"))


def test_a_gct_file_shorter_than_announced_is_refused(write):
    content = "#1.2\n3\t2\nName\tDescription\ts1\ts2\na\t-\t1\t2\nb\t-\t3\t4\n"
    assert "announces 3 features and 2 samples, but holds 2 and 2" in refusal(
        write(content, "table.gct")
    )
    assert "line 2 is 'x'" in refusal(write("#1.2\nx\n", "table.gct"))


def test_a_sparse_arff_file_is_refused(write):
    content = "@relation r\n@attribute a real\n@attribute b real\n@data\n{0 1.5}\n"
    assert "sparse row" in refusal(write(content, "table.arff"))


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"missing": "drop"}, "missing='drop' is not known"),
        ({"index": True}, "index=True is not a column"),
        ({"index": "nme"}, "Did you mean 'name'"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(write, options, what):
    with pytest.raises(TableError, match=what):
        read_table(write("name,a\nx,1\ny,2\n"), **options)


def test_what_a_format_fixes_cannot_be_asked_otherwise(write):
    gct = write("#1.2\n1\t1\nName\tDescription\ts\na\t-\t1\n", "table.gct")
    assert "this format always has features_in_rows=True" in refusal(gct, features_in_rows=False)
    assert "only delimited text and Excel" in refusal(gct, header=True)
    svmlight = write("1 1:2\n", "table.svmlight")
    assert "Leave out" in refusal(svmlight, target="y")


def test_a_table_of_text_only_is_refused_when_text_is_dropped(write):
    path = write("a,b\nx,y\nx,z\nw,z\n")
    assert "0 features are left" in refusal(path, drop_text=True)


@pytest.mark.parametrize("suffix", PACKAGES)
@pytest.mark.usefixtures("in_this_process")
def test_a_missing_package_is_named_with_the_command_to_install_it(write, monkeypatch, suffix):
    monkeypatch.setitem(__import__("sys").modules, PACKAGES[suffix], None)
    starts = {".xls": b"\xd0\xcf\x11\xe0", ".xlsx": b"PK\x03\x04", ".h5ad": b"\x89HDF"}
    with pytest.raises(ImportError, match=r"pip install 'perturbfs\["):
        read_table(write(starts[suffix] * 100, f"table{suffix}"))
