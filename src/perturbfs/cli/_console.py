"""Print results and progress on the terminal of a command."""

from __future__ import annotations

import sys
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
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

Listener = Callable[[dict[str, Any]], None]
_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Report the progress of a command to a function, whether or not there is a terminal.

    Parameters
    ----------
    listener : callable
        Gets ``{"doing": text}``, ``{"bars": {name: total}}`` and ``{"advance": name}``.
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
        """Show the text with a spinner, on terminals only, until the block ends."""
        _tell(doing=text)
        if self.quiet or not self.errors.is_terminal:
            yield
        else:
            with self.errors.status(escape(text)):
                yield

    @contextmanager
    def progress(self, **totals: int) -> Iterator[list[Callable[[], None]]]:
        """Show a bar with the remaining time for each task, on terminals only.

        Yields
        ------
        functions : list of callable
            One per task; each advances its bar by one.
        """
        _tell(bars=totals)
        with self._count_bars() as bars:

            def advance(name: str) -> None:
                _tell(advance=name)
                bars.advance(tasks[name])

            tasks = {name: bars.add_task(name, total=total) for name, total in totals.items()}
            yield [partial(advance, name) for name in tasks]

    @contextmanager
    def counting(self, name: str) -> Iterator[tuple[Callable[[int], None], Callable[[], None]]]:
        """Show a bar whose length is not known yet.

        Yields
        ------
        set_total : callable
        advance : callable
        """
        with self._count_bars() as bars:
            task = bars.add_task(name, total=None)
            yield lambda total: bars.update(task, total=total), partial(bars.advance, task)

    def _count_bars(self) -> Progress:
        return self.bars(
            MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()
        )

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
