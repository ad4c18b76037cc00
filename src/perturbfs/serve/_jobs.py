"""All jobs of a server: one selection at a time, each in its own process."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from ._job import ACTIVE, Job
from ._process import Child
from ._requests import RefusedError
from ._settings import read_settings, select_command, target_of
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
            n_kept = sum(path.is_dir() for path in self._root.iterdir())
            if self._is_closed or n_kept >= MAX_JOBS:
                raise RefusedError(
                    429,
                    f"At most {MAX_JOBS} files are kept. Remove one of them first.",
                )
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
            job.settings = {**job.settings, "target": "labels"}
            job.begin("reading")
        self._look(job)

    def select(self, job: Job, form: Any) -> None:
        """Put a selection with the settings of a form into the queue."""
        settings = read_settings(form)
        with self._lock:
            self._check_idle(job)
            job.settings = settings
            target = target_of(settings, job.labels, job.outlines, folder=job.folder)
            command = select_command(settings, job.table, target, n_jobs=self._n_jobs)
            job.begin("queued")
        states = ("queued", "running", "done")
        self._tasks.put(lambda: self._run(job, states, {"command": command}))

    def cancel(self, job: Job) -> None:
        """Stop a job and keep its file, so that it can be started again."""
        with self._lock:
            if job.state in ACTIVE:
                job.state = "cancelled"
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

    def _look(self, job: Job) -> None:
        """Outline the files of a job at once, because it takes only seconds."""
        names = [upload.stored for upload in (job.table, job.labels) if upload is not None]
        args = (job, ("reading", "reading", "ready"), {"outline": names})
        threading.Thread(target=self._run, args=args, daemon=True).start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

    def _run(self, job: Job, states: tuple[str, str, str], request: dict[str, Any]) -> None:
        """Run a child process until it ends or the job is cancelled.

        `states` are the states of the job before, while and after it runs.
        """
        before, running, after = states
        with self._lock:
            if job.state != before or self._is_closed:
                return
            job.state, job.started = running, time.monotonic()
            job.doing = f"Reading {job.table.shown}"
            try:
                child = job.child = Child(request, job.folder)
            except OSError as error:
                job.state, job.error = "failed", f"No process could be started: {error.strerror}."
                return
        for event in child.events():
            with self._lock:
                job.hear(event)
        failure, notes = child.finish()
        with self._lock:
            job.child = None
            if job.state == running:
                job.notes = [job.with_shown_names(note) for note in notes]
                job.error = job.with_shown_names(failure or "")
                job.state = "failed" if failure else after
            if job.state != after:  # a killed process may have left a part
                job.remove_results()
        child.forgotten.set()
