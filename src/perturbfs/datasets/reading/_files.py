"""Opening files, and one sentence for each way in which that can fail."""

from __future__ import annotations

import csv
import difflib
import gzip
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from perturbfs._support.text import shorten
from perturbfs.datasets._errors import TableError
from perturbfs.exceptions import UnsafeFileError

# The first bytes of a file say what it is, even if its extension is wrong.
SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "a Feather or Arrow file"),
    (b"FEA1", "a Feather file of version 1"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x93NUMPY", "a .npy file"),
    (b"PK\x03\x04", "a zip archive, as .npz and .xlsx files are"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x1f\x8b", "a gzip-compressed file"),
    (b"MATLAB", "a MATLAB file"),
    (b"SQLite format", "an SQLite database"),
)

UTF_8 = "utf-8-sig"
CHUNK = 2**20
LONGEST = 300  # letters of what a library says
LARGE = 10**8  # bytes of text that reading takes seconds for
MOST_UNPACKED, USUAL_UNPACKED = 1032, 200  # bytes per compressed byte
Errors = tuple[type[BaseException], ...]
DAMAGE: Errors = (OSError, EOFError, zlib.error, struct.error, zipfile.BadZipFile)


def check_file(path: Path) -> bytes:
    """Return the first bytes of a file that exists, is readable and is not empty.

    Parameters
    ----------
    path : Path

    Returns
    -------
    head : bytes
        At most 4096.

    Raises
    ------
    TableError
        For a missing file, with similar names in its directory; for a directory, an empty
        file, or a file without permission to read.
    """
    if path.is_dir():
        raise TableError(f"{path} is a directory. Give the path of one file in it.")
    if path.exists() and not path.is_file():
        raise TableError(
            f"{path} is not a file but a pipe or a device, which is not read. Write its content "
            "to a file first."
        )
    try:
        with path.open("rb") as handle:
            head = handle.read(4096)
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.{_similar_files(path)}") from None
    except PermissionError:
        raise TableError(
            f"{path} cannot be read: permission denied. Ask its owner for permission."
        ) from None
    except OSError as error:
        raise TableError(f"{path} cannot be opened: {error.strerror}. Check the path.") from error
    if not head:
        raise TableError(f"{path} is empty. A table with at least one sample is needed.")
    return head


def _similar_files(path: Path) -> str:
    try:
        there = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f" Neither does its directory {path.parent}. Check the path."
    similar = difflib.get_close_matches(path.name, there, n=3)
    return f" Did you mean {' or '.join(similar)}?" if similar else " Check the path."


def looks_like(head: bytes) -> str | None:
    """Return the kind of a file by its first bytes, or None if they are unknown."""
    return next((what for start, what in SIGNATURES if head.startswith(start)), None)


def check_signature(path: Path, allowed: tuple[bytes, ...], what: str) -> bytes:
    """Return the first bytes of a file, which must be those of its format.

    Parameters
    ----------
    path : Path
    allowed : tuple of bytes
        First bytes of files in this format.
    what : str
        The format, with its article.
    """
    head = check_file(path)
    if not head.startswith(allowed):
        found = looks_like(head)
        found = f"looks like {found}" if found else "has other content"
        raise TableError(
            f"{path} has the extension of {what}, but {found}. Give it the extension of its "
            "format, or export it again."
        )
    return head


@contextmanager
def open_text(path: Path, encoding: str | None = None) -> Iterator[IO[str]]:
    """Open a text file, compressed or not; the kind of Unicode is found if none is given."""
    encoding = encoding or find_unicode(path)
    opener: Callable[..., IO[str]] = gzip.open if _is_compressed(path) else open
    with opener(path, "rt", encoding=encoding, newline="") as handle:
        yield handle


def _is_compressed(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


def find_unicode(path: Path) -> str:
    """Return the kind of Unicode of a file by its first bytes; an error if it is not text."""
    head = check_file(path)
    if _is_compressed(path):
        check_signature(path, (b"\x1f\x8b",), "a compressed file (.gz)")
        with gzip.open(path) as handle:
            head = handle.read(4096)
        if not head:
            raise TableError(f"{path} is empty after decompression. A table is needed.")
        _check_unpacked(path)
    encoding = _unicode_of(head)
    found = looks_like(head)
    if found or (encoding == UTF_8 and b"\0" in head):
        raise TableError(
            f"{path} has the extension of a text file, but looks like {found or 'binary data'}. "
            "Give it the extension of its format, or export it again as text."
        )
    if not head.strip(b"\xef\xbb\xbf \t\r\n") and len(head) < 4096:
        raise TableError(f"{path} has only blank lines. A table is needed.")
    return encoding


def _check_unpacked(path: Path) -> None:
    """Refuse a compressed file of next to nothing but repetition, made to fill the memory."""
    n_bytes, n_unpacked = path.stat().st_size, 0
    if n_bytes * MOST_UNPACKED < LARGE:  # nothing compresses better
        return
    with gzip.open(path) as handle:
        while piece := handle.read(CHUNK):
            n_unpacked += len(piece)
            if n_unpacked > max(LARGE, USUAL_UNPACKED * n_bytes):
                raise TableError(
                    f"{path} unpacks to more than {USUAL_UNPACKED} times its size, which no usual "
                    "table does. If it is sound, unpack it first and read the result."
                )


def _unicode_of(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    # Without a mark, every other byte of Western text in UTF-16 is zero.
    for encoding, zeros, others in (
        ("utf-16-le", head[1::2], head[::2]),
        ("utf-16-be", head[::2], head[1::2]),
    ):
        if 10 * zeros.count(0) > 9 * len(zeros) > 72 and 0 not in others:
            return encoding
    return UTF_8


@contextmanager
def explained(path: Path, *damage: type[BaseException]) -> Iterator[None]:
    """Turn the exceptions of a broken file into a `TableError` that names the file.

    `damage` lists the exceptions by which the reader of this format says that a file is broken.
    """
    try:
        yield
    except TableError as error:
        text = str(error) if str(path) in str(error) else f"{path}: {error}"
        raise type(error)(shorten(text, keep=str(path))) from error.__cause__
    except BaseException as error:
        sentence = _explain(error, (*DAMAGE, *damage))
        if sentence is None:
            raise
        raise TableError(f"{path} {sentence}") from error


def _explain(error: BaseException, damage: Errors) -> str | None:
    """Return what an exception says about a file, or None if it is not about the file."""
    if isinstance(error, UnicodeDecodeError):
        return (
            f"is not text in UTF-8, UTF-16 or Latin-1: byte 0x{error.object[error.start]:02x} "
            "cannot be read. Save it again as UTF-8."
        )
    if isinstance(error, UnsafeFileError):
        return f"is not read: {error}."
    if isinstance(error, csv.Error):
        return f"cannot be split into fields: {error}. Look for a quote that is never closed."
    # A panic in a package written in Rust is not an Exception, and its class cannot be imported.
    if isinstance(error, MemoryError):
        return None
    if isinstance(error, damage) or type(error).__name__ == "PanicException":
        said = shorten(" ".join(str(error).split())[:LONGEST]) or type(error).__name__
        return f"is cut short or damaged ({said}). Copy or download it again."
    return None
