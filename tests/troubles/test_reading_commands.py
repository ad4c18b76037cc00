"""The options of the commands that say how a file is read."""

import json
import warnings

import pytest
from troubles import reading_files as files
from typer.testing import CliRunner

from perturbfs.cli import app
from perturbfs.cli._command import spell
from perturbfs.results._data import shorten_dropped

QUICK = ("--target", "state", "--n-features", "3", "--splits", "2", "--no-details", "--quiet")


def run(*args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pytest turns warnings into errors
        return CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.mark.parametrize(
    ("write", "options"),
    [
        (files.write_codes, ["--na", "-99", "--impute", "median"]),
        (files.write_decimal_commas, ["--decimal", ","]),
        (files.write_thousands, ["--thousands", ","]),
        (files.write_titles, ["--skip-rows", "2"]),
        (files.write_missing_labels, ["--unlabelled", "drop"]),
        (files.write_tokens, ["--impute", "median", "--exclude", "g3*"]),
    ],
)
def test_select_takes_the_options_of_reading(tmp_path, write, options):
    out = tmp_path / "result"
    done = run("select", write(tmp_path), *QUICK, *options, "--out", out)
    assert done.exit_code == 0, done.output
    selection = json.loads((out / "selection.json").read_text())
    assert "g0" in [each["name"] for each in selection["features"]]


def test_select_names_the_option_that_helps(tmp_path):
    path, labels = files.write_duplicates(tmp_path), files.save_labels(tmp_path)
    done = run("select", path, *QUICK[2:], "--target", labels, "--out", tmp_path / "result")
    assert done.exit_code == 1
    assert "--duplicates first" in done.output
    done = run("select", path, *QUICK[2:], "--target", labels, "--duplicates", "some")
    assert done.exit_code == 2
    assert "--duplicates got 'some'" in done.output


def test_columns_of_text_are_counted_rather_than_listed(tmp_path):
    path = files.write_text_columns(tmp_path)
    done = run("select", path, *QUICK, "--drop-text", "--out", tmp_path / "result")
    assert done.exit_code == 1
    assert "40 of 40 features hold text" in done.output
    assert "--drop-all-text" in done.output
    assert len(done.output) < 700


def test_what_was_left_out_is_kept_as_ten_names_and_a_count():
    dropped = [("id", "names of the samples"), *((f"t{i}", "text") for i in range(3000))]
    short = shorten_dropped(dropped)
    assert len(short) == 12
    assert short[-1] == ["2,990 more", "text"]


def test_the_command_to_repeat_has_the_options_of_reading():
    options = {"na": ["-99", "<x>"], "header": False, "drop_all_text": True}
    words = ["--na", "-99", "--na", "<x>", "--no-header", "--drop-all-text"]
    assert spell(options) == words
