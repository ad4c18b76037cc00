"""What a command prints before and during its work."""

import time

import numpy as np
import pytest

from perturbfs.cli import _console
from perturbfs.cli._console import Terminal


@pytest.fixture
def often(monkeypatch):
    """Lines about the progress come at once."""
    monkeypatch.setattr(_console, "EVERY", 0.02)


def test_progress_is_said_in_lines_without_a_terminal(often, capsys):
    with Terminal().progress(splits=2) as (split_done,):
        split_done()
        time.sleep(0.1)
    with Terminal().waiting("reading [big].csv"):
        time.sleep(0.1)
    with Terminal().counting("experiments") as (set_total, advance):
        set_total(3)
        advance()
        time.sleep(0.1)
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert "splits: 1 of 2 done, 0 s so far, about 1 s left" in lines or any(
        line.startswith("splits: 1 of 2 done, 0 s so far, about 0 s left") for line in lines
    )
    assert "reading [big].csv: 0 s so far" in lines
    assert any(line.startswith("experiments: 1 of 3 done") for line in lines)


def test_nothing_is_said_with_quiet_or_in_less_than_ten_seconds(often, capsys, monkeypatch):
    with Terminal(quiet=True).progress(splits=2):
        time.sleep(0.1)
    monkeypatch.setattr(_console, "EVERY", 10.0)
    start = time.monotonic()
    with Terminal().progress(splits=2):
        pass
    assert time.monotonic() - start < 5  # the thread ends at once
    assert capsys.readouterr().err == ""


def test_select_says_how_it_understood_the_table_before_it_selects(
    run, small_csv, tmp_path, monkeypatch
):
    def fail(*_args, **_options):
        raise ValueError("The work has started.")

    monkeypatch.setattr("perturbfs.cli._selecting.select_features", fail)
    done = run("select", small_csv, "--target", "state", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "state (classification)" in done.stdout
    assert "normal: 20, tumor: 20" in done.stdout
    assert "The work has started." in done.stderr


def test_evaluate_says_how_it_understood_the_table_before_it_starts(
    run, small_csv, tmp_path, monkeypatch
):
    def fail(*_args, **_options):
        raise ValueError("The work has started.")

    monkeypatch.setattr("perturbfs.cli._comparing.evaluate", fail)
    done = run("evaluate", small_csv, "--target", "state", "--out", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "state (classification)" in done.stdout


def test_convert_counts_its_features(run, tmp_path, often):
    pytest.importorskip("zarr")
    np.save(tmp_path / "a.npy", np.asfortranarray(np.ones((5, 300_000))))
    done = run("convert", "a.npy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "300000 features" in done.stdout
