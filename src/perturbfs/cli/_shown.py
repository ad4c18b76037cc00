"""The names of files as the user gave them, where they are stored under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_names: ContextVar[Mapping[str, str]] = ContextVar("_names")


@contextmanager
def showing(names: Mapping[str, str]) -> Iterator[None]:
    """Show files under the names that the user gave: `perturbfs serve` stores them under others.

    Parameters
    ----------
    names : mapping of str to str
        From the names of stored files to the names that are shown.
    """
    before = _names.set(names)
    try:
        yield
    finally:
        _names.reset(before)


def as_shown(text: str) -> str:
    """Return a text with the names of files that the user gave."""
    for stored, shown in _names.get({}).items():
        text = text.replace(stored, shown)
    return text
