"""What the command refuses, with which exit code, and that nothing is left behind."""

import errno
import gzip
import os

import numpy as np
import pytest
import typer

import perturbfs.cli._tables as tables
from perturbfs.cli._command import errors_as_sentences

QUICK = ("--n-features", "3", "--splits", "2", "--out", "result")
JUNK = bytes(range(256)) * 20


def save_npz(path, **arrays):
    np.savez(path, **arrays)
    return path.read_bytes()


def parquet_bytes(path, small):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"a": small.X[:, 0], "state": small.y.tolist()}).write_parquet(path)
    return path.read_bytes()


def change_line(text, number, change):
    lines = text.splitlines()
    lines[number] = change(lines[number])
    return "\n".join(lines)


def empty(path, text, small):
    return "a.csv", b"", "a.csv is empty"


def truncated_gz(path, text, small):
    return "a.csv.gz", gzip.compress(text.encode())[:4000], "cut short or damaged"


def truncated_npz(path, text, small):
    whole = save_npz(path / "whole.npz", X=small.X, y=small.y)
    return "a.npz", whole[: len(whole) // 2], "cut short or damaged"


def truncated_parquet(path, text, small):
    return "a.parquet", parquet_bytes(path / "whole.parquet", small)[:-20], "cut short or damaged"


def ragged(path, text, small):
    return "a.csv", change_line(text, 9, lambda line: line + ",7").encode(), "line 10"


def wrong_extension(path, text, small):
    return "a.parquet", text.encode(), "has the extension of a Parquet file, but"


def unknown_extension(path, text, small):
    return "a.doc", text.encode(), "Supported are .csv"


def junk_as_text(path, text, small):
    return "a.csv", JUNK, "looks like binary data"


def pickled_npz(path, text, small):
    whole = save_npz(path / "w.npz", X=small.X, y=np.array(small.y.tolist(), dtype=object))
    return "a.npz", whole, "never read"


def unknown_target(path, text, small):
    return "a.csv", text.replace(",state", ",stage", 1).encode(), "Did you mean 'stage'?"


def missing_values(path, text, small):
    content = change_line(text, 5, lambda line: line.replace(f",{small.X[4, 0]},", ",NA,", 1))
    return "a.csv", content.encode(), "'gene 00'. Pass --impute median"


def text_among_features(path, text, small):
    for row, value in enumerate(small.X[:, 0].tolist(), 1):
        text = change_line(text, row, lambda line, x=value: line.replace(f",{x},", ",low,", 1))
    return "a.csv", text.encode(), "'gene 00', such as 'low' in the first. Leave them out"


def duplicated_names(path, text, small):
    # Behind the sample names: the columns 2 and 4 from 1.
    content = text.replace("gene 02", "gene 00", 1)
    return "a.csv", content.encode(), "occurs more than once: 'gene 00' (2 times)"


def empty_name(path, text, small):
    return "a.csv", text.replace("gene 02", "", 1).encode(), "The first of them is feature 3"


CASES = [
    empty,
    truncated_gz,
    truncated_npz,
    truncated_parquet,
    ragged,
    wrong_extension,
    unknown_extension,
    junk_as_text,
    pickled_npz,
    unknown_target,
    missing_values,
    text_among_features,
    duplicated_names,
    empty_name,
]


def assert_refused(done, *, code=1):
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith((".\n", "?\n"))
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def text(small_csv):
    return small_csv.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_a_bad_file_is_refused_in_a_sentence(case, run, text, small, tmp_path):
    name, content, message = case(tmp_path, text, small)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / name).write_bytes(content)
    target = () if name.endswith(".npz") else ("--target", "state")
    done = run("select", name, *target, "--json", *QUICK, cwd=folder)
    assert_refused(done)
    assert message in done.stderr
    assert [path.name for path in folder.iterdir()] == [name]


def test_a_missing_file_is_refused_with_similar_names(run, small_csv, tmp_path):
    (tmp_path / "tumors.csv").write_bytes(small_csv.read_bytes())
    done = run("select", "tumor.csv", "--target", "state", *QUICK, cwd=tmp_path)
    assert_refused(done)
    assert "tumor.csv does not exist. Did you mean tumors.csv?" in done.stderr
    assert not (tmp_path / "result").exists()


