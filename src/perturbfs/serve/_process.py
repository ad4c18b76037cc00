"""A child process that reports progress and can be killed with its own children."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

OUT_OF_MEMORY = (
    "The process was killed from outside, most likely because this machine ran out of memory. "
    "Try a smaller table, or a machine with more memory."
)


class Child:
    """One run of `perturbfs.cli._child`.

    Parameters
    ----------
    request : dict
        The task, as the child process expects it.
    folder : Path
        Its working directory; paths in messages are relative to it.
    """

    def __init__(self, request: dict[str, Any], folder: Path) -> None:
        self.forgotten = threading.Event()  # set when its job has been updated after the end
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        # -P: files in the folder are never imported as modules.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "perturbfs.cli._child"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "1000"},
        )
        with suppress(BrokenPipeError):  # the process has ended already; `finish` reports why
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """Number of the process and of its process group."""
        return self._process.pid

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the events that it reports until it ends."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield json.loads(line)

    def stop(self) -> None:
        """Kill it and all its child processes at once: it has nothing to save."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    def finish(self) -> tuple[str | None, list[str]]:
        """Wait until it ends, and return its error, or None, and its notes."""
        code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", errors="replace")
        self._errors.close()
        return read_messages(code, said)


def read_messages(code: int, said: str) -> tuple[str | None, list[str]]:
    r"""Return the error and the notes that a command wrote to standard error.

    Parameters
    ----------
    code : int
        Exit code.
    said : str

    Returns
    -------
    error : str or None
        None for a command that succeeded.
    notes : list of str

    Examples
    --------
    >>> read_messages(1, "Note: 3 features are constant.\nError: a.csv is empty.\n")
    ('a.csv is empty.', ['3 features are constant.'])
    """
    before, found, error = f"\n{said}".partition("\nError: ")
    notes = [line.removeprefix("Note: ") for line in before.split("\n") if line[:6] == "Note: "]
    if code == 0:
        return None, notes
    if found:
        return error.strip(), notes
    if code == -getattr(signal, "SIGKILL", 9):
        return OUT_OF_MEMORY, notes
    return said.strip() or f"The process ended with code {code} and without a message.", notes
