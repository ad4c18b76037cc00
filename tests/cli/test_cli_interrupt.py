"""Ctrl-C, and what is shown on a terminal."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

pty = pytest.importorskip("pty")

COMMAND = Path(sys.executable).parent / "perturbfs"
LONG = ("--target", "state", "--method", "paper", "--repeats", "100000", "--splits", "2")
QUICK = ("--target", "state", "--n-features", "3", "--splits", "2")


def wait_until(happened, process, seconds=60):
    end = time.monotonic() + seconds
    while not happened():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.005)


def cpu_seconds(process):
    """Processor time of a process so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def finish(process):
    try:
        return process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.fixture
def started(start):
    """Start commands that are ended with the test, whatever happens."""
    processes = []

    def start_one(*args, cwd):
        processes.append(start(*args, cwd=cwd))
        return processes[-1]

    yield start_one
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.communicate()


def assert_stopped(process, output, errors):
    assert process.returncode == 130
    assert "Written" not in output  # how the data were understood comes before the work
    lines = errors.splitlines()
    assert lines.pop() == "Stopped. Nothing was written."
    assert all(" so far" in line for line in lines)  # progress, on a busy machine


# Starting takes less processor time than this, and selecting in a hundred thousand runs more.
WELL_STARTED = 5.0
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@needs_proc
def test_ctrl_c_in_select_leaves_nothing(started, small_csv, tmp_path):
    process = started("select", small_csv, *LONG, "--out", "result", cwd=tmp_path)
    wait_until(lambda: cpu_seconds(process) > WELL_STARTED, process)
    process.send_signal(signal.SIGINT)
    assert_stopped(process, *finish(process))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def long_apply(tmp_path_factory, selected):
    """A selection of 300 features and a table that takes seconds to write."""
    folder = tmp_path_factory.mktemp("long")
    content = json.loads((selected.folder / "selection.json").read_text(encoding="utf-8"))
    content["data"]["n_features"] = 300
    content["features"] = [
        {**content["features"][0], "name": None, "index": j, "rank": j + 1, "stands_for": []}
        for j in range(300)
    ]
    (folder / "selection.json").write_text(json.dumps(content))
    np.save(folder / "new.npy", np.random.default_rng(0).standard_normal((10_000, 300)))
    return folder


@pytest.mark.parametrize("existing", [False, True])
def test_ctrl_c_while_apply_writes_leaves_no_part(existing, started, long_apply, tmp_path):
    if existing:
        (tmp_path / "out.csv").write_text("old")
    args = (long_apply / "selection.json", long_apply / "new.npy", "--out", "out.csv", "--force")
    process = started("apply", *args, cwd=tmp_path)
    is_written = lambda: any(path.stat().st_size > 0 for path in tmp_path.glob(".*.part"))  # noqa: E731
    wait_until(is_written, process)
    process.send_signal(signal.SIGINT)
    output, errors = finish(process)
    assert errors.startswith("Note: Features are taken by position")
    assert_stopped(process, output, "".join(errors.splitlines(keepends=True)[1:]))
    assert [path.name for path in tmp_path.iterdir()] == (["out.csv"] if existing else [])
    if existing:
        assert (tmp_path / "out.csv").read_text() == "old"


@needs_proc
def test_ctrl_c_while_the_command_starts_shows_no_traceback(started, small_csv, tmp_path):
    process = started("select", small_csv, *LONG, "--out", "result", cwd=tmp_path)
    wait_until(lambda: cpu_seconds(process) > 0.5, process)
    process.send_signal(signal.SIGINT)
    _, errors = finish(process)
    assert process.returncode == 130
    assert "Traceback" not in errors


# Ctrl-C falls into the import of a library that makes any error of it, or none.
EARLY = """
import builtins, os, signal

usual = builtins.__import__
def interrupt(name, *args, **options):
    if name == "typer":
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("a library is damaged")
    return usual(name, *args, **options)
builtins.__import__ = interrupt
import perturbfs.cli
print("imported")
"""


def test_ctrl_c_while_the_command_line_is_imported_is_one_sentence():
    process = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True)
    assert process.stderr == "Stopped. Nothing was written.\n"
    assert process.stdout == ""
    assert process.returncode == 130


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it():
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    process = subprocess.run(
        [sys.executable, "-c", f"{ignore}\n{EARLY}"], capture_output=True, text=True
    )
    assert process.stdout == "imported\n"


def run_on_terminal(args, cwd, env):
    """Exit code and everything that a command shows on a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, *map(str, args)], cwd=cwd, env=env, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown, end = b"", time.monotonic() + 60
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                some = os.read(ours, 65536)
            except OSError:  # Linux: the other end was closed
                break
            if not some:
                break
            shown += some
        return process.wait(timeout=20), shown.decode()
    finally:
        os.close(ours)
        if process.poll() is None:
            process.kill()
            process.wait()


def test_a_terminal_shows_bars_and_two_processes_give_the_same_result(
    environment, selected, tmp_path
):
    args = ("select", selected.source, *QUICK, "--jobs", "2", "--out", "result")
    code, shown = run_on_terminal(args, tmp_path, environment(TERM="xterm-256color"))
    assert code == 0, shown
    assert "selecting" in shown
    assert "estimating" in shown
    assert "━━━" in shown
    assert "\x1b[" in shown
    assert "Written to result:" in shown
    counts = re.findall(r"(\d+)/(\d+)", re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown))
    assert {int(total) for _, total in counts} == {2, 20}
    assert all(int(done) <= int(total) for done, total in counts)
    for name in ("selection.json", "selected.csv"):
        assert (tmp_path / "result" / name).read_bytes() == (selected.folder / name).read_bytes()


def test_quiet_shows_nothing_on_a_terminal_either(environment, selected, tmp_path):
    args = ("select", selected.source, *QUICK, "--quiet", "--out", "result")
    code, shown = run_on_terminal(args, tmp_path, environment(TERM="xterm-256color"))
    assert (code, shown) == (0, "")
