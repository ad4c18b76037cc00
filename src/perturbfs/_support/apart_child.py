"""The child process of `call_apart`: it calls one function after another.

It reads requests from standard input and ends with it. A line of JSON per answer goes to standard
error; results go to standard output, which is a file in memory.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

IDLE_SECONDS = 10.0  # after which the child ends if it is not called again
LIBRARIES = 2**29  # bytes for the libraries that a function imports, and for their threads
GRACE = 5  # seconds after which a child ends itself, if its parent has not ended it
PARENT_DEATH = 1  # PR_SET_PDEATHSIG of Linux


def padded(size: int) -> int:
    """Return a size rounded up, so that the next array starts at an aligned address."""
    return -(-size // 64) * 64


def main() -> None:
    """Answer requests until standard input ends, or none has come for some seconds."""
    requests, results, answers = (os.dup(each) for each in (0, 1, 2))
    with Path(os.devnull).open("r+b") as nowhere:  # libraries may print
        for each in (0, 1, 2):
            os.dup2(nowhere.fileno(), each)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it ends this process
    _end_with_parent()
    waiting: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_receive, args=(requests, waiting), daemon=True).start()
    while True:
        try:
            content = waiting.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            return
        answer = json.dumps(_answer(content, results)) + "\n"
        os.write(answers, answer.encode())


def _receive(requests: int, waiting: queue.Queue[bytes]) -> None:
    """Pass requests on; end the process at once when the parent closes the pipe or dies."""
    with os.fdopen(requests, "rb") as stream:
        while size := stream.read(8):
            waiting.put(stream.read(int.from_bytes(size, "little")))
    os._exit(0)


def _end_with_parent() -> None:
    """Ask Linux to kill this process with its parent; compiled code may not let threads run.

    The system counts the thread that started this process as the parent, so a child that
    another thread than the main one started takes one call only.
    """
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL)


def _answer(content: bytes, results: int) -> dict[str, Any]:
    """Return the answer to a request; the result is in the file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        status, sizes = _call(content, results)
    said = [str(each.message) for each in caught if issubclass(each.category, UserWarning)]
    return {"status": status, "sizes": sizes, "warnings": list(dict.fromkeys(said))}


def _call(content: bytes, results: int) -> tuple[str, list[int]]:
    allowed = sys.maxsize
    try:
        function, args, memory, seconds, folder = pickle.loads(content)
        os.chdir(folder)  # the parent may have changed it since the last call
        allowed = _limit_memory(memory)
        _limit_time(seconds)
        status, found = "result", function(*args)
    except MemoryError:
        return "memory", []
    except BaseException as error:  # what compiled libraries raise may be no Exception
        status, found = "error", _plain(error)
    finally:
        _limit_time(0)
    buffers: list[pickle.PickleBuffer] = []
    try:
        head = pickle.dumps(found, protocol=5, buffer_callback=buffers.append)
        views = [memoryview(head), *(each.raw() for each in buffers)]
        # The file is in memory too, until this process has ended.
        if _data_bytes() + sum(each.nbytes for each in views) > allowed:
            return "memory", []
        _write(results, views)
    except MemoryError:
        return "memory", []
    return status, [each.nbytes for each in views]


def _plain(error: BaseException) -> BaseException:
    """Return an exception without what cannot be pickled.

    Some packages make exceptions take their causes and tracebacks along.
    """
    error.__cause__ = error.__context__ = None
    error = error.with_traceback(None)
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error if isinstance(error, Exception) else RuntimeError(str(error))


def _write(results: int, views: list[memoryview]) -> None:
    os.ftruncate(results, 0)
    os.lseek(results, 0, os.SEEK_SET)
    for view in views:
        left = view.cast("B")
        while left:
            left = left[os.write(results, left) :]
        os.write(results, bytes(padded(view.nbytes) - view.nbytes))


def _data_bytes() -> int:
    """Return the bytes of memory that count against the limit; 0 where they are not known."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line[:7] == "VmData:"), 0)


def _limit_memory(memory: int) -> int:
    """Let further allocations fail beyond a limit, and return the limit."""
    allowed = _data_bytes() + LIBRARIES + memory
    try:
        import resource
    except ImportError:  # Windows
        return allowed
    # Not the address space: libraries reserve much of it that they never use.
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    at_most = allowed if most == resource.RLIM_INFINITY else min(allowed, most)
    resource.setrlimit(resource.RLIMIT_DATA, (at_most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    return at_most


def _limit_time(seconds: float) -> None:
    """Let the system end this process later than the parent would; 0: no more."""
    set_alarm: Callable[[int], int] | None = getattr(signal, "alarm", None)
    if set_alarm is not None:
        set_alarm(int(seconds) + GRACE if seconds else 0)
