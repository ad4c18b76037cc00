"""Checks of a request before it is answered; pure functions."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

MEGABYTE = 1_000_000
MAX_JSON = 100_000  # bytes of a form
LONGEST_NAME = 120
FAULT = "This is probably a bug in perturbfs; the terminal shows where."
Pieces = AsyncIterator[bytes]  # of an uploaded file


class RefusedError(Exception):
    """A request is refused with a status and a sentence.

    Parameters
    ----------
    status : int
        HTTP status.
    sentence : str
        The reason, and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def check_host(host: str | None, port: int) -> None:
    """Refuse other names of this machine, which a foreign page may use (DNS rebinding)."""
    if host not in (f"127.0.0.1:{port}", f"localhost:{port}"):
        raise RefusedError(
            421, "This page answers only to 127.0.0.1 and localhost. Use the printed address."
        )


def check_origin(origin: str | None, port: int) -> None:
    """Refuse requests from other pages. Programs other than browsers send no origin."""
    if origin not in (None, f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
        raise RefusedError(403, "Another page sent this request. Use the page of perturbfs serve.")


def body_length(header: str | None, limit: int, what: str) -> int:
    """Return the length of a request body, which must not exceed `limit`.

    Parameters
    ----------
    header : str or None
        Content-Length.
    limit : int
    what : str
        Name of the content, as the subject of a sentence.

    Returns
    -------
    length : int

    Examples
    --------
    >>> body_length("12", 100, "The file")
    12
    """
    if header is None or not (header.isascii() and header.isdecimal()):
        raise RefusedError(411, f"{what} was sent without its length. Use the page to send it.")
    length = int(header)
    if length > limit:
        raise RefusedError(413, too_large(what, length, limit))
    return length


def read_form(content: bytes) -> Any:
    """Return the content of a form, which is JSON.

    Examples
    --------
    >>> read_form(b'{"target": "typed"}')
    {'target': 'typed'}
    """
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "The form is not JSON. Use the page to send it.") from error


def too_large(what: str, length: int, limit: int) -> str:
    """Return the sentence about a file over the limit; page.js has the same sentence."""
    return (
        f"{what} has {readable_size(length)}, and at most {readable_size(limit)} are accepted. "
        "Start perturbfs serve with a larger --max-size, or use perturbfs select, which has no "
        "limit."
    )


def readable_size(size: int) -> str:
    """Return a number of bytes in kB or MB.

    Examples
    --------
    >>> readable_size(500_000_000), readable_size(1_250_000), readable_size(8)
    ('500 MB', '1.2 MB', '1 kB')
    """
    if size < MEGABYTE / 10:
        return f"{max(1, round(size / 1000))} kB"
    return f"{size / MEGABYTE:,.{0 if size >= 10 * MEGABYTE else 1}f} MB"


def display_name(name: str) -> str:
    r"""Return the last part of a file name, without control characters.

    The name is only shown; no file of this name is opened.

    Examples
    --------
    >>> display_name("..\\..\\data/colon\u202e.csv")
    'colon.csv'
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(c for c in last if unicodedata.category(c)[0] != "C").strip()
    if len(shown) > LONGEST_NAME:
        shown = f"{shown[: LONGEST_NAME // 2]}…{shown[-LONGEST_NAME // 2 :]}"
    return shown


def stored_suffix(name: str) -> str:
    """Return the extension of a file, which must be one that a reader knows.

    Parameters
    ----------
    name : str
        As displayed.

    Returns
    -------
    suffix : str
        In lower case, including ``.gz``.

    Raises
    ------
    RefusedError
        For an unknown extension, with the same sentence as the command line.
    """
    from perturbfs.datasets import TableError
    from perturbfs.datasets.reading import find_reader

    path = Path(name or "a file without a name")
    try:
        find_reader(path)
    except TableError as error:
        raise RefusedError(415, str(error)) from error
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return "".join(suffixes[-2:]) if suffixes[-1] == ".gz" else suffixes[-1]
