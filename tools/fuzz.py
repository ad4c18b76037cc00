"""Give damaged files of every format to the package: `make fuzz`.

A finding is anything but a result or one sentence of the package: a crash, a file that takes more
than a minute or 4 GB, another exception, numbers that the file does not hold. Findings are kept::

    python tools/fuzz.py --inputs 1000000 --seed 7 --jobs 2 --out fuzz-findings
"""

from __future__ import annotations

import argparse
import json
import math
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_seeds import write_documents, write_seeds
from fuzz_worker import make_input
from records import Figures, add_record_option, record

TOOLS = Path(__file__).resolve().parent
SECONDS = 60.0  # without progress, after which a worker is ended
MEMORY = 4 * 2**30


@dataclass
class Worker:
    """A process that tries every `step`-th input, and what it has found."""

    folder: Path
    seed: int
    start: int
    stop: int
    step: int
    end: float = math.inf  # of the clock, when to stop
    findings: dict[int, str] = field(default_factory=dict)
    n_tried: int = 0

    def run(self) -> None:
        """Try all inputs; go on after one that ends the process."""
        start = self.start
        while start < self.stop:
            start = self._run_from(start)

    def _run_from(self, start: int) -> int:
        """Return the number to go on with."""
        scratch = self.folder / f"scratch-{self.start}"
        numbers = [str(each) for each in (start, self.stop, self.step, self.seed)]
        worker = subprocess.Popen(
            [sys.executable, TOOLS / "fuzz_worker.py", *numbers, self.folder, scratch],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_limit_memory if os.name == "posix" else None,
        )
        current, why = start, None
        for line in _lines(worker):
            # What was found counts, even if the time is over meanwhile.
            if line is None:
                why = f"no progress for {SECONDS:.0f} seconds"
                worker.kill()
            elif line.startswith("{"):
                found = json.loads(line)
                self.findings[found["input"]] = found["wrong"]
            elif time.monotonic() > self.end:
                worker.kill()
                worker.communicate()
                return self.stop
            else:
                current, self.n_tried = int(line), self.n_tried + 1
        _, said = worker.communicate()
        if worker.returncode == 0:
            return self.stop
        self.findings[current] = why or f"the process ended: {worker.returncode}\n{said[-3000:]}"
        return current + self.step


def _lines(worker: subprocess.Popen[str]) -> Iterator[str | None]:
    """Yield the lines that a process prints; None when it has printed nothing for too long."""
    found: queue.Queue[str] = queue.Queue()

    def receive() -> None:
        for line in worker.stdout or ():
            found.put(line)
        found.put("")

    threading.Thread(target=receive, daemon=True).start()
    while True:
        try:
            line = found.get(timeout=SECONDS)
        except queue.Empty:
            yield None
            continue
        if not line:
            return
        yield line.strip()


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def prepare(folder: Path) -> list[Path]:
    """Write the valid files into a folder, and return their paths."""
    for name in ("tables", "documents"):
        (folder / name).mkdir()
    tables, documents = write_seeds(folder / "tables"), write_documents(folder / "documents")
    shutil.copy(folder / "tables" / "table.csv", folder / "good.csv")
    selection = next(each for each in documents if each.name == "selection.json")
    shutil.copy(selection, folder / "good.json")
    # Documents are checked by the same few functions, so tables come more often.
    seeds = [*tables, *documents]
    (folder / "seeds.txt").write_text("\n".join(map(str, seeds)))
    return seeds


def fuzz(
    n_inputs: int,
    *,
    seed: int,
    n_jobs: int = 1,
    seconds: float = math.inf,
    out: Path | None = None,
) -> tuple[dict[int, str], int]:
    """Try damaged files; return the findings by the number of the input, and how many were tried.

    Parameters
    ----------
    n_inputs : int
    seed : int
    n_jobs : int, default=1
        Number of processes.
    seconds : float, optional
        Time after which no further file is tried.
    out : Path, optional
        Folder for the files of the findings.

    Returns
    -------
    findings : dict of int to str
    n_tried : int
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seeds = prepare(folder)
        end = time.monotonic() + seconds
        workers = [Worker(folder, seed, at, n_inputs, n_jobs, end) for at in range(n_jobs)]
        threads = [threading.Thread(target=each.run) for each in workers]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        findings = {at: why for each in workers for at, why in each.findings.items()}
        for at, why in sorted(findings.items()):
            if out is not None:
                _keep(out, folder, seeds, at, seed, why)
    return findings, sum(each.n_tried for each in workers)


def _keep(out: Path, folder: Path, seeds: list[Path], at: int, seed: int, why: str) -> None:
    """Keep the file of a finding, and what happened."""
    kept = out / f"{seed}-{at}"
    shutil.rmtree(kept, ignore_errors=True)
    made = make_input(seeds, at, seed, folder / "again")
    shutil.copytree(made.parent, kept)
    (kept / "finding.txt").write_text(why)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--inputs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"))
    add_record_option(parser)
    given = parser.parse_args()
    started = time.monotonic()
    findings, n_tried = fuzz(
        given.inputs, seed=given.seed, n_jobs=given.jobs, seconds=given.seconds, out=given.out
    )
    for at, why in sorted(findings.items()):
        print(f"--- input {at} of seed {given.seed}\n{why[-1500:]}")
    seconds = time.monotonic() - started
    print(f"{n_tried:,} inputs in {seconds:.0f} s: {len(findings)} findings", end="")
    print(f", kept in {given.out}" if findings else "")
    record(given.record, Figures("fuzz", "damaged files read", n_tried, seconds, len(findings)))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
