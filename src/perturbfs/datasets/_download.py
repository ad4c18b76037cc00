"""Download a file from its publisher; keep it only if it is complete and has its checksum."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from perturbfs._support.files import atomic_path

from ._catalogue import CatalogueEntry, DataFile
from ._deadline import TooSlowError, open_until
from ._errors import DownloadError

Progress = Callable[[int, int], object]

TIMEOUT = 30.0  # seconds without a single byte
SLOWEST = 10_000  # bytes per second, on average
CHUNK = 1 << 16
# Not every OSError: for a full disk another address would not help.
NETWORK_ERRORS = (
    urllib.error.URLError,
    http.client.HTTPException,
    ConnectionError,
    TimeoutError,
)


def download_file(
    entry: CatalogueEntry,
    directory: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    timeout: float = TIMEOUT,
) -> Path:
    """Download the file of a data set from the first address that has it, and return its path.

    Parameters
    ----------
    entry : CatalogueEntry
        With at least one address.
    directory : path
        Directory for the file; it is created if it does not exist.
    progress : callable, default=None
        Called after every piece with the number of bytes received and the number expected.
    timeout : float, default=30.0
        Seconds without data after which to give up.

    Returns
    -------
    path : Path
        The file has the checksum of the catalogue.

    Raises
    ------
    DownloadError
        If no address has that file. Nothing is left in `directory`.
    """
    file = entry.download
    if file is None:
        raise ValueError(f"The data set {entry.name!r} has no address.")
    path = Path(directory) / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for url in file.urls:
        try:
            # Inside the loop, so that a failed address leaves nothing for the next one.
            with atomic_path(path) as temporary:
                _fetch(url, file, temporary, progress=progress, timeout=timeout)
        except DownloadError as error:
            failures.append(str(error))
        else:
            return path
    raise DownloadError(
        f"The data set {entry.name!r} could not be downloaded. {' '.join(failures)} Try again "
        f"later, or get {file.name} in another way and put it in {path.parent}. {entry.by_hand}"
    )


def file_checksum(path: str | os.PathLike[str]) -> str:
    """Return the sha256 of a file as hexadecimal digits."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _fetch(
    url: str, file: DataFile, target: Path, *, progress: Progress | None, timeout: float
) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": "perturbfs"})
    n_received = 0
    seconds = timeout + file.n_bytes / SLOWEST
    try:
        with (
            open_until(request, seconds=seconds, timeout=timeout) as response,
            target.open("wb") as stream,
        ):
            n_announced = response.length  # None if the server does not say
            # read1 returns what has arrived, so a slow server still moves the progress bar.
            # The limit keeps a faulty server from filling the disk.
            while n_received <= file.n_bytes and (piece := response.read1(CHUNK)):
                stream.write(piece)
                n_received += len(piece)
                if progress is not None:
                    progress(n_received, file.n_bytes)
    except NETWORK_ERRORS as error:
        raise DownloadError(f"{url} {_explain(error, timeout)}") from error
    if n_received > file.n_bytes:
        raise DownloadError(f"{url} sent more than the {file.n_bytes} bytes the file has.")
    if n_announced is not None and n_received < n_announced:
        raise DownloadError(
            f"{url} stopped after {n_received} of {n_announced} bytes: the file is truncated."
        )
    found = file_checksum(target)
    if found != file.sha256:
        raise DownloadError(
            f"{url} sent another file: its sha256 is {found}, the catalogue expects "
            f"{file.sha256}. It was not kept."
        )


def _explain(error: BaseException, timeout: float) -> str:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return f"answered with HTTP status {error.code} ({error.reason})."
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, TooSlowError):
        return f"sent less than {SLOWEST:,} bytes per second."
    if isinstance(reason, TimeoutError):
        return f"sent nothing for {timeout:g} seconds."
    if isinstance(reason, http.client.IncompleteRead):
        return "stopped before the end: the file is truncated."
    return f"could not be reached ({reason}). Is there a network?"
