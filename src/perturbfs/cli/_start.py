"""Ctrl-C while the command line is imported."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C end the process at once, with a sentence, as long as nothing was begun.

    A library whose import is interrupted may raise any error, or none.
    """
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        before = signal.signal(signal.SIGINT, _stop) if is_usual else None
    except ValueError:  # not in the main thread, which gets no signals
        before = None
    yield
    if before is not None:
        signal.signal(signal.SIGINT, before)


def _stop(*_: Any) -> None:
    os.write(2, b"Stopped. Nothing was written.\n")
    os._exit(130)
