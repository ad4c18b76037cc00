"""`perturbfs serve`: serve a page on this machine until Ctrl-C."""

from __future__ import annotations

import signal
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from perturbfs._support.scratch import scratch_folder
from perturbfs.serve._requests import MEGABYTE
from perturbfs.serve._server import HOST, PageServer

from ._command import WrongUseError
from ._console import Terminal


def run_serve(terminal: Terminal, *, port: int, max_size: int, browser: bool, jobs: int) -> None:
    """Serve the page until the process is asked to end, then remove all files.

    Parameters
    ----------
    terminal : Terminal
    port : int
        0 takes a free one.
    max_size : int
        Largest file, in megabytes.
    browser : bool
        Whether to open the page in the browser.
    jobs : int
        Number of processes of a selection.
    """
    options = {"max_size": max_size * MEGABYTE, "n_jobs": jobs}
    with _stopped_by_signals(port, **options) as server:
        terminal.say("The page is only for you, and no data leave this machine. Open")
        # On one line, so that it can be clicked or copied.
        terminal.console.print(server.address, soft_wrap=True, markup=False)
        terminal.say(
            "Ctrl-C stops the server and removes all uploaded files and results. "
            "Download first what you need."
        )
        if browser:
            webbrowser.open(server.address_for_browser())
        server.run()
    terminal.say("\nStopped. All uploaded files and their results were removed.")


@contextmanager
def _stopped_by_signals(port: int, **options: Any) -> Iterator[PageServer]:
    """Yield a server that Ctrl-C, SIGTERM or the end of the terminal stops; remove its files."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    try:
        with scratch_folder("perturbfs-serve-") as folder:
            server = _open_server(folder, port, **options)
            for name in names:
                signal.signal(getattr(signal, name), server.stop)
            yield server
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _open_server(folder: Path, port: int, **options: Any) -> PageServer:
    try:
        return PageServer(folder, port=port, **options)
    except OSError as error:
        raise WrongUseError(
            f"--port got {port}, but {HOST}:{port} cannot be used: {error.strerror}. Pass another "
            "port, or leave --port out to use a free one."
        ) from error
