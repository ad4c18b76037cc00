"""The files that features are read from: whether they changed, and what they contain."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from perturbfs.exceptions import BlockReadError

PIECE = 2**22


class SourceFiles:
    """A file or directory as it is now, to notice a change.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path, self._known = Path(path), fingerprint_files(path)

    @cached_property
    def content(self) -> str:
        """Hash of the content. To know it, everything is read once."""
        return fingerprint_content(self.path)

    def refuse_change(self) -> None:
        """Raise an error if the files changed, so that what was read may be mixed."""
        if fingerprint_files(self.path) != self._known:
            raise BlockReadError(
                f"{self.path} changed while it was read, so old and new values may be mixed. "
                "Start again when nothing writes to it."
            )


def fingerprint_files(path: str | os.PathLike[str]) -> str:
    """Return a hash of a file, or of all files in a directory: names, sizes, times, no content."""
    digest = hashlib.sha256()
    for name, file in _files(Path(path)):
        known = file.stat()
        digest.update(f"{name}\x00{known.st_size}\x00{known.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def fingerprint_content(path: str | os.PathLike[str]) -> str:
    """Return a hash of the content of a file, or of all files in a directory and their names.

    Notes
    -----
    It tells data that changed from data that did not, and is no protection against forgery. So
    each piece is reduced to its CRC, which is several times as fast as a cryptographic hash.
    """
    digest = hashlib.sha256()
    for name, file in _files(Path(path)):
        digest.update(f"{name}\x00{file.stat().st_size}\n".encode())
        with file.open("rb", buffering=0) as stream:
            while piece := stream.read(PIECE):
                digest.update(zlib.crc32(piece).to_bytes(4, "big"))
    return digest.hexdigest()


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    files = sorted(each for each in root.rglob("*") if each.is_file()) if root.is_dir() else [root]
    for file in files:
        yield file.relative_to(root).as_posix(), file
