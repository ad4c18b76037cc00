"""Hold a directory for results, so that no other process writes to it at the same time."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path

from perturbfs.exceptions import StorageWarning

# Beside the directory, which may not exist yet. A new directory is written as PART; the one that
# it replaces is OLD for a moment, and the two have one name otherwise.
LOCK, PART, OLD = ".perturbfs-lock", ".perturbfs-part", ".perturbfs-old"
MOST_LOOKS, LOOK_SECONDS, ENOUGH_ABSENT = 100, 0.02, 12
_held: ContextVar[frozenset[Path]] = ContextVar("_held", default=frozenset())

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Lock an open file until it is closed; return False if another process holds it."""
        os.lseek(descriptor, 2**30, os.SEEK_SET)  # others cannot read what is locked
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(descriptor, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file until it is closed; return False if another process holds it."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def claimed(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Hold a directory until the block ends, and clear what a killed process left beside it.

    Parameters
    ----------
    path : path
        It need not exist. Within a block that holds it, it can be claimed again.

    Yields
    ------
    place : Path
        The directory, links resolved.

    Raises
    ------
    BlockingIOError
        If another process holds it.
    OSError
        If nothing can be written beside it.

    Notes
    -----
    The system releases the lock when its process ends, however it ends. So no lock is stale: the
    lock file of a killed process is taken over.
    """
    place = Path(path).resolve()
    if place in _held.get():
        yield place
        return
    with _parents_of(place), _locked(place):
        before = _held.set(_held.get() | {place})
        try:
            recover(place)
            yield place
        finally:
            recover(place)
            _held.reset(before)


def refuse_files(path: str | os.PathLike[str]) -> None:
    """Raise an error if a directory, or one above it, is a file."""
    for place in (Path(path), *Path(path).parents):
        if place.is_file():
            raise FileExistsError(f"{place} is a file. Name a directory that may be created.")


def swap(new: Path, place: Path) -> None:
    """Put a complete directory in the place of another, and keep what only the other has.

    A process that is killed in between leaves what `recover` completes.
    """
    old = _twin(new, PART, OLD)
    try:
        place.rename(old)
        new.rename(place)
    except BaseException:
        if old.exists() and not place.exists():
            old.rename(place)
        raise
    _settle(old, place)


def recover(place: Path) -> None:
    """Complete the replacement of a directory, and remove its unfinished copies."""
    for old in _beside(place, OLD):
        new = _twin(old, OLD, PART)
        if not place.exists():
            (new if new.is_dir() else old).rename(place)
        if old.exists():
            _settle(old, place)
    for part in _beside(place, PART):
        _remove_for_good(part)


def _remove_for_good(folder: Path) -> None:
    """Remove a directory into which threads of a library may still write for a moment.

    After an error Zarr writes on what it has begun, and creates directories that it lacks.
    """
    n_absent = 0
    for _ in range(MOST_LOOKS):
        n_absent = 0 if folder.exists() else n_absent + 1
        if n_absent == ENOUGH_ABSENT:
            return
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(LOOK_SECONDS)


def _settle(old: Path, place: Path) -> None:
    """Move what the new directory lacks to it, and remove the old one."""
    for entry in old.iterdir():
        if not os.path.lexists(place / entry.name):
            entry.rename(place / entry.name)
    rest = _twin(old, OLD, PART)  # what is in it was replaced, and must never come back
    old.rename(rest)
    shutil.rmtree(rest, ignore_errors=True)


def _twin(path: Path, ending: str, other: str) -> Path:
    return path.with_name(path.name.removesuffix(ending) + other)


def _beside(place: Path, ending: str) -> list[Path]:
    """Return the directories that belong to a place: its name, a random part and the ending."""
    start = f".{place.name}."
    return sorted(
        each
        for each in place.parent.iterdir()
        if each.name.startswith(start)
        and each.name.endswith(ending)
        and len(each.name) == len(start) + 8 + len(ending)
        and each.is_dir()
        and not each.is_symlink()
    )


@contextmanager
def _parents_of(place: Path) -> Iterator[None]:
    """Make the directories above a place; those that stay empty are removed again."""
    missing = [each for each in place.parents if not each.exists()]
    with _explained(place):
        place.parent.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        for each in missing:  # the nearest first
            with suppress(OSError):
                each.rmdir()


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    file = place.with_name(f".{place.name}{LOCK}")
    with _explained(place):
        descriptor = _open_locked(file, place)
    try:
        yield
    finally:
        with suppress(OSError):  # Windows: it is still open, and another process may be reading it
            file.unlink()
        os.close(descriptor)


def _open_locked(file: Path, place: Path) -> int:
    """Return the lock file, open and locked."""
    while True:
        # A link could lead to a file of somebody else.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(file, flags, 0o644)
        try:
            if not _try_lock_or_warn(descriptor, place):
                raise BlockingIOError(_describe_holder(place, descriptor))
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), os.stat(file)):
                    _sign(descriptor)
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the process that held it has just removed it: once more


def _try_lock_or_warn(descriptor: int, place: Path) -> bool:
    try:
        return try_lock(descriptor)
    except OSError as error:
        warnings.warn(
            f"{place.parent} is on a file system without locks ({error.strerror}), so nothing "
            "keeps a second process from writing the same results.",
            StorageWarning,
            stacklevel=2,
        )
        return True


def _sign(descriptor: int) -> None:
    """Write who holds the lock."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": now}
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps(holder).encode())


def _describe_holder(place: Path, descriptor: int) -> str:
    try:
        holder = json.loads(os.read(descriptor, 1000))
        who = f"process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (ValueError, LookupError, TypeError):  # it is just being written
        who = "another process"
    return (
        f"{place} is in use by {who}. Wait until it has ended, or name another directory for "
        "the results."
    )


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Raise a sentence if nothing can be written beside a place."""
    try:
        yield
    except BlockingIOError:
        raise
    except OSError as error:
        raise OSError(
            f"{place} cannot be written, because {place.parent} does not allow it "
            f"({error.strerror}). Name another directory for the results."
        ) from error
