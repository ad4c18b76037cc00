"""Two commands with one output directory."""

import os

import numpy as np
import pytest

from perturbfs._support.claim import claimed

pytestmark = pytest.mark.slow

COMMANDS = (
    ("select", "small.csv", "--target", "state"),
    ("evaluate", "small.csv", "--target", "state"),
    ("reproduce", "datasets"),
    ("convert", "small.npy", "--out", "result.zarr"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_the_second_of_two_commands_says_who_holds_the_directory(
    spawn, small, write_table, tmp_path, command
):
    write_table(tmp_path / "small.csv", small)
    np.save(tmp_path / "small.npy", small.X)
    out = "result.zarr" if command[0] == "convert" else "result"
    with claimed(tmp_path / out):
        done = spawn(*command, *(() if "--out" in command else ("--out", out)), cwd=tmp_path)
    assert done.returncode == 1
    assert f"{out} is in use by process {os.getpid()} on " in done.stderr
    assert not (tmp_path / out).exists()
