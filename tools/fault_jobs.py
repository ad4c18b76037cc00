"""Commands for `tools/faults.py`: what they read and write, and when their result is whole."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from perturbfs.datasets import make_wide_classification

COMMAND = [sys.executable, "-c", "from perturbfs.cli import app; app()"]
SERVE = Path(__file__).with_name("serve_once.py")
OUT = "out"  # what the commands write: a directory, or a file
NOTES = "notes.txt"  # of the user, in the directory that --force replaces
FETCH = """
import hashlib, sys
from dataclasses import replace
import typer
from perturbfs.cli._command import errors_as_sentences
from perturbfs.datasets import DataFile, Layout, find_dataset
from perturbfs.datasets._download import download_file
content = bytes(range(256)) * 8192
file = DataFile("out", hashlib.sha256(content).hexdigest(), len(content), (sys.argv[1],), Layout())
try:
    with errors_as_sentences():
        download_file(replace(find_dataset("colon"), files=(file,)), ".")
except typer.Exit as ended:
    sys.exit(ended.exit_code)
"""


@dataclass(frozen=True)
class Job:
    """A command, and what is known of its result.

    Attributes
    ----------
    name : str
    command : tuple of str
        Run in a folder of its own.
    old : tuple of str
        Options that give another result, for the one that ``--force`` replaces. Empty if there
        is none.
    again : tuple of str
        Options with which a user runs the command once more.
    has_timings : bool
        Whether two runs differ, because times are part of the result.
    reads : str
        A file that may change while it is read.
    has_children : bool
        Whether the command starts processes.
    """

    name: str
    command: tuple[str, ...]
    old: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    has_timings: bool = False
    reads: str = ""
    has_children: bool = False


def make_inputs(folder: Path) -> None:
    """Write the tables that the commands read."""
    data = make_wide_classification(40, 60, random_state=0)
    header = ",".join([*(f"g{j}" for j in range(60)), "state"])
    rows = (",".join([*map(str, row), label]) for row, label in zip(data.X, data.y, strict=True))
    (folder / "table.csv").write_text("\n".join([header, *rows]) + "\n")
    np.save(folder / "matrix.npy", np.asfortranarray(data.X))
    np.save(folder / "rows.npy", np.random.default_rng(0).standard_normal((500, 4000)))
    (folder / "labels.csv").write_text("state\n" + "\n".join(data.y) + "\n")


@contextmanager
def jobs() -> Iterator[dict[str, Job]]:
    """Yield the jobs by name; a server on 127.0.0.1 sends the file that one of them downloads."""
    small = ("--target", "state", "--splits", "2", "--out", OUT)
    select = (*COMMAND, "select", "table.csv", *small, "--n-features", "3")
    evaluate = (*COMMAND, "evaluate", "table.csv", *small, "--methods", "anova,random")
    blocks = (*COMMAND, "select", "matrix.npy", "--target", "labels.csv", "--memory", "64MB")
    blocks = (*blocks, "--splits", "2", "--n-features", "3", "--out", OUT)
    with _serving() as url:
        found = [
            Job("select", select, ("--random-state", "1"), ("--force",), reads="table.csv"),
            Job(  # in two threads
                "select --jobs 2",
                (*select, "--jobs", "2"),
                ("--random-state", "1"),
                ("--force",),
            ),
            Job(
                "select --memory",
                blocks,
                ("--random-state", "1"),
                ("--force", "--resume"),
                reads="matrix.npy",
            ),
            Job(
                "evaluate --jobs 2",
                (*evaluate, "--n-features", "3", "--jobs", "2"),
                ("--random-state", "1"),
                ("--force",),
                has_timings=True,
                has_children=True,
            ),
            Job(
                "reproduce",
                (*COMMAND, "reproduce", "datasets", "synth-angles", "--out", OUT),
                has_timings=True,
            ),
            Job("convert", (*COMMAND, "convert", "rows.npy", "--out", f"{OUT}.zarr")),
            Job("download", (sys.executable, "-c", FETCH, url)),
            Job("serve", (sys.executable, str(SERVE)), has_children=True),
        ]
        yield {job.name: job for job in found}


def out_of(job: Job, folder: Path) -> Path:
    """Return the path of the result."""
    return folder / (f"{OUT}.zarr" if job.name == "convert" else OUT)


def contents(path: Path) -> dict[str, str]:
    """Return hashes of a file, or of all files in a directory but the notes, by their names."""
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    return {
        each.relative_to(path).as_posix(): hashlib.sha256(each.read_bytes()).hexdigest()
        for each in files
        if each.exists() and each.name != NOTES
    }


def describe_damage(
    job: Job,
    path: Path,
    old: dict[str, str] | None,
    new: dict[str, str],
    *,
    may_differ: bool = False,
) -> str | None:
    """Return what is wrong with a result, or None if it is absent, the old one or the new one.

    A run of `reproduce` that was stopped holds whole results, to which the next run adds. With
    `may_differ`, the result may be another one than `new`, because the input is.
    """
    found = contents(path)
    if not found:
        return "the old result is lost" if old else None
    if found in (old, new):
        return None
    damaged = [name for name in found if not _is_whole(path / name)]
    if damaged:
        return f"{damaged[0]} is cut short"
    if job.name == "reproduce":
        return None
    if found.keys() != new.keys():
        return f"the result is partial: {sorted(found)}"
    # Some files are the same in both undisturbed runs, such as the list of groups.
    if old and any(found[name] == old[name] != new[name] for name in found):
        return "the result is mixed from two runs"
    return (
        None
        if job.has_timings or may_differ
        else "the result differs from that of an undisturbed run"
    )


def _is_whole(file: Path) -> bool:
    content = file.read_bytes()
    if file.suffix == ".json":
        try:
            json.loads(content)
        except ValueError:
            return False
    if file.suffix == ".html":
        return content.rstrip().endswith(b"</html>")
    return file.suffix != ".csv" or content.endswith(b"\n")


class _Publisher(BaseHTTPRequestHandler):
    """Sends 2 MB in small pieces, so that a fault falls into the download."""

    def do_GET(self) -> None:
        content = bytes(range(256)) * 8192
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            for first in range(0, len(content), 8192):
                self.wfile.write(content[first : first + 8192])
        except ConnectionError:
            pass  # the fault ended the client

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def _serving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Publisher)
    server.daemon_threads = True
    thread = threading.Thread(target=partial(server.serve_forever, poll_interval=0.01))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/out"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def environment(mark: str, temporary: Path) -> dict[str, str]:
    """Return the environment of a command; its processes are found by their mark."""
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    folders = {"TMPDIR": str(temporary), "XDG_CACHE_HOME": str(temporary / "cache")}
    return {**os.environ, **threads, **folders, "PERTURBFS_TRIAL": mark}


def run(command: tuple[str, ...], folder: Path, env: dict[str, str]) -> tuple[int, str]:
    """Run a command to its end and return its exit code and what it said on standard error."""
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    return done.returncode, done.stderr
