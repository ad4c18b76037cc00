"""Receive a file through a socket and write it to disk in pieces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ._requests import RefusedError, display_name, stored_suffix

PIECE = 1 << 18  # bytes


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file in the folder of a job."""

    shown: str  # name that the user gave
    stored: str  # name in the folder
    size: int


def receive(stream: BinaryIO, length: int, folder: Path, *, name: str, stem: str) -> Upload:
    """Write the content of a stream to a file in a folder.

    Parameters
    ----------
    stream : binary file
    length : int
        Bytes to read; fewer are an error, and then no file stays.
    folder : Path
    name : str
        Name that the user gave. Only its extension is used for the name of the file.
    stem : str
        Name of the file in the folder, without extension.

    Returns
    -------
    upload : Upload
    """
    shown = display_name(name)
    path = folder / f"{stem}{stored_suffix(shown)}"
    part = folder / f"{stem}.part"
    try:
        with part.open("wb") as file:
            _copy(stream, file, length)
        part.replace(path)
    except OSError as error:
        raise RefusedError(
            507, f"{shown} cannot be stored: {error.strerror}. Free some space and try again."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return Upload(shown, path.name, length)


def _copy(stream: BinaryIO, file: BinaryIO, length: int) -> None:
    left = length
    while left:
        try:
            piece = stream.read(min(PIECE, left))
        except OSError as error:  # the socket, not the disk
            raise _cut_short() from error
        if not piece:
            raise _cut_short()
        file.write(piece)
        left -= len(piece)


def _cut_short() -> RefusedError:
    return RefusedError(400, "The upload was incomplete. Send the file again.")
