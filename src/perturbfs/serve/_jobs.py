"""All jobs of a server: one selection at a time, each in its own process."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
import traceback
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ._job import FINISHED, Job
from ._process import ChildError, run_child
from ._requests import FAULT, Pieces, RefusedError
from ._settings import columns_of, command_of, read_settings, target_of
from ._uploads import receive, refused_by_disk

MAX_JOBS = 10  # files kept at the same time, so that they do not fill the disk


class Jobs:
    """Jobs by their keys; all methods run in the event loop of the server.

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
        self._turn = asyncio.Lock()  # held by the selection that runs

    def all(self) -> list[Job]:
        """Return the jobs, newest first."""
        return list(reversed(self._jobs.values()))

    def get(self, key: str) -> Job:
        """Return the job with this key."""
        if key not in self._jobs:
            raise RefusedError(404, "There is no such job. It may have been removed.")
        return self._jobs[key]

    async def add(self, pieces: Pieces, length: int, name: str) -> Job:
        """Receive a table, and start a process that outlines it."""
        key = secrets.token_hex(8)
        folder = self._root / key
        await self._make_room()
        try:
            with refused_by_disk(name):
                folder.mkdir()
            table = await receive(pieces, length, folder, name=name, stem="uploaded-table")
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        job = self._jobs[key] = Job(key, folder, table)
        self._begin(job, "reading", self._look(job))
        return job

    async def add_labels(self, job: Job, pieces: Pieces, length: int, name: str) -> None:
        """Receive a second file that holds the outcome."""
        self._check_idle(job)
        # The earlier file is replaced only when the new one has arrived.
        stem = f"arriving-{secrets.token_hex(4)}"
        arrived = await receive(pieces, length, job.folder, name=name, stem=stem)
        try:
            self.get(job.key)
            self._check_idle(job)
        except RefusedError:
            (job.folder / arrived.stored).unlink(missing_ok=True)
            raise
        if job.labels is not None:
            (job.folder / job.labels.stored).unlink(missing_ok=True)
        job.labels = replace(arrived, stored=arrived.stored.replace(stem, "uploaded-labels"))
        (job.folder / arrived.stored).replace(job.folder / job.labels.stored)
        job.settings = {n: text for n, text in job.settings.items() if n != "target"}
        job.findings, job.checked = [], {}
        self._begin(job, "reading", self._look(job))

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
        self._check_idle(job)
        job.settings = settings
        command = self._command(job, kind, settings)
        check = self._command(job, "check", settings)
        self._begin(job, "queued", self._select(job, settings, check, command))

    def _command(self, job: Job, kind: str, settings: dict[str, str]) -> list[str]:
        files: dict[str, Any] = {"labels": job.labels, "outlines": job.outlines}
        target = target_of(settings, **files, folder=job.folder)
        columns = columns_of(settings, **files, folder=job.folder)
        return command_of(kind, settings, job.table, target, columns, n_jobs=self._n_jobs)

    async def cancel(self, job: Job) -> None:
        """Stop a job and keep its file, so that it can be started again."""
        if job.task is not None and not job.task.done():
            if not job.task.cancelling():
                job.task.cancel()
            await asyncio.wait([job.task])

    async def remove(self, job: Job) -> None:
        """Stop a job and remove its files."""
        self._jobs.pop(job.key, None)
        await self.cancel(job)
        shutil.rmtree(job.folder, ignore_errors=True)

    async def close(self) -> None:
        """Stop and remove all jobs."""
        await asyncio.gather(*map(self.remove, self.all()))

    def _check_idle(self, job: Job) -> None:
        if job.task is not None and not job.task.done():
            raise RefusedError(409, f"The job is {job.state}. Wait until it ends, or cancel it.")

    async def _make_room(self) -> None:
        """Remove the job that finished first if too many files are kept."""
        if sum(path.is_dir() for path in self._root.iterdir()) < MAX_JOBS:
            return
        finished = [job for job in self._jobs.values() if job.state in FINISHED]
        if not finished:
            raise RefusedError(
                429,
                f"At most {MAX_JOBS} files are kept, and the work on none of them has ended. "
                "Remove one of them first.",
            )
        await self.remove(min(finished, key=lambda job: job.ended))

    def _begin(self, job: Job, state: str, work: Coroutine[Any, Any, None]) -> None:
        job.begin(state)
        job.task = asyncio.create_task(self._watch(job, work))

    async def _watch(self, job: Job, work: Coroutine[Any, Any, None]) -> None:
        """Do the work of a job; whatever happens, the job gets a state in which it can go on."""
        try:
            await work
        except asyncio.CancelledError:
            job.state = "cancelled"
        except ChildError as failed:
            job.state, job.error = "failed", job.with_shown_names(str(failed))
        except OSError as error:
            job.state, job.error = "failed", f"No process could be started: {error.strerror}."
        except Exception:
            traceback.print_exc()
            job.state, job.error = "failed", FAULT
        finally:
            work.close()  # it never ran if the job was cancelled at once
            job.ended = time.monotonic()
            if job.state != "done":  # a killed process may have left a part
                job.remove_results()

    async def _look(self, job: Job) -> None:
        """Outline the files of a job at once, because it takes only seconds, and check them."""
        await self._run(job, {"outline": list(job.shown_names)})
        settings = job.form
        if settings["target"] not in ("", "typed"):
            with suppress(RefusedError):  # earlier settings may not fit a new second file
                await self._check(job, settings, self._command(job, "check", settings))
        job.state = "ready"

    async def _select(
        self, job: Job, settings: dict[str, str], check: list[str], command: list[str]
    ) -> None:
        """Check the data if it is needed, and select if nothing new was found."""
        async with self._turn:
            job.state, job.started = "running", time.monotonic()
            if not job.is_checked(settings):
                seen = {each["message"] for each in job.findings}
                await self._check(job, settings, check)
                warnings = [each for each in job.findings if each["severity"] == "warning"]
                job.is_held = any(each["message"] not in seen for each in warnings)
            if not job.is_held:
                await self._run(job, {"command": command})
            job.state = "ready" if job.is_held else "done"

    async def _check(self, job: Job, settings: dict[str, str], command: list[str]) -> None:
        job.begin_check(settings)
        try:
            await self._run(job, {"check": command})
        except ChildError:  # the work itself will say why the table cannot be used
            job.findings, job.checked = [], {}

    async def _run(self, job: Job, request: dict[str, Any]) -> None:
        """Run a child process of a job to its end."""
        verb = "Checking" if "check" in request else "Reading"
        job.doing = f"{verb} {job.table.shown}"
        try:
            notes = await run_child({**request, "names": job.shown_names}, job.folder, job.hear)
        finally:
            job.pid = None
        if "check" not in request:
            job.notes = [job.with_shown_names(note) for note in notes]
