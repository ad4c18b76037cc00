"""What a job runs in a process of its own: a look at the files, or `perturbfs select`.

The parent writes one line of JSON to standard input and keeps it open; events go back as lines
of JSON on standard output, notes and errors as on the command line on standard error.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from ._app import app
from ._console import guarded, listening


def main() -> None:
    """Do what the line on standard input asks for."""
    request = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    events = os.fdopen(os.dup(1), "w", encoding="ascii")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # nothing else may come between the events

    def tell(event: dict[str, Any]) -> None:
        events.write(json.dumps(event) + "\n")
        events.flush()

    with listening(tell):
        if "outline" in request:
            _outline(request["outline"], tell)
        else:
            app(request["command"])


def _end_with_parent() -> None:
    """A killed server leaves nobody who wants the result, nor anybody who could cancel."""
    while os.read(0, 1):
        pass
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)  # also the processes that --jobs started
    os._exit(1)


def _outline(names: list[str], tell: Any) -> None:
    try:
        guarded(_tell_outlines)(names, tell)
    except typer.Exit as ended:
        sys.exit(ended.exit_code)


def _tell_outlines(names: list[str], tell: Any) -> None:
    from perturbfs.datasets.reading import outline_file

    tell({"outlines": [asdict(outline_file(Path(name))) for name in names]})


if __name__ == "__main__":
    main()
