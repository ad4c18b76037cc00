"""Child processes that end in every way, and what they leave."""

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from page_client import is_alive

from perturbfs.serve import _process as process
from perturbfs.serve._process import ChildError, read_messages, run_child

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts have a first line")

SHARED_MEMORY = Path("/dev/shm")
HEAD = """import json, os, resource, signal, sys, time
def tell(event, end="\\n"):
    print(json.dumps(event), end=end, flush=True)
"""
WITH_WORKERS = """
import joblib, numpy
def work(values):
    tell({"at_work": os.getpid()})
    time.sleep(60)
joblib.Parallel(2, max_nbytes=1)(joblib.delayed(work)(numpy.ones(1000)) for _ in range(2))
"""


def run_in_thread(coroutine):
    """Run a coroutine; the loop of playwright stays in the main thread after browser tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a script as the child process; `until` are the events after which it is cancelled."""

    def run_script(text, until=None):
        script = tmp_path / "child"
        script.write_text(f"#!{sys.executable}\n{HEAD}{text}")
        script.chmod(0o700)
        monkeypatch.setattr(process.sys, "executable", str(script))
        folder = tmp_path / "job"
        folder.mkdir()
        events = []

        async def run_and_cancel():
            task = asyncio.create_task(run_child({}, folder, events.append))
            while until is not None and len(events) < until:
                await asyncio.sleep(0.01)
            if until is not None:
                await asyncio.sleep(0.1)
                task.cancel()
            with suppress(asyncio.CancelledError):
                return await task

        try:
            return run_in_thread(run_and_cancel()), events
        finally:
            assert list(folder.iterdir()) == []

    return run_script


def test_events_and_notes_come_back(run):
    notes, events = run('tell({"doing": "a"}); print("Note: b", file=sys.stderr)')
    assert notes == ["b"]
    assert events[1:] == [{"doing": "a"}]
    assert not is_alive(events[0]["pid"])


def test_a_child_that_is_cancelled_within_a_long_message_ends(run):
    _, [started] = run('tell("x" * 1_000_000, end=""); time.sleep(60)', until=1)
    assert not is_alive(started["pid"])


def test_a_child_that_dies_within_a_message_gives_its_error(run):
    with pytest.raises(ChildError, match="It broke"):
        run('tell("x" * 100_000, end=""); sys.exit("Error: It broke.")')


def test_a_message_that_is_too_long_gives_a_sentence(run, monkeypatch):
    monkeypatch.setattr(process, "LONGEST_EVENT", 1000)
    with pytest.raises(ChildError, match="Use perturbfs select"):
        run('tell("x" * 100_000); time.sleep(60)')


def test_a_child_that_ignores_to_be_ended_is_killed(run, monkeypatch):
    monkeypatch.setattr(process, "SECONDS_TO_CLEAN", 0.2)
    ignore = 'signal.signal(signal.SIGTERM, signal.SIG_IGN); tell({"doing": "a"}); time.sleep(60)'
    _, events = run(ignore, until=2)
    assert not is_alive(events[0]["pid"])


def test_a_process_that_a_child_leaves_behind_is_ended(run, monkeypatch):
    monkeypatch.setattr(process, "SECONDS_TO_EXIT", 0.2)
    _, events = run(
        'pid = os.fork()\nif pid: tell({"left": pid})\nelse: os.close(1); time.sleep(60)'
    )
    assert_ends(events[1]["left"])


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="has no shared memory in files")
def test_workers_leave_no_process_and_no_shared_memory(run):
    before = set(SHARED_MEMORY.iterdir())
    _, [started, *at_work] = run(WITH_WORKERS, until=3)
    for pid in (started["pid"], *(each["at_work"] for each in at_work)):
        assert_ends(pid)
    left = [path.name for path in set(SHARED_MEMORY.iterdir()) - before]
    assert [name for name in left if str(started["pid"]) in name] == []


def assert_ends(pid):
    """A process ends, or is a zombie where nobody collects orphans."""
    end = time.monotonic() + 10
    while is_alive(pid):
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_message_of_a_child_needs_no_disk(run):
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    with pytest.raises(ChildError, match="No space left"):
        run(f'{limit}; sys.exit("Error: No space left on device.")')


@pytest.mark.slow
def test_a_child_ends_when_its_parent_is_gone(large, tmp_path):
    (tmp_path / "a.csv").write_bytes(large)
    command = ["select", "a.csv", "--target=state", "--method=paper", "--out=out", "--quiet"]

    async def start_and_leave():
        begun = asyncio.Event()
        heard = []

        def hear(event):
            heard.append(event)
            if "doing" in event:
                begun.set()

        child = None
        start = asyncio.create_subprocess_exec

        async def remember(*args, **options):
            nonlocal child
            child = await start(*args, **options)
            return child

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio, "create_subprocess_exec", remember)
            task = asyncio.create_task(
                run_child({"command": command, "names": {}}, tmp_path, hear)
            )
            await begun.wait()
        child.stdin.close()  # what the end of a parent does
        with pytest.raises(ChildError, match="ended with code"):
            await task
        return heard[0]["pid"]

    assert not is_alive(run_in_thread(start_and_leave()))


@pytest.mark.parametrize(
    ("code", "said", "error", "notes"),
    [
        (0, "Note: a\nNote: b\n", None, ["a", "b"]),
        (1, "Error: It is\nbroken.\n", "It is\nbroken.", []),
        (-9, "", "The process was killed from outside", []),
        (3, "", "The process ended with code 3", []),
        (1, "Traceback\n", "Traceback", []),
    ],
)
def test_messages_are_those_of_the_command(code, said, error, notes):
    found, found_notes = read_messages(code, said)
    assert found_notes == notes
    assert found == error if error is None else found.startswith(error)