def test_a_directory_is_refused(run, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    done = run("select", "folder.csv", "--target", "state", *QUICK, cwd=tmp_path)
    assert_refused(done)
    assert "folder.csv is a directory" in done.stderr


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_file_without_permission_is_refused(run, small_csv, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(small_csv.read_bytes())
    path.chmod(0)
    done = run("select", path, "--target", "state", *QUICK, cwd=tmp_path)
    assert_refused(done)
    assert "permission denied" in done.stderr


def test_a_table_without_outcome_asks_for_the_target(run, small_csv, tmp_path):
    done = run("select", small_csv, "--drop-text", *QUICK, cwd=tmp_path)
    assert_refused(done)
    assert "Name its column with --target" in done.stderr


@pytest.mark.parametrize(("method", "n_features"), [("paper", "50"), ("robust", "61")])
def test_more_features_than_there_can_be_are_refused(run, small_csv, tmp_path, method, n_features):
    args = ("--target", "state", "--method", method, "--n-features", n_features, "--out", "result")
    done = run("select", small_csv, *args, "--quiet", cwd=tmp_path)
    assert_refused(done)
    assert "Ask for at most" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_where_an_error_came_from(spawn, small_csv, tmp_path):
    done = spawn("select", small_csv, "--target", "stat", "--debug", *QUICK, cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback (most recent call last)" in done.stderr
    assert "UnknownNameError" in done.stderr.splitlines()[-1]


WRONG_USE = {
    "unknown command": (("selct", "small.csv"), "No such command"),
    "unknown option": (("select", "small.csv", "--colour", "red"), "No such option"),
    "unknown method": (("select", "small.csv", "--method", "papr"), "'papr' is not known"),
    "zero": (("select", "small.csv", "--n-features", "0"), "got '0'"),
    "one split": (("select", "small.csv", "--splits", "1"), "--splits"),
    "imputer": (("select", "small.csv", "--impute", "mean"), "median, knn is needed"),
    "no out": (("apply", "selection.json", "new.csv"), "Missing option"),
    "evaluate": (("evaluate", "small.csv", "--methods", "paper,"), "'' is not known"),
}


@pytest.mark.parametrize("case", WRONG_USE)
def test_wrong_use_has_exit_code_2(case, run, tmp_path):
    args, message = WRONG_USE[case]
    done = run(*args, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_existing_result_is_not_overwritten(run, small_csv, tmp_path):
    (tmp_path / "result").mkdir()
    (tmp_path / "result" / "notes.txt").write_text("mine")
    done = run("select", small_csv, "--target", "state", *QUICK, cwd=tmp_path)
    assert_refused(done, code=2)
    assert "--force" in done.stderr
    assert [path.name for path in (tmp_path / "result").iterdir()] == ["notes.txt"]


def test_a_file_in_place_of_the_result_is_refused_even_with_force(run, small_csv, tmp_path):
    (tmp_path / "result").write_text("mine")
    done = run("select", small_csv, "--target", "state", "--force", *QUICK, cwd=tmp_path)
    assert_refused(done, code=2)
    assert (tmp_path / "result").read_text() == "mine"


def test_a_result_below_a_file_is_refused_before_any_work(run, small_csv, tmp_path):
    (tmp_path / "file").write_text("mine")
    args = ("no such table.csv", "--target", "state", *QUICK[:-1], "file/result")
    done = run("select", *args, cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert "file" in done.stderr.replace("no such table.csv", "")


def test_a_full_disk_gives_a_sentence(capsys):
    with pytest.raises(typer.Exit), errors_as_sentences():
        raise OSError(errno.ENOSPC, "No space left on device", "result/report.html")
    assert capsys.readouterr().err.startswith("Error: The disk is full, so nothing was written.")


def test_a_table_that_changes_while_it_is_read_is_refused(
    run, small, write_table, tmp_path, monkeypatch
):
    read = tables.read_table

    def read_while_it_changes(path, *args, **options):
        found = read(path, *args, **options)
        write_table(path, small, X=small.X + 1)
        return found

    monkeypatch.setattr(tables, "read_table", read_while_it_changes)
    source = write_table(tmp_path / "small.csv", small)
    done = run("select", source, "--target", "state", *QUICK, cwd=tmp_path)
    assert done.returncode == 1
    assert "small.csv changed while it was read" in " ".join(done.stderr.split())
    assert not (tmp_path / "result").exists()
