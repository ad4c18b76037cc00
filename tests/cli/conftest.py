"""The command, in this process or in one of its own, and a small table to give it."""

import contextlib
import csv
import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from typer.testing import CliRunner

from perturbfs.cli import app
from perturbfs.datasets import make_wide_classification

COMMAND = Path(sys.executable).parent / "perturbfs"
QUICK = ("--n-features", "3", "--splits", "2")
# What would tell the command that it runs on a terminal, or where data sets are.
UNWANTED = ("PERTURBFS_DATA", "FORCE_COLOR", "GITHUB_ACTIONS", "COLUMNS", "PY_COLORS")


def clean_environment(cache, **more):
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    # One thread a process: the tests themselves run side by side.
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    more = {name: str(value) for name, value in more.items()}
    return kept | threads | {"XDG_CACHE_HOME": str(cache)} | more


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Environment of the command: no data sets, an empty cache."""
    cache = tmp_path_factory.mktemp("cache")
    return lambda **more: clean_environment(cache, **more)


@pytest.fixture(scope="session")
def spawn(environment):
    """Run the installed command in a process of its own, for what depends on that."""

    def run_command(*args, cwd, env=None, timeout=120):
        return subprocess.run(
            [COMMAND, *map(str, args)],
            cwd=cwd,
            env=environment(**(env or {})),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            stdin=subprocess.DEVNULL,
        )

    return run_command


@pytest.fixture(scope="session")
def run(environment):
    """Run the command in this process: starting another one takes seconds."""

    def run_command(*args, cwd, env=None):
        with (
            mock.patch.dict(os.environ, environment(**(env or {})), clear=True),
            contextlib.chdir(cwd),
            warnings.catch_warnings(),
        ):
            # The filters that Python starts with: pytest turns warnings into errors.
            warnings.simplefilter("ignore")
            warnings.filterwarnings("default", category=UserWarning)
            done = CliRunner().invoke(app, [str(arg) for arg in args])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)

    return run_command


@pytest.fixture(scope="session")
def start(environment):
    """Start the installed command in a session of its own, to be signalled."""

    def start_command(*args, cwd, env=None):
        return subprocess.Popen(
            [COMMAND, *map(str, args)],
            cwd=cwd,
            env=environment(PYTHONUNBUFFERED=1, **(env or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start_command


@pytest.fixture(scope="session")
def small():
    """40 samples by 60 features with two classes; few digits, so that every format holds them."""
    made = make_wide_classification(40, 60, random_state=0)
    return SimpleNamespace(
        X=np.round(made.X, 3),
        y=np.where(made.y == "class 1", "normal", "tumor"),
        codes=np.where(made.y == "class 1", 1, 2),  # as text is coded
        names=[f"gene {j:02d}" for j in range(60)],
        samples=[f"S{i:02d}" for i in range(40)],
    )


def write_csv(path, header, rows, delimiter=","):
    """Write a table as text; a number gets the shortest digits that give it back."""
    with Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter)
        if header is not None:
            writer.writerow(header)
        writer.writerows(rows)


@pytest.fixture(scope="session")
def write_table():
    """Write samples, features and outcome as delimited text."""

    def write(path, table, *, names=None, X=None, delimiter=","):
        X = table.X if X is None else X
        header = ["sample", *(table.names if names is None else names), "state"]
        rows = (
            [name, *map(str, row), label]
            for name, row, label in zip(table.samples, X.tolist(), table.y, strict=True)
        )
        write_csv(path, header, rows, delimiter)
        return Path(path)

    return write


@pytest.fixture(scope="session")
def read_rows():
    """Rows of a CSV file that the command wrote."""

    def read(path):
        with Path(path).open(newline="", encoding="utf-8") as file:
            return list(csv.reader(file))

    return read


@pytest.fixture(scope="session")
def small_csv(tmp_path_factory, small, write_table):
    """The small table as a CSV file; its outcome is the column called state."""
    return write_table(tmp_path_factory.mktemp("small") / "small.csv", small)


@pytest.fixture(scope="session")
def selected(spawn, small_csv, tmp_path_factory):
    """What `select` printed and wrote for the small table."""
    cwd = tmp_path_factory.mktemp("selected")
    done = spawn("select", small_csv, "--target", "state", *QUICK, "--out", "result", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return SimpleNamespace(done=done, folder=cwd / "result", source=small_csv)
