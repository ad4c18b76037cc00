"""Warnings of our own, and the one error that is neither a ValueError nor a TypeError.

Errors of what a user hands in are ValueError and TypeError with a sentence that helps.
"""

from __future__ import annotations


class DataWarning(UserWarning):
    """The data can be used, but something in them deserves a look."""


class StorageWarning(UserWarning):
    """The data can be read, but the way they are stored makes that slow."""


class DeviceMemoryWarning(UserWarning):
    """A device has too little memory for large blocks; smaller ones are used."""


class BlockReadError(OSError):
    """A block of features could not be read; the message names the file and the features."""


class ClusterError(OSError):
    """A cluster cannot be reached or was lost; the message is one sentence for the user."""


__all__ = [
    "BlockReadError",
    "ClusterError",
    "DataWarning",
    "DeviceMemoryWarning",
    "StorageWarning",
]
