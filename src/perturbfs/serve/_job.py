"""A job: an uploaded table, and the state and progress of its selection."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._process import Child
from ._settings import RESULT
from ._uploads import Upload

# reading → ready → queued → running → done; failed and cancelled jobs can be started again.
ACTIVE = ("reading", "queued", "running")
# Sentences for the bars of `perturbfs select`.
PARTS = {
    "selecting": "Selecting features",
    "estimating": "Estimating how well they predict",
}


@dataclass
class Bar:
    """A part of the work, counted in steps."""

    total: int
    done: int = 0
    started: float | None = None
    last: float = 0.0

    def seconds_left(self) -> float | None:
        """Return the remaining time at the pace so far, or None before the first step ends."""
        if self.started is None or not self.done:
            return None
        pace = (self.last - self.started) / self.done
        return max(0.0, pace * self.total - (time.monotonic() - self.started))


@dataclass
class Job:
    """An uploaded table and its selection."""

    key: str
    folder: Path
    table: Upload
    labels: Upload | None = None
    state: str = "reading"
    outlines: list[dict[str, Any]] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    doing: str = ""
    bars: dict[str, Bar] = field(default_factory=dict)
    error: str = ""
    notes: list[str] = field(default_factory=list)
    child: Child | None = None
    started: float | None = None

    @property
    def result(self) -> Path:
        """Folder that `perturbfs select` writes."""
        return self.folder / RESULT

    def begin(self, state: str) -> None:
        """Enter a state and remove messages and results of an earlier attempt."""
        self.state, self.error = state, ""
        self.doing = "Waiting for another selection to end" if state == "queued" else ""
        self.bars, self.notes, self.started = {}, [], None
        self.remove_results()

    def hear(self, event: dict[str, Any]) -> None:
        """Update the state from an event of the child process."""
        if "outlines" in event:
            self.outlines = event["outlines"]
        elif "doing" in event:
            text = self.with_shown_names(event["doing"])
            self.doing = text[:1].upper() + text[1:]
        elif "bars" in event:
            self.bars = {name: Bar(total) for name, total in event["bars"].items()}
            self._start_next()
        elif "advance" in event:
            self._advance(event["advance"])
            self._start_next()

    def _advance(self, name: str) -> None:
        for earlier, bar in self.bars.items():
            if earlier == name:
                bar.done, bar.last = bar.done + 1, time.monotonic()
                return
            bar.done = bar.total  # before scikit-learn 1.9 runs are not reported

    def _start_next(self) -> None:
        """Start the clock of the first part that is not complete."""
        for name, bar in self.bars.items():
            if bar.done < bar.total:
                self.doing = PARTS.get(name, name)
                bar.started = time.monotonic() if bar.started is None else bar.started
                return
        self.doing = "Writing the report"

    def with_shown_names(self, text: str) -> str:
        """Return a message with the file names that the user gave."""
        for upload in (self.table, self.labels):
            if upload is not None:
                text = text.replace(upload.stored, upload.shown)
        return text

    def progress(self) -> dict[str, Any]:
        """Return state and progress in plain values, which the page requests regularly."""
        bars = [
            {
                "name": name,
                "done": bar.done,
                "total": bar.total,
                "seconds_left": bar.seconds_left(),
            }
            for name, bar in self.bars.items()
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
            shutil.rmtree(path, ignore_errors=True)
