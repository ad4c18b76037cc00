"""Print results and progress on the terminal of a command."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table as Grid
from rich.text import Text

from perturbfs._support.pace import Work, describe_progress, readable_time

EVERY = 10.0  # seconds between two lines about the progress where there is no terminal
Listener = Callable[[dict[str, Any]], None]
_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Report the progress of a command to a function, whether or not there is a terminal.

    Parameters
    ----------
    listener : callable
        Gets ``{"doing": text}``, ``{"bars": {name: total}, "at_once": n}`` and
        ``{"advance": name}``.
    """
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def _tell(**event: Any) -> None:
    listener = _listener.get()
    if listener is not None:
        listener(event)


@dataclass
class Terminal:
    """Standard output and standard error of one command.

    With `json` everything but the result goes to standard error. With `quiet` only errors and
    the result are printed.
    """

    json: bool = False
    quiet: bool = False
    errors: Console = field(default_factory=lambda: Console(stderr=True, highlight=False))

    @property
    def console(self) -> Console:
        """Console for people: standard error if JSON is printed, standard output otherwise."""
        return Console(stderr=self.json, quiet=self.quiet, highlight=False, soft_wrap=False)

    def say(self, text: str) -> None:
        """Print plain text; brackets in it are not markup."""
        self.console.print(text, markup=False)

    def show(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print rows of plain text as a table; an empty header is not printed."""
        grid = Grid(*header, show_header=bool(header), box=None, padding=(0, 2, 0, 0))
        for row in rows:
            grid.add_row(*map(escape, row))
        self.console.print(grid)

    def finish(self, result: str, *, where: str) -> None:
        """Print where the work was done, if `where` is not empty, and the result with `json`."""
        if where:
            self.say(where)
        if self.json:
            print_utf8(result)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Show the text with a spinner until the block ends; without a terminal, as lines."""
        _tell(doing=text)
        if self.quiet or not self.errors.is_terminal:
            work = Work({})
            with self._saying(lambda: f"{text}: {readable_time(round(work.seconds()))} so far"):
                yield
        else:
            with self.errors.status(escape(text)):
                yield

    @contextmanager
    def progress(self, *, at_once: int = 1, **totals: int) -> Iterator[list[Callable[[], None]]]:
        """Show the progress and the remaining time of each task.

        Parameters
        ----------
        at_once : int, default=1
            Number of steps that run at the same time.
        **totals : int
            Number of steps of each task.

        Yields
        ------
        functions : list of callable
            One per task; each advances its task by one step.
        """
        _tell(bars=totals, at_once=at_once)
        work = Work(totals, at_once=at_once)
        with self._counting(work) as bars:

            def advance(name: str) -> None:
                _tell(advance=name)
                work.advance(name)
                bars.advance(name)

            yield [partial(advance, name) for name in totals]

    @contextmanager
    def counting(
        self, name: str, *, at_once: int = 1
    ) -> Iterator[tuple[Callable[[int], None], Callable[..., None]]]:
        """Show the progress of a task whose number of steps is not known yet.

        Yields
        ------
        set_total : callable
        advance : callable
            Takes a number of steps, by default 1.
        """
        work = Work({name: None}, at_once=at_once)
        with self._counting(work) as bars:

            def set_total(total: int) -> None:
                work.set_total(name, total)
                bars.set_total(name, total)

            def advance(n_steps: int = 1) -> None:
                work.advance(name, n_steps)
                bars.advance(name, n_steps)

            yield set_total, advance

    @contextmanager
    def _counting(self, work: Work) -> Iterator[_Bars]:
        bars = self.bars(MofNCompleteColumn(), TimeElapsedColumn(), _TimeLeft(work))
        with self._saying(partial(describe_progress, work)), bars:
            yield _Bars(bars, work)

    @contextmanager
    def _saying(self, text: Callable[[], str]) -> Iterator[None]:
        """Print a line every ten seconds to standard error where there is no terminal."""
        if self.quiet or self.errors.is_terminal:
            yield
            return
        ended = threading.Event()

        def say() -> None:
            while not ended.wait(EVERY):
                self.errors.print(text(), markup=False, soft_wrap=True)

        thread = threading.Thread(target=say, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def bars(self, *columns: ProgressColumn) -> Progress:
        """Return bars with these columns after each bar; they are shown on terminals only."""
        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            *columns,
            console=self.errors,
            transient=True,
            disable=self.quiet or not self.errors.is_terminal,
        )


class _TimeLeft(ProgressColumn):
    """Column with the remaining time of each task."""

    def __init__(self, work: Work) -> None:
        super().__init__()
        self.work = work

    def render(self, task: Task) -> Text:
        """Return the remaining time, or nothing as long as it is not known."""
        left = self.work.seconds_left(task.description)
        return Text("" if left is None else f"about {readable_time(left)} left")


class _Bars:
    """Bars by the names of their tasks."""

    def __init__(self, bars: Progress, work: Work) -> None:
        self._bars = bars
        self._tasks = {n: bars.add_task(n, total=part.total) for n, part in work.parts.items()}

    def advance(self, name: str, n_steps: int = 1) -> None:
        """Advance a bar."""
        self._bars.advance(self._tasks[name], n_steps)

    def set_total(self, name: str, total: int) -> None:
        """Set the length of a bar."""
        self._bars.update(self._tasks[name], total=total)


def with_progress(advance: Callable[[], None]) -> Callable[[Any], Any]:
    """Return a function that makes a selector call `advance` after each run.

    It does so where scikit-learn has callbacks, from version 1.9 on.
    """

    def attach(selector: Any) -> Any:
        if hasattr(selector, "set_callbacks"):
            selector.set_callbacks(_RunProgress(advance))
        return selector

    return attach


class _RunProgress:
    """scikit-learn callback that advances a bar after each run of a selector."""

    def __init__(self, advance: Callable[[], None]) -> None:
        self.advance = advance

    def setup(self, estimator: Any, context: Any) -> None:
        """Do nothing before the fit."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """Do nothing when a run begins."""

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:  # noqa: ARG002
        """Advance the bar when a run ends."""
        if context.task_name == "run":
            self.advance()

    def teardown(self, estimator: Any, context: Any) -> None:
        """Do nothing after the fit."""


def print_utf8(text: str) -> None:
    """Print a result for programs as UTF-8, whatever the encoding of the terminal."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
