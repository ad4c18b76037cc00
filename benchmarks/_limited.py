"""Call a function in a process of its own, with a limit on its CPU seconds.

Import `_measure` before NumPy, so that the process has one thread.
"""

from __future__ import annotations

import multiprocessing
import resource
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from _measure import cpu_seconds

_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call returned, or why it returned nothing."""

    value: Any = None
    is_stopped: bool = False  # at the limit
    error: str = ""


def call_limited(call: Callable[[], Any]) -> Outcome:
    """Return the outcome of a call; inside it, `limited` sets the limit."""
    receiver, sender = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_answer, args=(sender, call))
    process.start()
    sender.close()
    try:
        outcome: Outcome = receiver.recv()
    except EOFError:
        process.join()
        is_stopped = process.exitcode == -signal.SIGXCPU
        # Anything else, such as too little memory, is not slowness.
        error = "" if is_stopped else f"the process ended with status {process.exitcode}"
        outcome = Outcome(is_stopped=is_stopped, error=error)
    process.join()
    return outcome


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End this process if the block takes more CPU seconds."""
    none = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds() + seconds) + 1, none))
    yield
    resource.setrlimit(resource.RLIMIT_CPU, (none, none))


def _answer(sender: Any, call: Callable[[], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            outcome = Outcome(call())
        except Exception as error:  # a rival may fail in any way; the table says how
            outcome = Outcome(error=f"{type(error).__name__}: {error}"[:150])
    sender.send(outcome)
