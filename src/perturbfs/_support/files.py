"""Write files and directories that are either complete or absent."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
        and `path` is unchanged.
    """
    path = Path(path)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _open_to_others(temporary, 0o666)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def atomic_directory(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """Yield a temporary directory; its files move to `path` when the block ends without an error.

    Parameters
    ----------
    path : path
        Path of the directory.
    force : bool, default=False
        Whether files in a directory that is not empty may be replaced. Other files in it stay.

    Yields
    ------
    temporary : Path
        In the same parent directory. After an error, or after Ctrl-C, it is removed and `path` is
        unchanged.

    Raises
    ------
    FileExistsError
        Before anything is written, if `path` must not be replaced.
    """
    path = Path(path)
    check_free(path, force=force)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        yield temporary
        _open_to_others(temporary, 0o777)
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


def _open_to_others(path: Path, mode: int) -> None:
    """Set the permissions of a usual new file; only the owner can read temporary files."""
    umask = os.umask(0)
    os.umask(umask)
    path.chmod(mode & ~umask)


def check_free(path: str | os.PathLike[str], *, force: bool) -> None:
    """Raise an error if writing a directory to `path` would overwrite something."""
    path = Path(path)
    for place in (path, *path.parents):
        if place.is_file():
            raise FileExistsError(f"{place} is a file. Name a directory that may be created.")
    if path.is_dir() and any(path.iterdir()) and not force:
        raise FileExistsError(
            f"{path} exists and is not empty. Name another directory, or pass --force to replace "
            "the results in it."
        )


def _refuse_directories(path: Path, new: Path) -> None:
    """Raise an error if a file would have to replace a directory, before any file is moved."""
    for file in new.iterdir():
        if (path / file.name).is_dir():
            raise FileExistsError(
                f"{path / file.name} is a directory, but a file with that name must be written. "
                "Name another directory for the results."
            )
