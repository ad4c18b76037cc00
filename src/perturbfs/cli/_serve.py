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
    with (
        _ended_by_signals(),
        scratch_folder("perturbfs-serve-") as folder,
        _open_server(folder, port=port, max_size=max_size * MEGABYTE, n_jobs=jobs) as server,
    ):
        terminal.say("The page is only for you, and no data leave this machine. Open")
        # On one line, so that it can be clicked or copied.
        terminal.console.print(server.address, soft_wrap=True, markup=False)
        terminal.say(
            "Ctrl-C stops the server and removes all uploaded files and results. "
            "Download first what you need."
        )
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
            "port, or leave --port out to use a free one."
        ) from error


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End the server as by Ctrl-C when its terminal is closed or it gets SIGTERM."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt
