"""The steps of a piece of work, and the time that is left."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass
class Part:
    """A part of the work, counted in steps."""

    total: int | None  # None until the number is known
    done: int = 0
    started: float | None = None
    last: float = 0.0  # when the last step ended

    @property
    def is_complete(self) -> bool:
        """Whether all steps are done."""
        return self.total is not None and self.done >= self.total


class Work:
    """Parts that are done one after another, and the pace of each.

    Parameters
    ----------
    totals : mapping of str to int or None
        The number of steps of each part.
    at_once : int, default=1
        Number of steps that run at the same time.

    Notes
    -----
    The remaining time of a part is that of its steps so far. Until its first step has ended, a
    step is expected to take as long as the whole part before it: each split of an estimate
    repeats the whole selection.
    """

    def __init__(self, totals: Mapping[str, int | None], *, at_once: int = 1) -> None:
        self.parts = {name: Part(total) for name, total in totals.items()}
        self.at_once = at_once
        self.began = time.monotonic()
        self._start_next()

    @property
    def current(self) -> str | None:
        """Name of the part that is being done, or None after the last."""
        return next((name for name, part in self.parts.items() if not part.is_complete), None)

    def advance(self, name: str, n_steps: int = 1) -> None:
        """Count steps of a part; the parts before it are complete."""
        now = time.monotonic()
        start: float | None = now
        for earlier, part in self.parts.items():
            if earlier == name:
                part.started = start if part.started is None else part.started
                part.done, part.last = part.done + n_steps, now
                break
            if not part.is_complete:  # before scikit-learn 1.9 runs are not reported
                part.done, part.last, start = part.total or 0, now, part.started
        self._start_next()

    def set_total(self, name: str, total: int) -> None:
        """Set the number of steps of a part when it becomes known."""
        self.parts[name].total = total

    def seconds(self) -> float:
        """Return the time since the beginning."""
        return time.monotonic() - self.began

    def seconds_left(self, name: str | None = None) -> float | None:
        """Return the remaining time of one part or of all parts, None if it is not known yet."""
        if name is not None:
            whole, part = self._whole(name), self.parts[name]
            if part.is_complete:
                return 0.0
            elapsed = 0.0 if part.started is None else time.monotonic() - part.started
            return None if whole is None else max(0.0, whole - elapsed)
        lefts = [self.seconds_left(each) for each in self.parts]
        known = [left for left in lefts if left is not None]
        return sum(known) if len(known) == len(lefts) else None

    def _start_next(self) -> None:
        name = self.current
        if name is not None and self.parts[name].started is None:
            self.parts[name].started = time.monotonic()

    def _whole(self, name: str) -> float | None:
        """Return the expected duration of a part from its first step to its last."""
        part = self.parts[name]
        if part.total is None:
            return None
        if part.started is not None and part.done:
            return self._rounds(part.total) * (part.last - part.started) / self._rounds(part.done)
        names = list(self.parts)
        place = names.index(name)
        before = self._whole(names[place - 1]) if place else None
        return None if before is None else self._rounds(part.total) * before

    def _rounds(self, n_steps: int) -> int:
        return math.ceil(n_steps / self.at_once)


def readable_time(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours.

    Examples
    --------
    >>> readable_time(41.3), readable_time(150), readable_time(9000)
    ('42 s', '3 min', '3 h')
    """
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    return f"{math.ceil(seconds / 60)} min" if seconds < 5400 else f"{math.ceil(seconds / 3600)} h"


def describe_progress(work: Work) -> str:
    """Return a line about the part that is being done and the remaining time of all.

    Examples
    --------
    >>> work = Work({"splits": 4})
    >>> describe_progress(work)
    'splits: 0 of 4 done, 0 s so far'
    """
    name = work.current or list(work.parts)[-1]
    part, left = work.parts[name], work.seconds_left()
    count = f"{part.done}" if part.total is None else f"{part.done} of {part.total}"
    remaining = "" if left is None else f", about {readable_time(left)} left"
    return f"{name}: {count} done, {readable_time(round(work.seconds()))} so far{remaining}"
