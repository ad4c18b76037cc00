"""The command line: parse, call, print."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._app import app

__all__ = ["app"]


def __getattr__(name: str) -> Any:
    """Import the application when it is asked for; until then Ctrl-C ends the process at once.

    A library whose import is interrupted may raise any error, or none.
    """
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        before = signal.signal(signal.SIGINT, _stop) if is_usual else None
    except ValueError:  # not in the main thread, which gets no signals
        before = None
    from ._app import app

    if before is not None:
        signal.signal(signal.SIGINT, before)
    return app


def _stop(*_: Any) -> None:
    os.write(2, b"Stopped. Nothing was written.\n")
    os._exit(130)
