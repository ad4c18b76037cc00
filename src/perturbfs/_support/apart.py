"""Call a function in a child process, with limits on memory and time.

The libraries that read files are compiled code: a damaged file can crash them, keep them busy for
ever or make them ask for all memory. In a child process that costs an error message. The child
is a Python started for this purpose, not a copy of this process: that works on every system, in
threads, and in scripts and notebooks without ``if __name__ == "__main__"``.

A child that has answered waits some seconds for the next call. It ends when this process ends.
"""

from __future__ import annotations

import atexit
import json
import mmap
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Literal, TypeVar

from .apart_child import IDLE_SECONDS, padded

T = TypeVar("T")
COPIED = 2**25  # bytes of a result that are copied; a larger one is mapped where it is
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from perturbfs._support.apart_child import main; main()"
)
# One thread, and few arenas of malloc: what threads reserve counts as memory of the child.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class ChildFailureError(Exception):
    """A child process gave no result.

    Parameters
    ----------
    reason : {"memory", "time", "death"}
    code : int, default=0
        Exit code of a child that died; the number of the signal with a minus sign.
    """

    def __init__(self, reason: Literal["memory", "time", "death"], code: int = 0) -> None:
        super().__init__(reason, code)
        self.reason, self.code = reason, code


def call_apart(function: Callable[..., T], *args: Any, memory: int, seconds: float) -> T:
    """Return what a function returns when it is called in a child process.

    Parameters
    ----------
    function : callable
        At the top of a module of this package. Its result and exceptions are pickled; what is in
        arrays is handed over in shared memory.
    *args
        Its arguments.
    memory : int
        Bytes that the child may use beyond what the libraries themselves take. Enforced on
        Linux.
    seconds : float
        Time after which the child is killed.

    Returns
    -------
    result

    Raises
    ------
    ChildFailureError
        If the child used too much memory or time, or died.
    Exception
        What the function raised.
    """
    child = _take_idle() or _Child()
    try:
        result, is_reusable = child.call((function, args, memory, seconds, os.getcwd()), seconds)
    except BaseException:
        child.kill()
        raise
    if is_reusable:
        _keep(child)
    else:
        child.kill()
    found: T = result()
    return found


class _Child:
    """A child process, and the file in shared memory through which its results come."""

    def __init__(self) -> None:
        self.results = _new_file()
        paths = [path for path in sys.path if os.path.isabs(path)]
        # Standard error is the channel of answers; the child sends what libraries print nowhere.
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, json.dumps(paths)],
            stdin=subprocess.PIPE,
            stdout=self.results,
            stderr=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
        )
        self.idle_since = time.monotonic()

    def call(self, request: Any, seconds: float) -> tuple[Callable[[], Any], bool]:
        """Return a function with the outcome of a call, and whether the child can take another."""
        pipe, answers = self.process.stdin, self.process.stderr
        assert pipe is not None
        assert answers is not None
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            self.process.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            content = pickle.dumps(request)
            with suppress(BrokenPipeError):  # the child is gone; there is no answer either
                pipe.write(len(content).to_bytes(8, "little") + content)
                pipe.flush()
            line = answers.readline()
        finally:
            timer.cancel()
        answer = _parse(line)
        if answer is None:
            self.process.kill()
            code = self.process.wait()
            raise ChildFailureError("time" if is_late.is_set() else "death", code)
        if answer["status"] == "memory":
            raise ChildFailureError("memory")
        for message in answer["warnings"]:
            warnings.warn(message, UserWarning, stacklevel=4)
        return self._load(answer["sizes"], is_error=answer["status"] == "error")

    def _load(self, sizes: list[int], *, is_error: bool) -> tuple[Callable[[], Any], bool]:
        """Read a pickled object and the buffers of its arrays from the shared file."""
        total = sum(map(padded, sizes))
        is_small = total <= COPIED
        content: Any
        if is_small:
            content = bytearray(total)
            self.results.seek(0)
            self.results.readinto(content)  # type: ignore[attr-defined]
        else:
            # Private pages: who changes the array changes no file, and no other process.
            content = mmap.mmap(self.results.fileno(), total, access=mmap.ACCESS_COPY)
        view, start, parts = memoryview(content), 0, []
        for size in sizes:
            parts.append(view[start : start + size])
            start += padded(size)
        found = pickle.loads(parts[0], buffers=parts[1:])

        def outcome() -> Any:
            if is_error:
                raise found
            return found

        return outcome, is_small

    def kill(self) -> None:
        """End the process; results that are mapped stay."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stderr, self.results):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def _parse(line: bytes) -> dict[str, Any] | None:
    """Return an answer, or None for what a dying process wrote."""
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _new_file() -> IO[bytes]:
    """Return a file without a name, in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("perturbfs"), "w+b")
    return tempfile.TemporaryFile()


_idle: list[_Child] = []
_lock = threading.Lock()


def _take_idle() -> _Child | None:
    """Return the waiting child, unless it is about to end."""
    with _lock:
        child = _idle.pop() if _idle else None
    if child is None:
        return None
    is_fresh = time.monotonic() - child.idle_since < IDLE_SECONDS / 2
    if is_fresh and child.process.poll() is None:
        return child
    child.kill()
    return None


def _keep(child: _Child) -> None:
    """Let a child wait for the next call; one that another thread started ends with the thread."""
    child.idle_since = time.monotonic()
    with _lock:
        if not _idle and threading.current_thread() is threading.main_thread():
            _idle.append(child)
            return
    child.kill()


@atexit.register
def _end_idle() -> None:
    while _idle:
        _idle.pop().kill()


if hasattr(os, "register_at_fork"):  # the child belongs to the process that started it
    os.register_at_fork(after_in_child=_idle.clear)
