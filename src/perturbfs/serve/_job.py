"""A job: an uploaded table, and the state and progress of the work on it."""

from __future__ import annotations

import asyncio
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perturbfs._support.pace import Work

from ._offers import Offer, likely_outcome, offered_outcomes
from ._settings import CHECKED, DEFAULTS, RESULT
from ._uploads import Upload

# reading → ready → queued → running → done; failed and cancelled jobs can be started again.
ACTIVE = ("reading", "queued", "running")
FINISHED = ("done", "failed", "cancelled")
# Sentences for the bars of `perturbfs select` and `perturbfs evaluate`.
PARTS = {
    "selecting": "Selecting features",
    "estimating": "Estimating how well they predict",
    "splits": "Comparing the methods",
}


@dataclass
class Job:
    """An uploaded table and the work on it."""

    key: str
    folder: Path
    table: Upload
    labels: Upload | None = None
    state: str = "reading"
    outlines: list[dict[str, Any]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    doing: str = ""
    work: Work | None = None
    findings: list[dict[str, Any]] = field(default_factory=list)
    checked: dict[str, str] = field(default_factory=dict)  # settings that the findings are for
    is_held: bool = False  # whether new findings kept the work from starting
    error: str = ""
    notes: list[str] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    pid: int | None = None  # of the process that is at work, and of its group
    started: float | None = None
    ended: float = 0.0

    @property
    def result(self) -> Path:
        """Folder that `perturbfs select` or `perturbfs evaluate` writes."""
        return self.folder / RESULT

    @property
    def offers(self) -> list[Offer]:
        """The outcomes that the form offers."""
        name = None if self.labels is None else self.labels.shown
        return offered_outcomes(self.outlines, name)

    @property
    def form(self) -> dict[str, str]:
        """Values of the form: the last ones, and before these the likely outcome."""
        target = likely_outcome(self.offers) if self.outlines else "typed"
        return {**DEFAULTS, "target": target, **self.settings}

    @property
    def shown_names(self) -> dict[str, str]:
        """Names of the files as the user gave them, by their names in the folder."""
        uploads = [upload for upload in (self.table, self.labels) if upload is not None]
        return {upload.stored: upload.shown for upload in uploads}

    def is_checked(self, settings: dict[str, str]) -> bool:
        """Return whether the findings are those of some settings."""
        return self.checked == {name: settings[name] for name in CHECKED}

    def begin_check(self, settings: dict[str, str]) -> None:
        """Remember that the next findings are those of some settings."""
        self.checked = {name: settings[name] for name in CHECKED}

    def begin(self, state: str) -> None:
        """Enter a state and remove messages and results of an earlier attempt."""
        self.state, self.error, self.is_held = state, "", False
        self.doing = "Waiting for another file" if state == "queued" else ""
        self.work, self.notes, self.started = None, [], None
        self.remove_results()

    def hear(self, event: dict[str, Any]) -> None:
        """Update the state from an event of the child process."""
        if "pid" in event:
            self.pid = event["pid"]
        elif "outlines" in event:
            self.outlines = event["outlines"]
        elif "findings" in event:
            self.findings = event["findings"]
        elif "doing" in event:
            text = self.with_shown_names(event["doing"])
            self.doing = text[:1].upper() + text[1:]
        elif "bars" in event:
            self.work = Work(event["bars"], at_once=event["at_once"])
            self.doing = self._part(self.work)
        elif "advance" in event and self.work is not None:
            self.work.advance(event["advance"])
            self.doing = self._part(self.work)

    def _part(self, work: Work) -> str:
        """Return a sentence about the part that is being done."""
        current = work.current
        return "Writing the report" if current is None else PARTS.get(current, current)

    def with_shown_names(self, text: str) -> str:
        """Return a message with the file names that the user gave."""
        for stored, shown in self.shown_names.items():
            text = text.replace(stored, shown)
        return text

    def progress(self) -> dict[str, Any]:
        """Return state and progress in plain values, which the page requests regularly."""
        parts = {} if self.work is None else self.work.parts
        bars = [
            {
                "name": name,
                "done": part.done,
                "total": part.total,
                "seconds_left": self.work and self.work.seconds_left(name),
            }
            for name, part in parts.items()
        ]
        return {
            "state": self.state,
            "doing": self.doing,
            "seconds": None if self.started is None else time.monotonic() - self.started,
            "bars": bars,
            "error": self.error,
        }

    def remove_results(self) -> None:
        """Remove the results of a selection, including parts left when it was killed."""
        for path in (self.result, *self.folder.glob(f".{RESULT}.*")):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
