"""All jobs of a server: one piece of work at a time, each in its own process."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from ._job import ACTIVE, FINISHED, Job
from ._process import Child
from ._requests import RefusedError
from ._settings import command_of, groups_of, read_settings, target_of
from ._uploads import receive

MAX_JOBS = 10  # files kept at the same time, so that they do not fill the disk


class Jobs:
    """Jobs by their keys, and the thread that works on them.

    Parameters
    ----------
    root : Path
        Folder that gets one subfolder per job.
    n_jobs : int
        Number of processes of a selection.
    """

    def __init__(self, root: Path, *, n_jobs: int = 1) -> None:
        self._root, self._n_jobs = root, n_jobs
        self._jobs: dict[str, Job] = {}
        self._lock = threading.RLock()
        self._is_closed = False
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._selecting = threading.Thread(target=self._work, daemon=True)
        self._selecting.start()

    def all(self) -> list[Job]:
        """Return the jobs, newest first."""
        with self._lock:
            return list(reversed(self._jobs.values()))

    def get(self, key: str) -> Job:
        """Return the job with this key."""
        with self._lock:
            if key not in self._jobs:
                raise RefusedError(404, "There is no such job. It may have been removed.")
            return self._jobs[key]

    def add(self, stream: BinaryIO, length: int, name: str) -> Job:
        """Receive a table, and start a process that outlines it."""
        key = secrets.token_hex(8)
        folder = self._root / key
        with self._lock:
            self._make_room()
            folder.mkdir()
        try:
            table = receive(stream, length, folder, name=name, stem="uploaded-table")
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        job = Job(key, folder, table)
        with self._lock:
            self._jobs[key] = job
        self._look(job)
        return job

    def add_labels(self, job: Job, stream: BinaryIO, length: int, name: str) -> None:
        """Receive a second file that holds the outcome."""
        self._check_idle(job)
        # The earlier file is replaced only when the new one has arrived.
        stem = f"arriving-{secrets.token_hex(4)}"
        arrived = receive(stream, length, job.folder, name=name, stem=stem)
        with self._lock:
            self._check_idle(job)
            if job.labels is not None:
                (job.folder / job.labels.stored).unlink(missing_ok=True)
            job.labels = replace(arrived, stored=arrived.stored.replace(stem, "uploaded-labels"))
            (job.folder / arrived.stored).replace(job.folder / job.labels.stored)
            job.settings = {n: text for n, text in job.settings.items() if n != "target"}
            job.findings, job.checked = [], {}
            job.begin("reading")
        self._look(job)

    def start(self, job: Job, kind: str, form: Any) -> None:
        """Put a selection or a comparison with the settings of a form into the queue.

        Settings for which the data were not checked yet are checked first. New warnings are
        shown before the work starts.

        Parameters
        ----------
        job : Job
        kind : {"select", "evaluate"}
        form : any
            Content of the request.
        """
        settings = read_settings(form)
        with self._lock:
            self._check_idle(job)
            job.settings = settings
            command = self._command(job, kind, settings)
            check = self._command(job, "check", settings)
            job.begin("queued")
        steps = self._checked_steps(job, settings, check, {"command": command})
        self._tasks.put(lambda: self._run(job, ("queued", "running"), steps))

    def _command(self, job: Job, kind: str, settings: dict[str, str]) -> list[str]:
        files: dict[str, Any] = {"labels": job.labels, "outlines": job.outlines}
        target = target_of(settings, **files, folder=job.folder)
        groups = groups_of(settings, **files, folder=job.folder)
        return command_of(kind, settings, job.table, target, groups, n_jobs=self._n_jobs)

    def _checked_steps(
        self, job: Job, settings: dict[str, str], check: list[str], work: dict[str, Any]
    ) -> Iterator[dict[str, Any]]:
        """Yield the request for a check if it is needed, and for the work if nothing is new."""
        if not job.is_checked(settings):
            seen = {each["message"] for each in job.findings}
            job.begin_check(settings)
            yield {"check": check}
            warnings = [each for each in job.findings if each["severity"] == "warning"]
            job.is_held = any(each["message"] not in seen for each in warnings)
        if not job.is_held:
            yield work

    def cancel(self, job: Job) -> None:
        """Stop a job and keep its file, so that it can be started again."""
        with self._lock:
            if job.state in ACTIVE:
                job.state, job.ended = "cancelled", time.monotonic()
            child = job.child
        if child is not None:
            child.stop()
            child.forgotten.wait()

    def remove(self, job: Job) -> None:
        """Stop a job and remove its files."""
        self.cancel(job)
        with self._lock:
            self._jobs.pop(job.key, None)
            shutil.rmtree(job.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop and remove all jobs."""
        self._is_closed = True
        for job in self.all():
            self.remove(job)
        self._tasks.put(None)
        self._selecting.join()

    def _check_idle(self, job: Job) -> None:
        if job.state in ACTIVE or job.child is not None:
            raise RefusedError(409, f"The job is {job.state}. Wait until it ends, or cancel it.")

    def _make_room(self) -> None:
        """Remove the job that finished first if too many files are kept."""
        n_kept = sum(path.is_dir() for path in self._root.iterdir())
        if n_kept < MAX_JOBS and not self._is_closed:
            return
        finished = [j for j in self._jobs.values() if j.state in FINISHED and j.child is None]
        if self._is_closed or not finished:
            raise RefusedError(
                429,
                f"At most {MAX_JOBS} files are kept, and the work on none of them has ended. "
                "Remove one of them first.",
            )
        self.remove(min(finished, key=lambda job: job.ended))

    def _look(self, job: Job) -> None:
        """Outline the files of a job at once, because it takes only seconds, and check them."""
        args = (job, ("reading", "reading"), self._first_steps(job))
        threading.Thread(target=self._run, args=args, daemon=True).start()

    def _first_steps(self, job: Job) -> Iterator[dict[str, Any]]:
        yield {"outline": list(job.shown_names)}
        settings = job.form
        if settings["target"] not in ("", "typed"):
            with suppress(RefusedError):  # earlier settings may not fit a new second file
                command = self._command(job, "check", settings)
                job.begin_check(settings)
                yield {"check": command}

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

    def _run(self, job: Job, states: tuple[str, str], steps: Iterator[dict[str, Any]]) -> None:
        """Run child processes one after another until they end or the job is cancelled.

        `states` are the states of the job before and while they run.
        """
        before, running = states
        after = "ready"
        with self._lock:
            if job.state != before or self._is_closed:
                return
            job.state, job.started = running, time.monotonic()
        for request in steps:
            if not self._run_one(job, running, request):
                return
            after = "done" if "command" in request else "ready"
        with self._lock:
            if job.state == running:
                job.state, job.ended = after, time.monotonic()

    def _run_one(self, job: Job, running: str, request: dict[str, Any]) -> bool:
        """Run a child process, and return whether the job goes on."""
        with self._lock:
            if job.state != running or self._is_closed:
                return False
            verb = "Checking" if "check" in request else "Reading"
            job.doing = f"{verb} {job.table.shown}"
            try:
                child = job.child = Child({**request, "names": job.shown_names}, job.folder)
            except OSError as error:
                job.state, job.error = "failed", f"No process could be started: {error.strerror}."
                return False
        for event in child.events():
            with self._lock:
                job.hear(event)
        failure, notes = child.finish()
        with self._lock:
            job.child = None
            if "check" in request:
                if failure:  # the work itself will say why the table cannot be used
                    job.findings, job.checked = [], {}
            elif job.state == running:
                job.notes = [job.with_shown_names(note) for note in notes]
                job.error = job.with_shown_names(failure or "")
                job.state = "failed" if failure else running
            if job.state != running:  # a killed process may have left a part
                job.ended = time.monotonic()
                job.remove_results()
        child.forgotten.set()
        return job.state == running
