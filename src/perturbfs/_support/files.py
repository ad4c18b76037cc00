"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
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


@contextmanager
def atomic_directory(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """A temporary directory whose files appear in `path` once the block has ended well.

    Parameters
    ----------
    path : path
        Where the directory shall be.
    force : bool, default=False
        Whether files in a directory that is not empty may be replaced. Others in it stay.

    Yields
    ------
    temporary : Path
        Beside `path`. After an error, Ctrl-C included, it is removed and `path` is as it was.

    Raises
    ------
    FileExistsError
        At once, where `path` must not be replaced.
    """
    path = Path(path)
    check_free(path, force=force)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o777 & ~umask)  # mkdtemp lets nobody else in
        if path.exists():
            _refuse_directories(path, temporary)
            for file in sorted(temporary.iterdir()):
                file.replace(path / file.name)
            temporary.rmdir()
        else:
            temporary.replace(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def check_free(path: str | os.PathLike[str], *, force: bool) -> None:
    """Refuse a path where something would be lost."""
    path = Path(path)
    for place in (path, *path.parents):
        if place.is_file():
            raise FileExistsError(f"{place} is a file. Name a directory that may be created.")
    if path.is_dir() and any(path.iterdir()) and not force:
        raise FileExistsError(
            f"{path} exists and is not empty. Name another directory, or pass --force to replace "
            "results in it."
        )


def _refuse_directories(path: Path, new: Path) -> None:
    """Files cannot take the place of directories; say so before the first one is moved."""
    for file in new.iterdir():
        if (path / file.name).is_dir():
            raise FileExistsError(
                f"{path / file.name} is a directory, but a file of that name is to be written. "
                "Name another directory for the results."
            )
