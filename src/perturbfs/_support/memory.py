"""How much memory is free."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

UNKNOWN = 8 * 2**30  # taken to be free where the system does not say
# The limit of a container and what is used of it: version 2 of control groups, then version 1.
GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def free_memory() -> int:
    """Return the bytes of memory that are free, in this machine and in its container."""
    found = [_available()]
    for limit, used in GROUPS:
        with suppress(OSError, ValueError):  # no container, or one without a limit
            found.append(int(Path(limit).read_text()) - int(Path(used).read_text()))
    return max(0, min(found))


def _available() -> int:
    with suppress(OSError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return UNKNOWN
