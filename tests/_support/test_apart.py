"""A function in a child process: what it returns and raises, and how its failures look."""

import contextlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import made_tasks as tasks
import numpy as np
import pytest

from perturbfs._support import apart
from perturbfs._support.apart import ChildFailureError, call_apart

LIMITS = {"memory": 10**8, "seconds": 60.0}
linux = pytest.mark.skipif(sys.platform != "linux", reason="limits on memory need Linux")


def call(function, *args, **limits):
    return call_apart(function, *args, **(LIMITS | limits))


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(pid):
    for _ in range(200):
        if not is_running(pid):
            return
        time.sleep(0.05)
    pytest.fail(f"process {pid} is still there")


def test_a_result_comes_back_with_its_arrays():
    found = call(tasks.give, {"a": np.arange(5), "b": np.asfortranarray(np.eye(3)), "c": ["x"]})
    np.testing.assert_array_equal(found["a"], np.arange(5))
    assert found["b"].flags.f_contiguous
    assert found["c"] == ["x"]
    found["a"][0] = 7  # it can be written to


def test_a_large_result_is_mapped_and_can_be_changed(monkeypatch):
    monkeypatch.setattr(apart, "COPIED", 1000)
    first = call(tasks.give, np.arange(5000.0))
    second = call(tasks.give, np.zeros(5000))
    first[0] = 3
    np.testing.assert_array_equal(first[1:], np.arange(1.0, 5000))
    assert not second.any()


def test_the_second_call_goes_to_the_same_process():
    assert call(os.getpid) == call(os.getpid) != os.getpid()


def test_the_child_works_in_the_folder_of_its_parent(tmp_path, monkeypatch):
    call(os.getcwd)
    monkeypatch.chdir(tmp_path)
    assert call(os.getcwd) == str(tmp_path)


def test_an_exception_arrives_as_it_was_raised():
    with pytest.raises(ValueError, match="no such thing"):
        call(tasks.fail, ValueError("no such thing"))


def test_an_exception_that_cannot_be_pickled_arrives_as_text():
    with pytest.raises(RuntimeError, match="StrangeError: odd"):
        call(tasks.fail_strangely)


def test_a_warning_is_passed_on():
    with pytest.warns(UserWarning, match="beware"):
        assert call(tasks.warn) == 1


def test_what_a_library_prints_is_no_answer(capfd):
    assert call(tasks.print_everywhere) == "quiet"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL"])
def test_a_crash_is_reported_and_the_next_call_works(name):
    if not hasattr(signal, name):
        pytest.skip("no such signal here")
    with pytest.raises(ChildFailureError) as caught:
        call(tasks.end_by, name)
    assert (caught.value.reason, caught.value.code) == ("death", -getattr(signal, name))
    assert call(tasks.give, 1) == 1


def test_a_call_that_takes_too_long_is_ended():
    with pytest.raises(ChildFailureError) as caught:
        call(tasks.sleep, 1000, seconds=1.0)
    assert caught.value.reason == "time"


@linux
@pytest.mark.parametrize("n_bytes", [2**31, 10**15])
def test_too_much_memory_is_reported(n_bytes):
    with pytest.raises(ChildFailureError) as caught:
        call(tasks.take_memory, n_bytes)
    assert caught.value.reason == "memory"


@linux
def test_the_result_counts_as_memory_too():
    slack = 2**29
    with pytest.raises(ChildFailureError) as caught:
        call(tasks.take_memory, int(0.8 * (slack + LIMITS["memory"])))
    assert caught.value.reason == "memory"


def test_ctrl_c_ends_the_child(monkeypatch):
    seen = []

    def interrupt(child, *_):
        seen.append(child.process.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(apart._Child, "call", interrupt)
    with pytest.raises(KeyboardInterrupt):
        call(tasks.give, 1)
    wait_until_gone(seen[0])


SCRIPT = """
import sys, time
from perturbfs._support.apart import call_apart
import made_tasks as tasks
pid = call_apart(tasks.own_pid, memory=10**8, seconds=60.0)  # no guard for __main__
print(pid, flush=True)
{then}
"""


@linux
@pytest.mark.parametrize(
    "then",
    [
        "time.sleep(60)",
        "call_apart(tasks.sleep, 60, memory=10**8, seconds=60.0)",
        "call_apart(tasks.hold, memory=10**8, seconds=60.0)",
    ],
    ids=["waiting", "working", "in compiled code"],
)
def test_a_child_ends_with_a_parent_that_is_killed(tmp_path, then):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT).format(then=then))
    paths = os.pathsep.join(path for path in sys.path if path)
    parent = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": paths, "TMPDIR": str(tmp_path)},
    )
    try:
        pid = int(parent.stdout.readline())
        time.sleep(0.3)
        assert is_running(pid)
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    wait_until_gone(pid)
    assert [each.name for each in tmp_path.iterdir()] == ["script.py"]


def test_a_program_that_ends_leaves_no_child(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(then=""))
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with contextlib.suppress(OSError):
        wait_until_gone(int(done.stdout))


def test_a_child_that_waited_too_long_is_not_called(monkeypatch):
    first = call(os.getpid)
    monkeypatch.setattr(apart, "IDLE_SECONDS", 0.0)
    assert call(os.getpid) != first
