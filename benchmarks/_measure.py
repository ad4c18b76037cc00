"""Measure the cost of a call in a process of its own, and keep and print the results.

Import this before NumPy: it pins every BLAS and OpenMP library to one thread.
"""

from __future__ import annotations

import os

THREADS = 1
for _name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA", "VECLIB_MAXIMUM", "POLARS_MAX"):
    os.environ[f"{_name}_THREADS" if "MAX" in _name else f"{_name}_NUM_THREADS"] = str(THREADS)

import csv
import math
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
ENOUGH_S = 10.0  # seconds of CPU after which a call is not repeated any more
TOO_LITTLE_S = 0.5  # calls of milliseconds are repeated until they add up to this
MOST_REPEATS = 50
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and memory of a call; NaN if it failed."""

    cpu_s: float = math.nan
    wall_s: float = math.nan
    peak_mb: float = math.nan  # above what was resident before the call
    is_stopped: bool = False  # at the limit, which then is `cpu_s`
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The cost of one way to do a job on some data."""

    job: str
    data: str
    way: str  # "ours" is what the others are compared with
    cpu_s: float
    wall_s: float
    peak_mb: float
    is_stopped: bool
    note: str

    @property
    def key(self) -> tuple[str, str]:
        """Return the job and the data; rows are compared if these are the same."""
        return self.job, self.data


def row(job: str, data: str, way: str, cost: Cost, note: str = "") -> Row:
    """Return a row with the notes of both the caller and the cost."""
    notes = "; ".join(each for each in (note, cost.note) if each)
    return Row(job, data, way, cost.cpu_s, cost.wall_s, cost.peak_mb, cost.is_stopped, notes)


def measure(
    call: Callable[[], object],
    *,
    warm_up: Callable[[], object] | None = None,
    repeats: int = 5,
    limit_s: float | None = None,
) -> Cost:
    """Return the median cost of a call.

    Parameters
    ----------
    call : callable
        Runs in a forked process, so that its peak of memory is its own.
    warm_up : callable, optional
        Called before the clock starts; `call` itself by default.
    repeats : int
        Number of calls. It is lower once `ENOUGH_S` seconds of CPU are spent, and higher for
        short calls, unless it is 1.
    limit_s : float, optional
        CPU seconds after which the process is stopped, warm-up included.

    Returns
    -------
    cost : Cost
    """
    receiver, sender = _FORK.Pipe(duplex=False)
    arguments = (sender, call, warm_up or call, repeats, limit_s)
    process = _FORK.Process(target=_measure_here, args=arguments)
    process.start()
    sender.close()
    try:
        cost: Cost = receiver.recv()
    except EOFError:
        cost = Cost(cpu_s=limit_s or math.nan, is_stopped=limit_s is not None, note="stopped")
    process.join()
    return cost


def _measure_here(
    sender: Any,
    call: Callable[[], object],
    warm_up: Callable[[], object],
    repeats: int,
    limit_s: float | None,
) -> None:
    if limit_s is not None:
        seconds = math.ceil(time.process_time() + limit_s)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    before, taken = _peak_mb(), []
    try:
        warm_up()
        while not _is_enough(taken, repeats):
            taken.append(_timed(call))
    except Exception as error:  # a rival may fail in any way; the table says how
        sender.send(Cost(note=f"{type(error).__name__}: {error}"[:120]))
        return
    cpu, wall = (statistics.median(column) for column in zip(*taken, strict=True))
    sender.send(Cost(cpu, wall, _peak_mb() - before))


def _is_enough(taken: Sequence[tuple[float, float]], repeats: int) -> bool:
    spent = sum(cpu for cpu, _ in taken)
    if repeats > 1 and spent < TOO_LITTLE_S:
        return len(taken) >= MOST_REPEATS
    return len(taken) >= repeats or spent >= ENOUGH_S


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = cpu_seconds(), time.perf_counter()
    call()
    return cpu_seconds() - cpu, time.perf_counter() - wall


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of the child processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _peak_mb() -> float:
    # Of a forked process this starts at what is resident then; in kilobytes on Linux.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def keep(name: str, rows: Iterable[Row]) -> Path:
    """Write rows to results/<name>.csv."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([each.name for each in fields(Row)])
        for each in rows:
            writer.writerow(
                f"{value:.5g}" if isinstance(value, float) else value
                for value in asdict(each).values()
            )
    return path


def load(path: Path) -> list[Row]:
    """Read the rows that `keep` wrote."""
    with path.open(newline="") as file:
        return [
            Row(
                job=each["job"],
                data=each["data"],
                way=each["way"],
                cpu_s=float(each["cpu_s"]),
                wall_s=float(each["wall_s"]),
                peak_mb=float(each["peak_mb"]),
                is_stopped=each["is_stopped"] == "True",
                note=each["note"],
            )
            for each in csv.DictReader(file)
        ]


def over_ours(rows: Sequence[Row]) -> list[float]:
    """Return the CPU seconds of each row, divided by ours for the same job on the same data."""
    ours = {each.key: each.cpu_s for each in rows if each.way == "ours"}
    return [each.cpu_s / ours.get(each.key, math.nan) for each in rows]


def show(rows: Sequence[Row]) -> None:
    """Print rows as a table."""
    table = [("job", "data", "way", "CPU s", "wall s", "peak MB", "over ours", "note")]
    for each, ratio in zip(rows, over_ours(rows), strict=True):
        more = "> " if each.is_stopped else ""
        figures = (f"{more}{each.cpu_s:.4g}", f"{each.wall_s:.4g}", f"{each.peak_mb:.0f}")
        table.append((each.job, each.data, each.way, *figures, f"{more}{ratio:.3g}", each.note))
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        print("  ".join(cells).rstrip().replace("nan", "-  "))
