"""Receive a file and write it to disk in pieces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from ._requests import Pieces, RefusedError, display_name, stored_suffix


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file in the folder of a job."""

    shown: str  # name that the user gave
    stored: str  # name in the folder
    size: int


async def receive(pieces: Pieces, length: int, folder: Path, *, name: str, stem: str) -> Upload:
    """Write the content of a request to a file in a folder.

    Parameters
    ----------
    pieces : asynchronous iterator of bytes
        After an error of it no file stays.
    length : int
        Its number of bytes.
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
        with refused_by_disk(shown):
            async with await anyio.open_file(part, "wb") as file:
                async for piece in pieces:
                    await file.write(piece)
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return Upload(shown, path.name, length)


@contextmanager
def refused_by_disk(name: str) -> Iterator[None]:
    """Turn an error of the disk into a sentence."""
    try:
        yield
    except OSError as error:
        raise RefusedError(
            507,
            f"{display_name(name)} cannot be stored: {error.strerror}. Free some space and try "
            "again.",
        ) from error
