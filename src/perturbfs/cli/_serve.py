"""`perturbfs serve`: a page on this machine, until Ctrl-C."""

from __future__ import annotations

import signal
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from perturbfs.serve._requests import MEGABYTE
from perturbfs.serve._server import HOST, PageServer

from ._console import Terminal, WrongUseError


def run_serve(terminal: Terminal, *, port: int, max_size: int, browser: bool, jobs: int) -> None:
    """Serve the page until the process is asked to end, then remove everything.

    Parameters
    ----------
    terminal : Terminal
    port : int
        0 for a free one.
    max_size : int
        Megabytes that a file may have.
    browser : bool
        Whether to open one.
    jobs : int
        Processes that a selection may use.
    """
    with (
        _ended_by_signals(),
        tempfile.TemporaryDirectory(prefix="perturbfs-serve-") as folder,
        _open_server(Path(folder), port=port, max_size=max_size * MEGABYTE, n_jobs=jobs) as server,
    ):
        terminal.say("The page is for you alone; nothing leaves this machine. Open")
        # Never cut into lines: it is meant to be clicked or copied.
        terminal.console.print(server.address, soft_wrap=True, markup=False)
        terminal.say("Ctrl-C ends it and removes files and results that were not downloaded.")
        if browser:
            webbrowser.open(server.address_for_browser())
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            terminal.say("\nStopped. All uploaded files and their results were removed.")


def _open_server(folder: Path, *, port: int, **options: Any) -> PageServer:
    try:
        return PageServer(folder, port=port, **options)
    except OSError as error:
        raise WrongUseError(
            f"--port got {port}, but {HOST}:{port} cannot be used: {error.strerror}. Pass another "
            "one, or none to take one that is free."
        ) from error


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let a closed terminal and a polite kill end the server as Ctrl-C does."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
