"""Processes of a program and what they hold: sockets, semaphores, memory. Reads /proc (Linux)."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"  # state of a TCP socket


def descendants(pid: int) -> list[int]:
    """Return a process and all that it started, directly or not, while they are its children."""
    found = [pid]
    with suppress(OSError):
        for task in (PROC / str(pid) / "task").iterdir():
            for child in (task / "children").read_text().split():
                found += descendants(int(child))
    return found


def processes_with(variable: str, value: str) -> list[int]:
    """Return all processes that were started with an environment variable, orphans included."""
    wanted, found = f"{variable}={value}".encode(), []
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def listening_addresses(pids: Iterable[int]) -> set[str]:
    """Return the IP addresses that processes listen on."""
    inodes = set()
    for pid in pids:
        for handle in (PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                inodes.add(os.readlink(handle))
    addresses = set()
    for name, family in {"tcp": socket.AF_INET, "tcp6": socket.AF_INET6}.items():
        for line in (PROC / "net" / name).read_text().splitlines()[1:]:
            cells = line.split()
            if cells[3] == LISTENING and f"socket:[{cells[9]}]" in inodes:
                packed = bytes.fromhex(cells[1].partition(":")[0])
                words = (packed[first : first + 4] for first in range(0, len(packed), 4))
                addresses.add(socket.inet_ntop(family, b"".join(word[::-1] for word in words)))
    return addresses


def resident_bytes(pid: int) -> int:
    """Return the memory of a process that is in RAM."""
    pages = int((PROC / str(pid) / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def count_threads(pid: int) -> int:
    """Return the number of threads of a process."""
    return len(list((PROC / str(pid) / "task").iterdir()))


def count_handles(pid: int) -> int:
    """Return the number of open files, sockets and pipes of a process."""
    return len(list((PROC / str(pid) / "fd").iterdir()))


def shared_memory() -> set[str]:
    """Return the names of semaphores and folders in shared memory, of all processes."""
    return set(os.listdir("/dev/shm"))
