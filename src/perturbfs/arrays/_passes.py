"""The files of finished passes, in a directory that only they use."""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from perturbfs._support.files import atomic_path, remove_abandoned
from perturbfs.exceptions import StorageWarning

MARKER = "perturbfs-passes.json"
FORMAT = 3  # of the files; files of another format are not read
_NAME = re.compile(r"[0-9a-f]{40}\.zip")


class PassFiles:
    """Files of finished passes, and a marker file that lists them with their checksums.

    Parameters
    ----------
    directory : path
        Created with the first file.
    content : str
        Hash of the content of the data. Passes over other data are removed.

    Raises
    ------
    FileExistsError
        If the directory is not empty and has no marker file, so it belongs to somebody else.

    Notes
    -----
    Only files that the marker lists are ever deleted. A directory whose marker or whose files
    were changed is set aside with a warning.
    """

    def __init__(self, directory: str | os.PathLike[str], content: str) -> None:
        self.directory, self._content = Path(directory), content
        self._files: dict[str, str | None] = {}  # None until the file is complete
        try:
            marker = _read_marker(self.directory)
        except ValueError as error:
            self._set_aside(str(error))
            return
        if marker is None:
            return
        self._files = marker["files"]
        if (marker["format"], marker["content"]) != (FORMAT, content):
            self.remove()
            warnings.warn(
                f"The finished passes in {self.directory} are of other data or of another "
                "version. They are not used, and the job starts over.",
                StorageWarning,
                stacklevel=2,
            )
            return
        damaged = [name for name in self._files if self._is_damaged(name)]
        if damaged:
            self._set_aside(f"{damaged[0]} was changed")

    def __len__(self) -> int:
        """Return the number of complete files."""
        return sum(digest is not None for digest in self._files.values())

    def find(self, key: str) -> Path | None:
        """Return the file of a pass, or None if the pass was not finished."""
        path = self.directory / f"{key}.zip"
        return path if self._files.get(path.name) and path.exists() else None

    @contextmanager
    def adding(self, key: str) -> Iterator[Path]:
        """Yield a temporary path, which becomes the file of a pass when the block ends."""
        path = self.directory / f"{key}.zip"
        self.directory.mkdir(parents=True, exist_ok=True)
        self._list(path, None)
        with atomic_path(path) as temporary:
            yield temporary
        self._list(path, _digest(path))

    def remove(self) -> None:
        """Delete the files, and the directory if there is nothing else in it."""
        for name in self._files:
            remove_abandoned(self.directory / name)
            (self.directory / name).unlink(missing_ok=True)
        self._files = {}
        (self.directory / MARKER).unlink(missing_ok=True)
        with suppress(OSError):  # it does not exist, or holds files of somebody else
            self.directory.rmdir()

    def _list(self, path: Path, digest: str | None) -> None:
        self._files[path.name] = digest
        marker = {"format": FORMAT, "content": self._content, "files": self._files}
        with atomic_path(self.directory / MARKER) as temporary:
            temporary.write_text(json.dumps(marker, indent=1) + "\n", encoding="utf-8")

    def _is_damaged(self, name: str) -> bool:
        path, expected = self.directory / name, self._files[name]
        return expected is not None and path.exists() and _digest(path) != expected

    def _set_aside(self, reason: str) -> None:
        self._files = {}
        number, place = 1, self.directory.with_name(f"{self.directory.name}-damaged")
        while place.exists():
            number += 1
            place = self.directory.with_name(f"{self.directory.name}-damaged-{number}")
        self.directory.rename(place)
        warnings.warn(
            f"The finished passes in {self.directory} cannot be used: {reason}. They were moved "
            f"to {place}, and the job starts over.",
            StorageWarning,
            stacklevel=3,
        )


def has_passes(directory: str | os.PathLike[str]) -> bool:
    """Return whether a directory holds passes."""
    return Path(directory, MARKER).is_file()


def _read_marker(directory: Path) -> dict[str, Any] | None:
    """Return the content of the marker file, or None if there is none.

    Raises
    ------
    ValueError
        If it is damaged.
    """
    file = directory / MARKER
    if directory.is_dir():
        remove_abandoned(file)
    if not file.is_file():
        if os.path.lexists(directory) and not (
            directory.is_dir() and not any(directory.iterdir())
        ):
            raise FileExistsError(
                f"{directory} is not a directory of finished passes, but has their name. Move it, "
                "or name another directory for the results."
            )
        return None
    try:
        marker = json.loads(file.read_bytes())
        is_marker = isinstance(marker["format"], int) and isinstance(marker["content"], str)
        is_marker &= all(
            _NAME.fullmatch(name) and isinstance(digest, (str, type(None)))
            for name, digest in marker["files"].items()
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        is_marker = False
    if not is_marker:
        raise ValueError(f"{MARKER} is damaged")
    return dict(marker)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
