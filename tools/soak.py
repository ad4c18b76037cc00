"""Work for a long time in one process, and look whether anything grows.

One process fits selectors to small tables again and again, and another runs `perturbfs evaluate`
with all methods on 200 x 20,000. Memory, threads, open files, processes, shared memory and
temporary files are counted on the way; anything that grows ends the program with code 1::

    make soak
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from fault_jobs import COMMAND, environment  # noqa: E402
from process_tree import (  # noqa: E402
    count_handles,
    count_threads,
    descendants,
    processes_with,
    resident_bytes,
    shared_memory,
)
from records import Figures, add_record_option, record  # noqa: E402

from perturbfs._support.names import METHODS  # noqa: E402

ROWS = 12  # of the table that is printed
# MB between the end of the first third and the end. The allocator keeps some memory that was used
# once, and the methods of an evaluation need different amounts.
MOST_GROWTH, MOST_GROWTH_OF_EVALUATE = 20.0, 100.0


@dataclass(frozen=True)
class Count:
    """What a process holds."""

    megabytes: float
    threads: int
    handles: int
    processes: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--fits", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=10.0, help="of evaluate")
    parser.add_argument("--fit-minutes", type=float, default=30.0, help="stop the fits after")
    parser.add_argument("--shape", type=int, nargs=2, default=(200, 20_000), help="of evaluate")
    add_record_option(parser)
    given = parser.parse_args()
    if not Path("/proc/self/statm").exists():
        sys.exit("soak.py counts in /proc, which this system does not have.")
    shared = shared_memory()
    count, seconds, fit_problems = soak_fits(given.fits, 60 * given.fit_minutes)
    fit_problems += describe_shared(shared, [os.getpid()])
    finish("fits in one process", given.record, count, seconds, fit_problems)
    with tempfile.TemporaryDirectory(prefix="perturbfs-soak-") as folder:
        count, seconds, problems = soak_evaluate(Path(folder), 60 * given.minutes, given.shape)
    finish("runs of evaluate with all methods", given.record, count, seconds, problems)
    sys.exit(bool(fit_problems or problems))


def finish(what: str, file: Path | None, count: int, seconds: float, problems: list[str]) -> None:
    """Print and record the figures of one kind of load."""
    print("\n".join([f"{count} {what} in {seconds:.0f} s", *(f"FAILED: {p}" for p in problems)]))
    record(file, Figures("soak", what, count, seconds, len(problems)))


def soak_fits(n_fits: int, seconds: float) -> tuple[int, float, list[str]]:
    """Fit selectors in this process; return number, time and problems."""
    from perturbfs.datasets import make_wide_classification

    data = make_wide_classification(40, 300, random_state=0)
    selectors, counts = cycle(make_selectors()), []
    started = time.monotonic()
    for done in range(n_fits):
        if done % max(1, n_fits // ROWS) == 0:
            gc.collect()
            counts.append(show(done, count_process(os.getpid())))
        if time.monotonic() - started > seconds:
            n_fits = done
            break
        next(selectors)().fit(data.X, data.y)
    gc.collect()
    counts.append(show(n_fits, count_process(os.getpid())))
    return n_fits, time.monotonic() - started, describe_growth(counts)


def make_selectors() -> list[Callable[[], Any]]:
    """Return functions that make the selectors: both of ours, and those that are fast."""
    from perturbfs import PerturbationSelector, RobustSelector
    from perturbfs.evaluation import make_selector

    fast = ("anova", "l1-logistic", "lars", "lasso", "mrmr", "pca", "relieff", "rlsr")
    return [
        lambda: RobustSelector(4),
        lambda: PerturbationSelector(4, n_repeats=2, random_state=0),
        lambda: PerturbationSelector(4, perturbation="iid", n_repeats=2, random_state=0),
        *(partial(make_selector, name, 4, random_state=0) for name in fast),
    ]


def soak_evaluate(
    folder: Path, seconds: float, shape: tuple[int, int]
) -> tuple[int, float, list[str]]:
    """Run `perturbfs evaluate` with all methods until the time is over."""
    import numpy as np

    from perturbfs.datasets import make_wide_classification

    data = make_wide_classification(*shape, random_state=0)
    np.save(folder / "table.npy", data.X)
    (folder / "labels.csv").write_text("state\n" + "\n".join(map(str, data.y)) + "\n")
    (folder / "temporary").mkdir()
    mark, before = f"soak-{os.getpid()}", shared_memory()
    command = [*COMMAND, "evaluate", "table.npy", "--target", "labels.csv", "--jobs", "2"]
    command += ["--methods", ",".join(METHODS), "--n-features", "10", "--splits", "1000"]
    command += ["--predictors", "svm", "--out", "out"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment(mark, folder / "temporary"), stdout=subprocess.PIPE
    )
    started, counts, pids = time.monotonic(), [], set()
    while process.poll() is None and time.monotonic() - started < seconds:
        time.sleep(seconds / ROWS)
        pids.update(tree := descendants(process.pid))
        counts.append(show(round(time.monotonic() - started), count_tree(tree)))
    problems = describe_growth(counts, MOST_GROWTH_OF_EVALUATE)
    if process.poll() is not None:
        problems.append(f"evaluate ended with code {process.returncode} before the time was over")
    process.send_signal(2)
    try:
        process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        problems.append("evaluate did not end within two minutes of Ctrl-C")
        process.kill()
    time.sleep(5)
    problems += [f"process {pid} is left" for pid in processes_with("PERTURBFS_TRIAL", mark)]
    problems += describe_shared(before, pids)
    problems += [f"{each.name} is left in TMPDIR" for each in (folder / "temporary").iterdir()]
    return 1, time.monotonic() - started, problems


def count_process(pid: int) -> Count:
    """Return what one process holds."""
    megabytes = resident_bytes(pid) / 1e6
    return Count(megabytes, count_threads(pid), count_handles(pid), len(descendants(pid)) - 1)


def count_tree(pids: list[int]) -> Count:
    """Return what a process and its children hold together."""
    counts = []
    for pid in pids:
        try:
            counts.append(count_process(pid))
        except OSError:  # it has just ended
            continue
    sums = (sum(getattr(each, name) for each in counts) for name in ("megabytes", "threads"))
    return Count(*sums, sum(each.handles for each in counts), len(counts) - 1)


def describe_growth(counts: list[Count], most: float = MOST_GROWTH) -> list[str]:
    """Return what grew between the end of the first third and the end."""
    if len(counts) < 6:
        return ["too few counts to see growth; run for longer"]
    early, late = counts[len(counts) // 3 : len(counts) // 2], counts[-3:]
    problems = []
    for name, limit in {
        "megabytes": most,
        "threads": 0,
        "handles": 0,
        "processes": 0,
    }.items():
        # The largest of several counts, because work goes on between them.
        before, after = (max(getattr(each, name) for each in some) for some in (early, late))
        if after > before + limit:
            problems.append(f"{name} grew from {before:.0f} to {after:.0f}")
    return problems


def describe_shared(before: set[str], pids: Iterable[int]) -> list[str]:
    """Return what processes left in shared memory."""
    new = shared_memory() - before
    marks = [f"{sign}{pid}{sign}" for pid in pids for sign in "-_"]
    return [f"{each} is left in shared memory" for each in new if any(m in each for m in marks)]


def show(done: int, count: Count) -> Count:
    """Print a row of the table."""
    print(
        f"{done:>6}  {count.megabytes:7.1f} MB  {count.threads} threads  {count.handles} open "
        f"files  {count.processes} processes",
        flush=True,
    )
    return count


if __name__ == "__main__":
    main()
