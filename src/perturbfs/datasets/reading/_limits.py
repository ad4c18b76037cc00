"""Limits on the memory and the time that reading a file may take."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from perturbfs._support.apart import ChildFailureError, call_apart
from perturbfs._support.memory import free_memory
from perturbfs.datasets._errors import TableError

T = TypeVar("T")
UNITS = ["", "K", "M", "G", "T"]
LEAST_MEMORY = 64 * 10**6
SHARE = 0.75  # of the free memory, that reading a file may take
SECONDS = 30.0  # for any file
SECONDS_PER_BYTE = 1e-5  # 100 kB per second, a hundredth of what the slowest reader does
SECONDS_PER_PACKED = 2e-4  # of compressed text, which may be 200 times as long
# Entries of a sparse matrix per row or column, below which its size is an error.
MOST_EMPTY, EMPTY_PER_ENTRY = 10**7, 100


def parse_memory(memory: str | int, *, name: str = "memory") -> int:
    """Return the number of bytes that a number with a unit stands for.

    Examples
    --------
    >>> parse_memory("2GB"), parse_memory("500 MiB")
    (2000000000, 524288000)
    """
    found = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)(I?)B?\s*", str(memory).upper())
    number, unit, is_binary = found.groups() if found else ("0", "", "")
    try:
        size = float(number) * float(1024 if is_binary else 1000) ** UNITS.index(unit)
    except ValueError:
        size = 0.0
    if not LEAST_MEMORY <= size < 2**62:
        raise TableError(
            f"{name}={memory!r} is too little, or not a number of bytes. Give at least 64MB, as "
            "in '500MB' or '2GB'."
        )
    return round(size)


def usable_memory(read_memory: int | None) -> int:
    """Return the bytes that reading may take: those given, or a share of what is free."""
    return max(LEAST_MEMORY, int(SHARE * free_memory())) if read_memory is None else read_memory


def show_bytes(size: float) -> str:
    """Return a number of bytes as people write it.

    Examples
    --------
    >>> show_bytes(1.5e9), show_bytes(999)
    ('1.5 GB', '999 B')
    """
    if size > 1e15:
        return "more than 1,000 TB"
    for unit in UNITS[:-1]:
        if size < 1000:
            return f"{size:.3g} {unit}B"
        size /= 1000
    return f"{size:.3g} TB"


def check_claim(size: int, read_memory: int | None, what: str) -> None:
    """Refuse what a file says of its size before memory is taken for it.

    Parameters
    ----------
    size : int
        Bytes of memory that the values would take.
    read_memory : int or None
        As for `usable_memory`.
    what : str
        Subject of the sentence.

    Raises
    ------
    TableError
    """
    allowed = usable_memory(read_memory)
    if size > allowed:
        raise TableError(
            f"{what} would take {show_bytes(size)} of memory, and {show_bytes(allowed)} may be "
            "taken. If the file is not damaged, allow more with --read-memory (read_memory)."
        )


def check_emptiness(shape: tuple[int, int], n_entries: int) -> None:
    """Refuse a sparse matrix that is said to be far larger than its entries could fill."""
    most = max(MOST_EMPTY, EMPTY_PER_ENTRY * n_entries)
    if max(shape) > most:
        raise TableError(
            f"the sparse matrix is said to have {shape[0]:,} rows and {shape[1]:,} columns, but "
            f"holds {n_entries:,} numbers. The file is damaged, or one of its positions is wrong."
        )


@contextmanager
def fitting(path: Path) -> Iterator[None]:
    """Turn a lack of memory in this process into an error that names the file."""
    try:
        yield
    except MemoryError as error:
        raise TableError(
            f"{path} takes more memory to read than is free. Close other programs, or read it in "
            "blocks. On the command line: --memory 2GB; in Python: open_table."
        ) from error


def read_apart(function: Callable[..., T], path: Path, *args: Any, read_memory: int | None) -> T:
    """Return what a function reads from a file, in a child process with limits.

    Parameters
    ----------
    function : callable
        Its first argument is the path.
    path : Path
    *args
        Its other arguments.
    read_memory : int or None
        As for `usable_memory`.

    Raises
    ------
    TableError
        If the limits are not enough, or the child crashes.
    """
    memory = usable_memory(read_memory)
    per_byte = SECONDS_PER_PACKED if path.suffix.lower() == ".gz" else SECONDS_PER_BYTE
    seconds = SECONDS + per_byte * (path.stat().st_size if path.is_file() else 0)
    try:
        return call_apart(function, path, *args, memory=memory, seconds=seconds)
    except ChildFailureError as failure:
        raise TableError(_explain(failure, path, memory, seconds)) from failure


def _explain(failure: ChildFailureError, path: Path, memory: int, seconds: float) -> str:
    more = "allow more memory with --read-memory (read_memory)"
    if failure.reason == "memory":
        return (
            f"{path} takes more memory to read than the {show_bytes(memory)} that may be taken. "
            f"If the file is not damaged, {more}."
        )
    if failure.reason == "time":
        return (
            f"{path} was not read within {seconds:.0f} seconds, and a file of its size takes far "
            "less. It is damaged or made to do so: copy it again, or export it as text."
        )
    code = -failure.code
    how = signal.Signals(code).name if code in list(signal.Signals) else f"code {failure.code}"
    if how in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"):
        return (
            f"{path} made the program that reads it end ({how}), so it is damaged or made to do "
            "so. Copy it again, or export it as text."
        )
    return (
        f"{path} made the program that reads it end ({how}), so it is damaged, or takes more than "
        f"the {show_bytes(memory)} of memory that may be taken. Copy it again, or {more}."
    )
