"""Write files and directories that are either complete or absent."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .claim import PART, claimed, refuse_files, swap, try_lock


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path; it replaces `path` when the block ends without an error.

    Parameters
    ----------
    path : path
        Path of the file. Its directory must exist.

    Yields
    ------
    temporary : Path
        In the same directory, to be written to. After an error, or after Ctrl-C, it is removed
        and `path` is unchanged. That of a killed process is removed by the next one that writes
        the same file.
    """
    path = Path(path)
    remove_abandoned(path)
    handle, temporary = _make_temporary(path)
    try:
        yield temporary
        _open_to_others(temporary, 0o666)
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        if handle is not None:
            os.close(handle)


def _make_temporary(path: Path) -> tuple[int | None, Path]:
    """Return a new file, locked as long as its handle is open, so that it is not taken away."""
    while True:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        if sys.platform == "win32":  # an open file cannot be renamed
            os.close(handle)
            return None, Path(name)
        with suppress(OSError):  # a file system without locks
            if not try_lock(handle) or not os.fstat(handle).st_nlink:
                os.close(handle)  # another process took it for an abandoned one
                continue
        return handle, Path(name)


def remove_abandoned(path: Path) -> None:
    """Remove temporary files of `path` whose processes were killed."""
    if sys.platform == "win32":
        return
    start = f".{path.name}."
    for file in path.parent.glob("*.part"):
        if file.name.startswith(start) and len(file.name) == len(start) + len("abcdefgh.part"):
            with suppress(OSError):
                handle = os.open(file, os.O_RDWR | os.O_NOFOLLOW)
                try:
                    if try_lock(handle):
                        file.unlink()
                finally:
                    os.close(handle)


@contextmanager
def atomic_directory(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary directory; it becomes `path` when the block ends without an error.

    Parameters
    ----------
    path : path
        Path of the directory.
    force : bool, default=False
        Whether a directory that is not empty may be replaced. Files in it that have no successor
        are kept: they move to the new directory.

    Yields
    ------
    temporary : Path
        In the same parent directory. After an error, or after Ctrl-C, it is removed and `path` is
        unchanged.

    Raises
    ------
    FileExistsError
        Before anything is written, if `path` must not be replaced.
    BlockingIOError
        If another process writes to `path`.

    Notes
    -----
    The directory is replaced as a whole by two renames, after everything was written to the disk.
    A process that is killed between them leaves both directories; the next one that writes to
    `path` completes the replacement first.
    """
    check_free(path, force=force)
    with claimed(path) as place:
        check_free(place, force=force)
        name = tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}.", suffix=PART)
        temporary = Path(name)
        yield temporary
        _open_to_others(temporary, 0o777)
        for folder, _, files in os.walk(temporary):
            for file in files:
                _sync(Path(folder, file))
            _sync(Path(folder))
        if place.exists():
            _refuse_directories(place, temporary)
            temporary.chmod(stat.S_IMODE(place.stat().st_mode))
            swap(temporary, place)
        else:
            temporary.rename(place)
        _sync(place.parent)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on the disk."""
    if sys.platform == "win32" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _open_to_others(path: Path, mode: int) -> None:
    """Set the permissions of a usual new file; only the owner can read temporary files."""
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(mode & ~umask)


def check_free(path: str | os.PathLike[str], *, force: bool) -> None:
    """Raise an error if writing a directory to `path` would overwrite something."""
    path = Path(path)
    refuse_files(path)
    if path.is_dir() and any(path.iterdir()) and not force:
        raise FileExistsError(
            f"{path} exists and is not empty. Name another directory, or pass --force to replace "
            "the results in it."
        )
    is_mount = path.resolve().is_mount()
    if path.is_dir() and (is_mount or Path.cwd().is_relative_to(path.resolve())):
        what = "a mount point" if is_mount else "the directory that you work in"
        raise FileExistsError(
            f"{path} is {what}, which cannot be replaced as a whole. Name a directory in it, such "
            f"as {path / 'result'}."
        )


def _refuse_directories(path: Path, new: Path) -> None:
    """Raise an error if a file would have to replace a directory, before anything is moved."""
    for file in new.iterdir():
        if (path / file.name).is_dir():
            raise FileExistsError(
                f"{path / file.name} is a directory, but a file with that name must be written. "
                "Name another directory for the results."
            )
