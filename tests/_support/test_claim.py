"""One process at a time writes to a directory, and a kill leaves the old one or the new one."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from perturbfs._support import claim
from perturbfs._support.claim import claimed, recover
from perturbfs._support.files import atomic_directory, atomic_path
from perturbfs.exceptions import StorageWarning

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")

# Replaces a directory in forked processes; the n-th dies just before its n-th step.
REPLACE = """
import os, shutil, sys
from pathlib import Path
from perturbfs._support.files import atomic_directory

def replace(target, n_steps):
    rename, rmtree = Path.rename, shutil.rmtree
    def counted(step):
        def run(*args, **options):
            nonlocal n_steps
            n_steps -= 1
            if n_steps < 0:
                os.kill(os.getpid(), 9)
            return step(*args, **options)
        return run
    Path.rename, shutil.rmtree = counted(rename), counted(rmtree)
    with atomic_directory(target, force=True) as folder:
        for name in ("a.txt", "b.txt"):
            (folder / name).write_text("new")

for n_steps in range(int(sys.argv[2])):
    child = os.fork()
    if not child:
        replace(Path(sys.argv[1], str(n_steps)), n_steps)
        os._exit(0)
    print(os.waitpid(child, 0)[1])
"""
N_STEPS = 6


@needs_fork
def test_a_kill_at_any_step_of_a_replacement_leaves_the_old_or_the_new(tmp_path):
    for step in range(N_STEPS):
        (tmp_path / str(step) / "notes").mkdir(parents=True)
        (tmp_path / str(step) / "notes" / "mine.txt").write_text("mine")
        (tmp_path / str(step) / "a.txt").write_text("old")
    script = [sys.executable, "-c", REPLACE, tmp_path, str(N_STEPS)]
    ends = subprocess.run(script, capture_output=True, text=True, check=True).stdout.split()
    assert ends == ["9"] * (N_STEPS - 1) + ["0"]  # the last one was not killed
    found = []
    for step in range(N_STEPS):
        place = tmp_path / str(step)
        with claimed(place):
            pass
        assert (place / "notes" / "mine.txt").read_text() == "mine"
        found.append({each.name: each.read_text() for each in place.glob("*.txt")})
    assert found == [{"a.txt": "old"}] + [{"a.txt": "new", "b.txt": "new"}] * (N_STEPS - 1)
    assert sorted(os.listdir(tmp_path)) == [str(step) for step in range(N_STEPS)]


def test_an_error_between_the_renames_brings_the_old_directory_back(tmp_path, monkeypatch):
    target, rename = tmp_path / "result", Path.rename
    target.mkdir()
    (target / "a.txt").write_text("old")

    def fail(path, to):
        if path.name.endswith(claim.PART) and Path(to).name == "result":
            raise OSError("No space left on device")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="No space"), atomic_directory(target, force=True) as folder:
        (folder / "a.txt").write_text("new")
    assert (target / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["result"]


HOLD = """
import sys
from perturbfs._support.claim import claimed
with claimed(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """A process that holds a directory."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path / "result"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline().strip() == b"held"
        yield process
        process.kill()


def test_the_second_process_says_who_holds_the_directory(tmp_path, holder):
    who = rf"result is in use by process {holder.pid} on .*, since 2.*Wait until it has ended"
    with pytest.raises(BlockingIOError, match=who), atomic_directory(tmp_path / "result"):
        raise AssertionError("two processes write to one directory")
    with claimed(tmp_path / "other"):
        pass


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path, holder):
    holder.kill()
    holder.wait()
    assert os.listdir(tmp_path) == [".result.perturbfs-lock"]
    with claimed(tmp_path / "result"):
        assert json.loads((tmp_path / ".result.perturbfs-lock").read_text())["pid"] == os.getpid()
    assert os.listdir(tmp_path) == []


def test_a_process_may_claim_again_what_it_holds(tmp_path):
    with claimed(tmp_path / "deep" / "result"), atomic_directory(tmp_path / "deep/result") as new:
        (new / "a.txt").write_text("a")
    assert os.listdir(tmp_path / "deep") == ["result"]


def test_only_our_own_leftovers_are_removed(tmp_path):
    kept = [
        ".result.mine.perturbfs-part",
        ".result.notes123.part",
        ".other.abcdefgh.perturbfs-part",
    ]
    for name in [*kept, ".result.abcdefgh.perturbfs-part"]:
        (tmp_path / name).mkdir()
    recover(tmp_path / "result")
    assert sorted(os.listdir(tmp_path)) == sorted(kept)


@needs_fork
def test_a_lock_file_that_is_a_link_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / ".result.perturbfs-lock").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="does not allow it"), claimed(tmp_path / "result"):
        pass
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_file_system_without_locks_is_named_in_a_warning(tmp_path, monkeypatch):
    def refuse(descriptor):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(claim, "try_lock", refuse)
    said = pytest.warns(StorageWarning, match="a file system without locks")
    with said, claimed(tmp_path / "result"):
        pass
    assert os.listdir(tmp_path) == []


@needs_fork
def test_the_temporary_file_of_a_killed_process_is_removed_by_the_next(tmp_path):
    write = "import os, sys\nfrom perturbfs._support.files import atomic_path\n"
    write += "with atomic_path(sys.argv[1]) as file:\n    os.kill(os.getpid(), 9)"
    target = tmp_path / "out.csv"
    subprocess.run([sys.executable, "-c", write, target], check=False)
    assert len(os.listdir(tmp_path)) == 1
    with atomic_path(target) as first, atomic_path(target) as second:
        assert sorted(os.listdir(tmp_path)) == sorted([first.name, second.name])
    assert os.listdir(tmp_path) == ["out.csv"]


def test_what_cannot_be_replaced_as_a_whole_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    refused = pytest.raises(FileExistsError, match="is the directory that you work in")
    with refused, atomic_directory("."):
        pass


def test_the_new_directory_has_the_permissions_of_the_old_one(tmp_path):
    target = tmp_path / "result"
    target.mkdir(mode=0o700)
    with atomic_directory(target):
        pass
    assert target.stat().st_mode & 0o777 == 0o700


def test_everything_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    synced, fsync = [], os.fsync
    names = lambda fd: os.readlink(f"/proc/self/fd/{fd}")  # noqa: E731
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc")
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(names(fd)), fsync(fd)))
    with atomic_directory(tmp_path / "result") as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "a").write_text("a")
    assert set(synced[:-1]) == {str(folder), str(folder / "deep"), str(folder / "deep" / "a")}
    assert synced[-1] == str(tmp_path)


def test_what_threads_still_write_after_an_error_is_removed(tmp_path):
    threads = []

    def go_on(folder):
        for _ in range(3):
            while folder.exists():
                time.sleep(0.001)
            folder.mkdir()  # as Zarr does

    def write_in_a_thread():
        with atomic_directory(tmp_path / "out") as folder:
            threads.append(threading.Thread(target=go_on, args=(folder,)))
            threads[0].start()
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write_in_a_thread()
    threads[0].join()
    assert [each.name for each in tmp_path.iterdir()] == []
