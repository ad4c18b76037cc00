"""What comes first: errors before scikit-learn is loaded, and the features before the estimate."""

import json
import subprocess
import sys

import numpy as np
import pytest

HEAVY = ("sklearn", "scipy.stats", "pandas", "matplotlib")
CODE = """
import json, sys
from perturbfs.cli import app
try:
    app(json.loads(sys.argv[1]))
except SystemExit as end:
    loaded = [name for name in json.loads(sys.argv[2]) if name in sys.modules]
    print(json.dumps([end.code, loaded]))
"""


def run_alone(words, folder):
    """Run the command in a process of its own; return its exit code, modules and error."""
    call = [sys.executable, "-c", CODE, json.dumps(words), json.dumps(HEAVY)]
    done = subprocess.run(call, capture_output=True, text=True, cwd=folder, check=False)
    code, loaded = json.loads(done.stdout.splitlines()[-1])
    return code, loaded, done.stderr


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,state\n1,2,u\n3,4,v\n5,7,u\n")
    np.save(tmp_path / "a.npy", np.ones((4, 3)))
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["select", "none.csv", "--target", "state"], "none.csv"),
        (["select", "a.csv", "--target", "stat"], "--target stat was not found"),
        (["select", "a.csv"], "holds text"),
        (["select", "a.csv", "--target", "state", "--out", "taken"], "taken exists"),
        (["select", "a.csv", "--target", "state", "--method", "none"], "'none' is not known"),
        (["select", "a.npy", "--memory", "1GB", "--target", "none.csv"], "none.csv"),
        (["evaluate", "a.csv", "--target", "stat"], "--target stat was not found"),
        (["evaluate", "a.csv", "--target", "state", "--out", "taken"], "taken exists"),
        (["check", "a.csv", "--target", "stat"], "--target stat was not found"),
    ],
)
def test_an_error_about_files_and_names_comes_before_scikit_learn_is_loaded(folder, words, said):
    code, loaded, error = run_alone(words, folder)
    assert code in (1, 2)
    assert said in error
    assert loaded == []


def test_the_features_are_printed_before_the_estimate_starts(
    run, small_csv, tmp_path, monkeypatch
):
    def fail(*_args, **_options):
        raise ValueError("The estimate has started.")

    monkeypatch.setattr("perturbfs.evaluation._contest.Contest.play", fail)
    words = ["--target", "state", "--n-features", "3", "--jobs", "1", "--out", "out"]
    done = run("select", small_csv, *words, cwd=tmp_path)
    assert done.returncode == 1
    assert "3 of 60 features were selected:" in done.stdout
    assert "rank" in done.stdout
    assert "The estimate has started." in done.stderr
    assert not (tmp_path / "out").exists()
