"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path that takes the place of `path` once the block has ended well.

    Parameters
    ----------
    path : path
        Where the file shall be. Its directory must exist.

    Yields
    ------
    temporary : Path
        In the same directory, to be written to. After an error, Ctrl-C included, it is
        removed and `path` is as it was.
    """
    path = Path(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp lets nobody else read
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
