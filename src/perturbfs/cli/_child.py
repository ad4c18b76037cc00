"""Process of a job of `perturbfs serve`: outline or check its files, or run a command.

The parent process writes one line of JSON to standard input and keeps it open. Progress goes to
standard output as lines of JSON; notes and errors go to standard error as on the command line.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from ._app import app
from ._command import errors_as_sentences
from ._console import listening
from ._shown import showing


def main() -> None:
    """Run the task that standard input names."""
    request = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    events = os.fdopen(os.dup(1), "w", encoding="ascii")
    if hasattr(os, "register_at_fork"):  # the server reads until nobody can write any more
        os.register_at_fork(after_in_child=events.close)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # other output would mix with the events

    def tell(event: dict[str, Any]) -> None:
        events.write(json.dumps(event) + "\n")
        events.flush()

    with listening(tell), showing(request["names"]):
        if "outline" in request:
            _outline(request["outline"], tell)
        elif "check" in request:
            _check(request["check"], tell)
        else:
            app(request["command"])


def _end_with_parent() -> None:
    """End this process when the server ends, because nobody can cancel it any more."""
    while os.read(0, 1):
        pass
    if hasattr(os, "killpg"):
        # Also the processes that --jobs started, except the one that removes their files.
        os.killpg(os.getpgrp(), signal.SIGTERM)
    os._exit(1)


def _outline(names: list[str], tell: Callable[[dict[str, Any]], None]) -> None:
    """Report size, names and possible outcomes of the files."""
    try:
        with errors_as_sentences():
            from perturbfs.datasets.reading import outline_file

            tell({"outlines": [asdict(outline_file(Path(name))) for name in names]})
    except typer.Exit as ended:
        sys.exit(ended.exit_code)


def _check(command: list[str], tell: Callable[[dict[str, Any]], None]) -> None:
    """Report the findings that `perturbfs check --json` prints."""
    content = io.BytesIO()
    said = io.TextIOWrapper(content, encoding="utf-8")
    try:
        with redirect_stdout(said):
            app(command)
    except SystemExit as ended:
        if ended.code:
            raise
    said.flush()
    tell({"findings": json.loads(content.getvalue())["findings"]})


if __name__ == "__main__":
    main()
