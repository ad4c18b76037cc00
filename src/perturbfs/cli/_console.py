"""Where the command line writes, how it shows progress, and how it fails."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

Listener = Callable[[dict[str, Any]], None]
_listener: ContextVar[Listener | None] = ContextVar("_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a program that runs a command how far the command is, whatever terminals see.

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

    With `json` everything but the result goes to standard error; with `quiet` nothing but
    errors and the result is shown.
    """

    json: bool = False
    quiet: bool = False
    errors: Console = field(default_factory=lambda: Console(stderr=True, highlight=False))

    @property
    def console(self) -> Console:
        """Where people read: standard output, or standard error beside JSON."""
        return Console(stderr=self.json, quiet=self.quiet, highlight=False, soft_wrap=False)

    def say(self, text: str) -> None:
        """Print plain text; brackets in it are no markup."""
        self.console.print(text, markup=False)

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """A moving sign beside the text, on terminals only, while something takes its time."""
        _tell(doing=text)
        if self.quiet or not self.errors.is_terminal:
            yield
        else:
            with self.errors.status(escape(text)):
                yield

    @contextmanager
    def progress(self, **totals: int) -> Iterator[list[Callable[[], None]]]:
        """A bar with the remaining time for each task, on terminals only.

        Yields what advances each bar.
        """
        _tell(bars=totals)
        with self._bars() as bars:
            tasks = {name: bars.add_task(name, total=total) for name, total in totals.items()}
            yield [partial(_advance, bars, name, task) for name, task in tasks.items()]

    @contextmanager
    def counting(self, name: str) -> Iterator[tuple[Callable[[int], None], Callable[[], None]]]:
        """A bar whose length is known only later: what sets it, and what advances the bar."""
        with self._bars() as bars:
            task = bars.add_task(name, total=None)
            yield lambda total: bars.update(task, total=total), partial(bars.advance, task)

    def _bars(self) -> Progress:
        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.errors,
            transient=True,
            disable=self.quiet or not self.errors.is_terminal,
        )


def _advance(bars: Progress, name: str, task: TaskID) -> None:
    _tell(advance=name)
    bars.advance(task)


def with_progress(advance: Callable[[], None]) -> Callable[[Any], Any]:
    """What attaches a bar to a selector, one step a run, where scikit-learn has callbacks."""

    def attach(selector: Any) -> Any:
        if hasattr(selector, "set_callbacks"):
            selector.set_callbacks(_RunProgress(advance))
        return selector

    return attach


class _RunProgress:
    """scikit-learn callback that advances a bar with every run of a selector."""

    def __init__(self, advance: Callable[[], None]) -> None:
        self.advance = advance

    def setup(self, estimator: Any, context: Any) -> None:
        """Nothing to prepare."""

    def on_fit_task_begin(self, estimator: Any, context: Any) -> None:
        """Nothing to show yet."""

    def on_fit_task_end(self, estimator: Any, context: Any) -> None:  # noqa: ARG002
        """Advance at the end of a run."""
        if context.task_name == "run":
            self.advance()

    def teardown(self, estimator: Any, context: Any) -> None:
        """Nothing to clear."""


class WrongUseError(Exception):
    """The command was called in a way it does not allow: exit code 2."""


def print_utf8(text: str) -> None:
    """Results for programs are UTF-8, whatever the terminal speaks."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def _tolerate_any_encoding() -> None:
    """Show a question mark where the terminal has no such letter, and go on."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def guarded(command: Callable[..., None]) -> Callable[..., None]:
    """Turn errors into a sentence and an exit code; with ``--debug`` let them through."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        debug = kwargs.pop("debug", False)
        _tolerate_any_encoding()
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                command(*args, **kwargs)
        except (typer.Exit, typer.BadParameter):
            raise
        except KeyboardInterrupt as error:
            if debug:
                raise
            _fail(str(error) or "Stopped. Nothing was written.", 130)
        except WrongUseError as error:
            _fail(f"Error: {error}", 2)
        except Exception as error:
            if debug:
                raise
            _fail(_describe(error), 1)

    return run


def _describe(error: Exception) -> str:
    if isinstance(error, (ValueError, OSError, ImportError, TypeError)):
        return f"Error: {error}"
    kind = type(error).__name__
    return f"Error: {kind}: {error}. This looks like a fault of perturbfs; --debug shows where."


def _fail(message: str, code: int) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(code)


def _show_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    kind = "Note" if issubclass(category, UserWarning) else category.__name__
    print(f"{kind}: {message}", file=sys.stderr)
