"""Disturb commands at random moments, and look at what they leave.

A fault is a kill, Ctrl-C, a full, read-only or forbidden disk, a closed pipe, a file that changes
while it is read, or a killed worker. Afterwards the result must be absent, the old one or the new
one, as a whole; no process may be left; the error is a sentence; and the same command must then
succeed and leave nothing but its result. Anything else ends the program with code 1::

    make faults
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from fault_jobs import (  # noqa: E402
    NOTES,
    Job,
    contents,
    describe_damage,
    environment,
    jobs,
    make_inputs,
    out_of,
    run,
)
from process_tree import descendants, processes_with, shared_memory  # noqa: E402
from records import Figures, add_record_option, record  # noqa: E402

# A process that is dead, or may not write, cannot remove what it wrote; the next run does.
CANNOT_CLEAR = ("kill", "read-only disk", "no permission")
PATIENCE = 120.0  # seconds for a command to end after the fault
GRACE = 10.0  # seconds for its processes to end after it


@dataclass(frozen=True)
class Reference:
    """A job that nothing disturbed: its old and its new result, and how long it took."""

    old: dict[str, str] | None
    new: dict[str, str]
    seconds: float
    folder: Path  # with the inputs, and the old result if there is one


@dataclass
class Trial:
    """A job that is being disturbed."""

    job: Job
    reference: Reference
    folder: Path
    moment: float
    chance: random.Random
    undo: list[Callable[[], object]] = field(default_factory=list)
    command: tuple[str, ...] = ()
    process: subprocess.Popen[str] | None = None
    is_disturbed: bool = False  # the command was at work, so that the fault could fall into it

    @property
    def pid(self) -> int:
        """Of the command."""
        assert self.process is not None
        return self.process.pid


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after this time")
    parser.add_argument("--only", default="", help="jobs and faults whose names hold this text")
    add_record_option(parser)
    given = parser.parse_args()
    if not Path("/proc/self/environ").exists():
        sys.exit("faults.py looks for processes in /proc, which this system does not have.")
    started, end = time.monotonic(), time.monotonic() + 60 * given.minutes
    with tempfile.TemporaryDirectory(prefix="perturbfs-faults-") as folder:
        n_trials, problems = disturb(Path(folder), given.trials, given.seed, end, given.only)
    seconds = time.monotonic() - started
    print(f"{n_trials} faults in {seconds:.0f} s, {len(problems)} problems")
    record(given.record, Figures("faults", "faults injected", n_trials, seconds, len(problems)))
    sys.exit(bool(problems))


def disturb(
    folder: Path, n_trials: int, seed: int, end: float, only: str = ""
) -> tuple[int, list[str]]:
    """Inject faults until the number or the time is reached; return their number and problems."""
    chance, problems, count = random.Random(seed), [], 0
    references: dict[str, Reference] = {}
    with jobs() as known:
        pairs = [
            (job, fault)
            for job in known.values()
            for fault in FAULTS
            if _fits(job, fault) and only in f"{job.name}, {fault}"
        ]
        while count < n_trials and time.monotonic() < end:
            job, fault = chance.choice(pairs)
            if job.name not in references:
                references[job.name] = measure(job, folder)
            reference = references[job.name]
            moment = chance.uniform(0, 1.05 * reference.seconds)
            found, is_disturbed = run_trial(job, fault, reference, folder, moment, chance)
            count += is_disturbed
            label = f"{count}: {job.name}, {fault} after {moment:.2f} s"
            label += "" if is_disturbed else " (too late, not counted)"
            print("\n".join([label, *(f"  FAILED: {each}" for each in found)]), flush=True)
            problems += [f"{label}: {each}" for each in found]
    return count, problems


def _fits(job: Job, fault: str) -> bool:
    if MISSING.get(fault):
        return False
    needs = {"changed input": bool(job.reads), "killed worker": job.has_children}
    return needs.get(fault, True)


def measure(job: Job, folder: Path) -> Reference:
    """Run a job undisturbed, twice where it has an old result."""
    base = folder / job.name.replace(" ", "")
    base.mkdir()
    make_inputs(base)
    env = environment("reference", _temporary(folder))
    started = time.monotonic()
    _succeed(job.command, base, env)
    seconds, new = time.monotonic() - started, contents(out_of(job, base))
    _remove(out_of(job, base))
    if not job.old:
        return Reference(None, new, seconds, base)
    _succeed((*job.command, *job.old), base, env)
    (out_of(job, base) / NOTES).write_text("mine")
    return Reference(contents(out_of(job, base)), new, seconds, base)


def run_trial(
    job: Job, fault: str, reference: Reference, folder: Path, moment: float, chance: random.Random
) -> tuple[list[str], bool]:
    """Disturb a job once; return what went wrong, and whether the fault came in time."""
    mark, work = f"{os.getpid()}-{time.monotonic_ns()}", folder / "trial"
    temporary = _temporary(folder)
    work.mkdir()
    trial = Trial(job, reference, work, moment, chance)
    with _on_own_disk(trial, fault):
        shutil.copytree(reference.folder, work, dirs_exist_ok=True)
        has_old = reference.old is not None and chance.random() < 0.6
        if not has_old:
            _remove(out_of(job, work))
        trial.command = (*job.command, "--force") if has_old else job.command
        before = shared_memory()
        code, said, pids = _disturbed(trial, fault, environment(mark, temporary))
        problems = _problems_of_processes(mark, pids, before)
        while trial.undo:
            trial.undo.pop()()
        if code is None:
            problems.append(f"it did not end within {PATIENCE:g} s")
        if "Traceback" in said:
            problems.append(f"it showed a traceback: {said[-400:]}")
        damage = describe_damage(
            job,
            out_of(job, work),
            reference.old if has_old else None,
            reference.new,
            may_differ=fault == "changed input",
        )
        if damage and not _is_recoverable(trial, has_old):
            problems.append(f"{damage} (exit code {code}: {said.strip()[-200:]})")
        if fault not in CANNOT_CLEAR:
            problems += _leftovers(trial, temporary, kept=".perturbfs-passes")
        problems += _try_again(trial, environment(mark, temporary), temporary)
    _remove(work)
    return problems, trial.is_disturbed


def _is_recoverable(trial: Trial, has_old: bool) -> bool:
    """Return whether a kill fell between the renames, which the next run completes."""
    is_away = not out_of(trial.job, trial.folder).exists()
    return has_old and is_away and any(trial.folder.glob("*.perturbfs-old"))


def _disturbed(trial: Trial, fault: str, env: dict[str, str]) -> tuple[int | None, str, list[int]]:
    """Run a command with a fault; return exit code, standard error and its processes."""
    prefix = WITHOUT_RIGHTS if fault == "no permission" else ()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        trial.process = subprocess.Popen(
            [*prefix, *trial.command],
            cwd=trial.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        with suppress(subprocess.TimeoutExpired):
            trial.process.wait(trial.moment)
        pids = descendants(trial.pid)
        if trial.process.poll() is None:
            trial.is_disturbed = True
            FAULTS[fault](trial)
        code = None
        with suppress(subprocess.TimeoutExpired):
            code = _wait(trial.process)
        if code is None:
            os.killpg(trial.pid, signal.SIGKILL)
            trial.process.wait()
        errors.seek(0)
        return code, errors.read(), pids


def _wait(process: subprocess.Popen[str]) -> int:
    if process.stdout is not None and not process.stdout.closed:
        process.communicate(timeout=PATIENCE)
    return process.wait(timeout=PATIENCE)


def _problems_of_processes(mark: str, pids: list[int], before: set[str]) -> list[str]:
    """Return what a command left in the memory of the machine, after some seconds of grace."""
    end = time.monotonic() + GRACE
    while True:
        left = processes_with("PERTURBFS_TRIAL", mark)
        marks = [f"{sign}{pid}{sign}" for pid in pids for sign in "-_"]
        shared = [name for name in shared_memory() - before if any(each in name for each in marks)]
        if (not left and not shared) or time.monotonic() > end:
            break
        time.sleep(0.05)
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    problems = [f"{len(left)} processes are left"] if left else []
    return problems + ([f"{shared} are left in shared memory"] if shared else [])


def _leftovers(trial: Trial, temporary: Path, *, kept: str = "") -> list[str]:
    """Return the files that are neither input nor result."""
    out = out_of(trial.job, trial.folder).name
    known = {out, f"{out}{kept}", *(each.name for each in trial.reference.folder.iterdir())}
    left = {each.name for each in trial.folder.iterdir()} - known
    left |= {f"TMPDIR/{each.name}" for each in temporary.iterdir()} - {"TMPDIR/cache"}
    return [f"files are left: {sorted(left)}"] if left else []


def _try_again(trial: Trial, env: dict[str, str], temporary: Path) -> list[str]:
    """Run the command as a user would after the fault, and compare the result."""
    job, place = trial.job, out_of(trial.job, trial.folder)
    has_notes = (place / NOTES).exists() or any(trial.folder.glob(f".*.perturbfs-*/{NOTES}"))
    if job.name == "convert":
        _remove(place)
    code, said = run((*job.command, *job.again), trial.folder, env)
    if code:
        return [f"the next run failed: {said[-400:]}"]
    problems = _leftovers(trial, temporary)
    if has_notes and not (place / NOTES).exists():
        problems.append("a file of the user is lost")
    if "--force" in trial.command and not has_notes:
        problems.append("a file of the user was lost by the fault")
    if not job.has_timings and contents(place) != trial.reference.new:
        problems.append("the result of the next run differs from that of an undisturbed run")
    return problems


@contextmanager
def _on_own_disk(trial: Trial, fault: str) -> Iterator[None]:
    """Put the folder of a trial on a small disk in memory, where the fault needs one."""
    if fault not in ("full disk", "read-only disk"):
        yield
        return
    _mount("-t", "tmpfs", "-o", "size=64m", "tmpfs", str(trial.folder))
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", trial.folder], check=True)


def _fill_disk(trial: Trial) -> None:
    """Leave little or no room, so that the disk is full now or in the middle of a file."""
    free = shutil.disk_usage(trial.folder).free - trial.chance.randrange(0, 200_000)
    filler = trial.folder / "filler"
    with suppress(OSError), filler.open("wb") as file:
        for _ in range(0, max(free, 0), 65536):
            file.write(bytes(65536))
    trial.undo.append(filler.unlink)


def _make_read_only(trial: Trial) -> None:
    trial.is_disturbed = False
    with suppress(subprocess.CalledProcessError):  # a file is open for writing just now
        _mount("-o", "remount,ro", str(trial.folder))
        trial.is_disturbed = True
        trial.undo.append(lambda: _mount("-o", "remount,rw", str(trial.folder)))


def _forbid(trial: Trial) -> None:
    trial.folder.chmod(0o555)
    trial.undo.append(lambda: trial.folder.chmod(0o755))


def _close_pipe(trial: Trial) -> None:
    assert trial.process is not None
    assert trial.process.stdout is not None
    trial.process.stdout.close()


def _change_input(trial: Trial) -> None:
    """Write other values over a file, in place and at the same size."""
    file, original = trial.folder / trial.job.reads, trial.reference.folder / trial.job.reads
    content = file.read_bytes()
    half = len(content) // 2
    with file.open("r+b") as stream:
        stream.seek(half)
        stream.write(content[half:].replace(b"1", b"2"))
    trial.undo.append(lambda: shutil.copy2(original, file))


def _kill_worker(trial: Trial) -> None:
    children = descendants(trial.pid)[1:]
    trial.is_disturbed = bool(children)
    if children:
        with suppress(ProcessLookupError):
            os.kill(trial.chance.choice(children), signal.SIGKILL)


FAULTS: dict[str, Callable[[Trial], object]] = {
    "kill": lambda trial: os.kill(trial.pid, signal.SIGKILL),
    "Ctrl-C": lambda trial: os.killpg(trial.pid, signal.SIGINT),
    "full disk": _fill_disk,
    "read-only disk": _make_read_only,
    "no permission": _forbid,
    "closed pipe": _close_pipe,
    "changed input": _change_input,
    "killed worker": _kill_worker,
}


def _mount(*options: str) -> None:
    subprocess.run(["mount", *options], check=True, stderr=subprocess.DEVNULL)


def _temporary(folder: Path) -> Path:
    """Return an empty folder for temporary files."""
    place = folder / "temporary"
    _remove(place)
    place.mkdir()
    return place


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _succeed(command: tuple[str, ...], folder: Path, env: dict[str, str]) -> None:
    code, said = run(command, folder, env)
    if code:
        sys.exit(f"An undisturbed command failed: {said}")


def find_missing() -> dict[str, str]:
    """Return the faults that cannot be had on this machine, and why."""
    reasons = {}
    if not _can_mount():
        reason = "needs the right to mount a disk in memory"
        reasons |= dict.fromkeys(("full disk", "read-only disk"), reason)
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        reasons["no permission"] = "root may do everything, and there is no setpriv"
    return reasons


def _can_mount() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)
        except (OSError, subprocess.CalledProcessError):
            return False
        subprocess.run(["umount", folder], check=True)
    return True


RIGHTS = "-dac_override,-dac_read_search"
IS_ROOT = os.geteuid() == 0
WITHOUT_RIGHTS = ("setpriv", f"--bounding-set={RIGHTS}", f"--inh-caps={RIGHTS}") * IS_ROOT
MISSING = find_missing()


if __name__ == "__main__":
    for fault, reason in MISSING.items():
        print(f"left out: {fault} ({reason})")
    main()
