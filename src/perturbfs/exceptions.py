"""Warnings of our own; errors are ValueError and TypeError with a sentence that helps."""

from __future__ import annotations


class DataWarning(UserWarning):
    """The data can be used, but something in them deserves a look."""


__all__ = ["DataWarning"]
