"""Run many jobs through `perturbfs serve` and look at what they leave.

Jobs are selected to their end, cancelled at work, removed while their file is read, or have a
file that cannot be read; between them there are malformed and slow requests. The memory, threads,
open files and child processes of the server, shared memory and temporary files are counted on the
way, in a table; anything that grows ends the program with code 1::

    make soak
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from page_client import ACTIVE, Client, is_alive, small_table  # noqa: E402
from records import Figures, add_record_option, record  # noqa: E402

SHARED_MEMORY = Path("/dev/shm")
EVERY = 20  # jobs between two rows of the table
MOST_GROWTH = 10.0  # MB of memory after the first quarter of the jobs
FORM = {"target": "candidate:0", "n_features": "2", "method": "anova"}
MALFORMED = (
    b"GET / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"nonsense\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a",  # and then nothing
)


@dataclass(frozen=True)
class Count:
    """What a server holds while no job is at work."""

    megabytes: float
    threads: int
    files: int
    children: int
    shared: int  # new entries in shared memory whose makers have ended
    temporary: int  # entries in the folder for temporary files besides that of the server


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=30.0, help="stop after this time")
    add_record_option(parser)
    given = parser.parse_args()
    if not Path("/proc/self/status").exists():
        sys.exit("soak_serve.py counts in /proc, which this system does not have.")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        n_done, problems = soak(Path(folder), given.jobs, started + 60 * given.minutes)
    for problem in problems:
        print(f"FAILED: {problem}")
    seconds = time.monotonic() - started
    record(given.record, Figures("soak_serve", "jobs of serve", n_done, seconds, len(problems)))
    sys.exit(bool(problems))


def soak(folder: Path, n_jobs: int, end: float) -> tuple[int, list[str]]:
    """Run jobs until the number or the time is reached; return how many, and what went wrong."""
    before = shared_entries()
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", "from perturbfs.cli import app; app()", "serve"]
    with subprocess.Popen(
        [*command, "--no-browser", "--jobs", "2"],
        env={**os.environ, **threads, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            counts = send_jobs(server, folder, before, n_jobs, end)
            server.send_signal(signal.SIGINT)
            code = server.wait(timeout=60)
        finally:
            server.kill()
    left = [*folder.iterdir(), *(shared_entries() - before)]
    exits = [f"exit code {code}"] if code else []
    n_done = max(counts, default=0)
    return n_done, [*judge([*counts.values()]), *exits, *(f"left: {path}" for path in left)]


def send_jobs(
    server: subprocess.Popen[str], folder: Path, before: set[Path], n_jobs: int, end: float
) -> dict[int, Count]:
    """Send jobs of all kinds in turn; return what the server held after how many of them."""
    assert server.stdout is not None
    lines = [server.stdout.readline() for _ in range(3)]
    client: Any = Client(SimpleNamespace(address=lines[1].strip()))
    counts, n_done, outcomes = {}, 0, dict.fromkeys(KINDS, 0)
    print("   jobs      MB  threads  files  children  shared  temporary", flush=True)
    while n_done < n_jobs and time.monotonic() < end:
        kind = list(KINDS)[n_done % len(KINDS)]
        KINDS[kind](client, n_done // len(KINDS))
        disturb(client.base, n_done)
        outcomes[kind] += 1
        n_done += 1
        if n_done % EVERY == 0 or n_done == n_jobs or time.monotonic() >= end:
            counts[n_done] = count(server.pid, folder, before)
            print(row(n_done, counts[n_done]), flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in outcomes.items()))
    return counts


def select(client: Any, _: int) -> None:
    page = client.upload(small_table().csv, "table.csv")
    assert client.wait(page, seconds=600)["state"] == "ready"
    assert client.select(page, **FORM)[0] == 202
    said = client.wait(page, seconds=600)
    assert said["state"] == "done", said
    assert "2 of 60 features" in client.ask(f"{page}report.html").text
    client.post(f"{page}remove")


def cancel(client: Any, number: int) -> None:
    page = client.upload(small_table().csv, "table.csv")
    client.wait(page, seconds=600)
    client.select(page, **FORM | {"method": "robust"})
    client.wait(page, lambda said: said["bars"] or said["state"] not in ACTIVE, seconds=600)
    time.sleep(number % 5)  # from before its workers start to the end of its work
    client.post(f"{page}cancel")
    assert client.progress(page)["state"] in ("cancelled", "done")
    client.post(f"{page}remove")


def remove_at_once(client: Any, _: int) -> None:
    page = client.upload(small_table().csv, "table.csv")
    client.post(f"{page}remove")


def refuse(client: Any, _: int) -> None:
    page = client.upload(b"a,b\n1,2\n1,2,3\n", "ragged.csv")
    assert client.wait(page, seconds=600)["state"] == "failed"
    assert client.post(f"{page}select", b"[" * 90_000)[0] == 400
    assert client.post("jobs?name=model.pkl", b"\x80")[0] == 415
    client.post(f"{page}remove")


KINDS = {
    "selected": select,
    "cancelled": cancel,
    "removed while read": remove_at_once,
    "refused": refuse,
}


def disturb(base: str, number: int) -> None:
    """Send a malformed request, and leave without waiting for the answer."""
    port = int(base.split("/")[2].rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as wire:
        wire.sendall(MALFORMED[number % len(MALFORMED)])


def count(pid: int, folder: Path, before: set[Path]) -> Count:
    time.sleep(0.5)  # for connections to be closed
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    children = sum(
        len(path.read_text().split()) for path in Path(f"/proc/{pid}/task").glob("*/children")
    )
    jobs = [path for serving in folder.iterdir() for path in (serving / "files").iterdir()]
    return Count(
        megabytes=int(fields["VmRSS"].split()[0]) / 1000,
        threads=int(fields["Threads"]),
        files=len(list(Path(f"/proc/{pid}/fd").iterdir())),
        children=children,
        shared=len(shared_entries() - before),
        temporary=len(list(folder.iterdir())) - 1 + len(jobs),
    )


def shared_entries() -> set[Path]:
    """Return what joblib left in shared memory: its names hold the pid of a process that ended."""
    entries = [path for name in ("*loky*", "joblib*") for path in SHARED_MEMORY.glob(name)]
    pids = {path: re.search(r"[-_](\d+)[-_]", path.name) for path in entries}
    return {path for path, pid in pids.items() if pid is None or not is_alive(int(pid[1]))}


def row(n_done: int, found: Count) -> str:
    numbers = (found.threads, found.files, found.children, found.shared, found.temporary)
    widths = (9, 7, 10, 8, 11)
    cells = "".join(f"{number:{width}}" for number, width in zip(numbers, widths, strict=True))
    return f"{n_done:7}{found.megabytes:8.1f}{cells}"


def judge(counts: list[Count]) -> list[str]:
    """Return a sentence for everything that grew or was left."""
    if not counts:
        return ["no rows were counted; give more jobs or minutes"]
    first, last = counts[len(counts) // 4], counts[-1]
    grown = [
        f"{name} grew from {getattr(first, name)} to {getattr(last, name)}"
        for name, most in (("megabytes", MOST_GROWTH), ("threads", 2), ("files", 2))
        if getattr(last, name) > getattr(first, name) + most
    ]
    left = [
        f"{getattr(last, name)} {name} are left"
        for name in ("children", "shared", "temporary")
        if getattr(last, name)
    ]
    return [*grown, *left]


if __name__ == "__main__":
    main()
