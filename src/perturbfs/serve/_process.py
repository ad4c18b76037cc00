"""A child process that reports progress and is ended with all processes it started."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST_EVENT = 1 << 26  # bytes; the outline of a file holds all its names
LONGEST_MESSAGE = 1 << 20  # bytes of a pipe that are kept, the last ones
SECONDS_TO_EXIT = 10.0  # for a process that has reported everything
SECONDS_TO_CLEAN = 5.0  # for joblib, which then removes its semaphores and folders
KILLED = -getattr(signal, "SIGKILL", 9)
OUT_OF_MEMORY = (
    "The process was killed from outside, most likely because this machine ran out of memory. "
    "Try a smaller table, or a machine with more memory."
)
TOO_LONG = (
    f"The names in the file take more than {LONGEST_EVENT:,} characters, which is too long for "
    "this page. Use perturbfs select, which has no limit."
)


class ChildError(Exception):
    """A child process failed; the message is what it said."""


async def run_child(
    request: dict[str, Any], folder: Path, hear: Callable[[dict[str, Any]], None]
) -> list[str]:
    """Run `perturbfs.cli._child` to its end, and return its notes.

    Parameters
    ----------
    request : dict
        The task, as the child process expects it.
    folder : Path
        Its working directory; paths in messages are relative to it.
    hear : callable
        Gets ``{"pid": number}`` at the start, then every event that the child reports.

    Returns
    -------
    notes : list of str

    Raises
    ------
    ChildError
        If it failed, with its message.

    Notes
    -----
    Whether it ends by itself, fails or is cancelled: when this function returns, the process,
    all processes that it started and their temporary files are gone.
    """
    temporary = folder / "temporary"
    temporary.mkdir(exist_ok=True)
    try:
        process = await asyncio.create_subprocess_exec(
            # -P: files in the folder are never imported as modules.
            *(sys.executable, "-P", "-m", "perturbfs.cli._child"),
            cwd=folder,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
            limit=LONGEST_EVENT,
            env=_environment(temporary.resolve()),
        )
        said = asyncio.create_task(_read_last(process.stderr))
        try:
            hear({"pid": process.pid})
            await _exchange(process, request, hear)
            await asyncio.wait([said], timeout=SECONDS_TO_EXIT)
        finally:
            code = await _end(process, said)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    error, notes = read_messages(code, said.result() if said.done() else "")
    if error is not None:
        raise ChildError(error)
    return notes


def _environment(temporary: Path) -> dict[str, str]:
    """Return the environment of a child process, which puts its temporary files into a folder."""
    names = ("TMPDIR", "TEMP", "TMP", "JOBLIB_TEMP_FOLDER")
    output = {"PYTHONIOENCODING": "utf-8", "COLUMNS": "1000"}
    return {**os.environ, **output, **dict.fromkeys(names, str(temporary))}


async def _exchange(
    process: Process, request: dict[str, Any], hear: Callable[[dict[str, Any]], None]
) -> None:
    """Send the request, and report every event until standard output is closed."""
    assert process.stdin is not None
    assert process.stdout is not None
    # The child ends itself when standard input is closed, so it stays open.
    process.stdin.write(json.dumps(request).encode() + b"\n")
    with suppress(ConnectionError):  # it has ended already, and its message says why
        await process.stdin.drain()
    try:
        while line := await process.stdout.readline():
            if line.endswith(b"\n"):  # the last line of a killed process may be a part
                hear(json.loads(line))
    except ValueError as error:
        raise ChildError(TOO_LONG) from error


async def _read_last(pipe: asyncio.StreamReader | None) -> str:
    """Read a pipe until all processes that may write to it have ended."""
    assert pipe is not None
    last = b""
    while piece := await pipe.read(1 << 16):
        last = (last + piece)[-LONGEST_MESSAGE:]
    return last.decode("utf-8", errors="replace")


async def _end(process: Process, said: asyncio.Task[str]) -> int:
    """End a process and all that it started, and return its exit code.

    joblib's resource tracker ignores SIGTERM: it removes semaphores and folders in shared memory
    when all others have ended, then it ends itself. All of them hold standard error open.
    """
    rest = asyncio.create_task(_read_last(process.stdout))  # else the pipe stays open
    for name in ("SIGTERM", "SIGKILL"):
        if said.done():
            break
        _signal_group(process, getattr(signal, name, signal.SIGTERM))
        await asyncio.wait([said], timeout=SECONDS_TO_CLEAN)
    with suppress(TimeoutError):  # a process outside the group may hold the pipes open
        await asyncio.wait_for(asyncio.gather(rest, process.wait()), SECONDS_TO_CLEAN)
    return KILLED if process.returncode is None else process.returncode


def _signal_group(process: Process, number: int) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, number)
        else:
            process.kill()


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
    if code == KILLED:
        return OUT_OF_MEMORY, notes
    return said.strip() or f"The process ended with code {code} and without a message.", notes
