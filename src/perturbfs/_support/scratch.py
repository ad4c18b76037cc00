"""A temporary folder that is removed even if its process is killed, by the next one."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .claim import try_lock

LOCK = "lock"


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Yield an empty temporary folder for this process; remove those of killed processes.

    Parameters
    ----------
    prefix : str
        Of the names of all such folders, for this purpose only.

    Yields
    ------
    folder : Path
        Only this user can look into it. It is removed when the block ends.
    """
    if sys.platform != "win32":  # there the owner of a lock cannot be told from its absence
        _remove_abandoned(prefix)
    with tempfile.TemporaryDirectory(prefix=prefix) as name:
        handle = os.open(Path(name, LOCK), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with suppress(OSError):  # a file system without locks: nobody removes it
                try_lock(handle)
            folder = Path(name, "files")
            folder.mkdir()
            yield folder
        finally:
            os.close(handle)


def _remove_abandoned(prefix: str) -> None:
    for place in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # of somebody else, or without a lock
            handle = os.open(place / LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
            try:
                if place.lstat().st_uid == os.getuid() and try_lock(handle):
                    shutil.rmtree(place, ignore_errors=True)
            finally:
                os.close(handle)
