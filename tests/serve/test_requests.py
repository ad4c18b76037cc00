"""Checks of a request, one by one."""

from pathlib import Path

import pytest

from perturbfs.datasets import TableError, read_table
from perturbfs.serve import _requests as requests
from perturbfs.serve._requests import RefusedError


def refusal(function, *args):
    with pytest.raises(RefusedError) as caught:
        function(*args)
    assert caught.value.sentence.endswith(".")
    return caught.value


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000"])
def test_own_hosts_pass(host):
    requests.check_host(host, 8000)


@pytest.mark.parametrize(
    "host", [None, "", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1:8000.evil"]
)
def test_other_hosts_are_refused(host):
    assert refusal(requests.check_host, host, 8000).status == 421


@pytest.mark.parametrize("origin", [None, "http://127.0.0.1:8000", "http://localhost:8000"])
def test_own_origins_pass(origin):
    requests.check_origin(origin, 8000)


@pytest.mark.parametrize(
    "origin", ["null", "http://127.0.0.1:8001", "https://127.0.0.1:8000", "http://evil.example"]
)
def test_foreign_origins_are_refused(origin):
    assert refusal(requests.check_origin, origin, 8000).status == 403


@pytest.mark.parametrize("header", [None, "", "-1", "1e3", "٣", " 5"])
def test_a_body_without_a_length_is_refused(header):
    assert refusal(requests.body_length, header, 10, "The file").status == 411


def test_the_limit_itself_is_allowed_and_one_more_is_not():
    assert requests.body_length("10", 10, "a.csv") == 10
    refused = refusal(requests.body_length, "11", 10, "a.csv")
    assert refused.status == 413
    assert "--max-size" in refused.sentence


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\a.csv", "a.csv"),
        ("a\n\x00\x1b[31m.csv", "a[31m.csv"),
        ("<script>.csv", "<script>.csv"),
        ("..", ".."),
        ("/", ""),
    ],
)
def test_a_display_name_is_one_line_without_a_path(name, shown):
    assert requests.display_name(name) == shown


def test_a_long_name_keeps_its_extension():
    shown = requests.display_name("a" * 5000 + ".csv")
    assert len(shown) < 200
    assert shown.endswith(".csv")


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.csv", ".csv"), ("a.b.TSV", ".tsv"), ("x.csv.GZ", ".csv.gz"), ("a.h5ad", ".h5ad")],
)
def test_known_formats_keep_their_extension(name, suffix):
    assert requests.stored_suffix(name) == suffix


@pytest.mark.parametrize("name", ["a.pkl", "a.doc", "a", "", "..", "a.csv.zip", ".gz", "a.joblib"])
def test_unknown_formats_get_the_sentence_of_the_command_line(name, tmp_path, monkeypatch):
    refused = refusal(requests.stored_suffix, name)
    assert refused.status == 415
    if name not in ("", ".."):
        monkeypatch.chdir(tmp_path)
        Path(name).write_text("a,b\n1,2\n")
        with pytest.raises(TableError) as caught:
            read_table(name)
        assert refused.sentence == str(caught.value)
