"""Opening a file: what can be wrong with it before its content matters."""

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

from ._table import TableError

# What a file starts with says what it is, whatever it is called.
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


Errors = tuple[type[BaseException], ...]
DAMAGE: Errors = (OSError, EOFError, zlib.error, struct.error, zipfile.BadZipFile)


def check_file(path: Path) -> bytes:
    """The first bytes of a file that exists, may be read and is not empty.

    Parameters
    ----------
    path : Path

    Returns
    -------
    head : bytes
        At most 4096 of them.

    Raises
    ------
    TableError
        For a missing file, with similar names that are there; for a directory, an empty
        file, or one that may not be read.
    """
    if path.is_dir():
        raise TableError(f"{path} is a directory. Give the path of one file in it.")
    try:
        with path.open("rb") as handle:
            head = handle.read(4096)
    except FileNotFoundError:
        raise TableError(f"{path} does not exist.{_similar_files(path)}") from None
    except PermissionError:
        raise TableError(
            f"{path} may not be read: permission denied. Ask its owner for the right to read it."
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
    """What a file is by its first bytes, where they are known."""
    return next((what for start, what in SIGNATURES if head.startswith(start)), None)


def check_signature(path: Path, head: bytes, allowed: tuple[bytes, ...], what: str) -> None:
    """Refuse a file that does not start as its extension promises.

    Parameters
    ----------
    path : Path
    head : bytes
    allowed : tuple of bytes
        Beginnings that the format has.
    what : str
        The format, with its article.
    """
    if not head.startswith(allowed):
        found = looks_like(head)
        found = f"looks like {found}" if found else "has other content"
        raise TableError(
            f"{path} is called {what}, but {found}. Give it the extension of its format, or "
            "export it again."
        )


@contextmanager
def open_text(path: Path) -> Iterator[IO[str]]:
    """Lines of a text file in UTF-8, compressed or not; what is wrong with it as TableError."""
    is_compressed = path.suffix.lower() == ".gz"
    check_text(path, is_compressed=is_compressed)
    opener: Callable[..., IO[str]] = gzip.open if is_compressed else open
    with explained(path), opener(path, "rt", encoding="utf-8-sig", newline="") as handle:
        yield handle


def check_text(path: Path, *, is_compressed: bool) -> None:
    """Refuse a file whose beginning is not text."""
    head = check_file(path)
    if is_compressed:
        check_signature(path, head, (b"\x1f\x8b",), "a compressed file (.gz)")
        with explained(path), gzip.open(path) as handle:
            head = handle.read(4096)
        if not head:
            raise TableError(f"{path} is empty once decompressed. A table is needed.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{path} is in UTF-16, and UTF-8 is needed. Convert it with: "
            f"iconv -f UTF-16 -t UTF-8 {path.name} > converted.csv"
        )
    found = looks_like(head)
    if found or b"\0" in head:
        raise TableError(
            f"{path} is called text, but looks like {found or 'binary data'}. Give it the "
            "extension of its format, or export it again as text."
        )
    if not head.strip(b"\xef\xbb\xbf \t\r\n") and len(head) < 4096:
        raise TableError(f"{path} holds blank lines only. A table is needed.")


@contextmanager
def explained(path: Path, *damage: type[BaseException]) -> Iterator[None]:
    """Turn what readers raise for a broken file into a sentence with the file's name.

    `damage` are exceptions of the format's own reader that mean a broken file.
    """
    try:
        yield
    except TableError as error:
        if str(path) in str(error):
            raise
        raise TableError(f"{path}: {error}") from error.__cause__
    except BaseException as error:
        sentence = _explain(error, path, (*DAMAGE, *damage))
        if sentence is None:
            raise
        raise TableError(f"{path} {sentence}") from error


def _explain(error: BaseException, path: Path, damage: Errors) -> str | None:
    """What an exception says of a file, or None where it is not about the file."""
    if isinstance(error, UnicodeDecodeError):
        return (
            f"is not in UTF-8: byte 0x{error.object[error.start]:02x} cannot be read. If it was "
            "saved as Latin-1 or Windows-1252, convert it with: "
            f"iconv -f WINDOWS-1252 -t UTF-8 {path.name} > converted.csv"
        )
    if isinstance(error, csv.Error):
        return f"cannot be split into fields: {error}. Look for a quote that is never closed."
    # A panic of a package written in Rust is no Exception, and its class cannot be imported.
    if isinstance(error, damage) or type(error).__name__ == "PanicException":
        return f"is cut short or damaged ({error}). Copy or download it again."
    return None
