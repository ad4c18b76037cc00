"""Warnings of the package, and errors of reading data and of clusters.

Wrong arguments and data raise ValueError or TypeError, with a message that says what to do. The
errors here concern the machine: a file that cannot be read, or a cluster that is lost.
"""

from __future__ import annotations


class DataWarning(UserWarning):
    """The data can be used, but may contain a mistake."""


class StorageWarning(UserWarning):
    """The data can be read or written, but where they are stored makes that slow or less safe."""


class DeviceMemoryWarning(UserWarning):
    """A device has too little memory for large blocks, so smaller ones are used."""


class BlockReadError(OSError):
    """A block of features could not be read. The message names the file and the features."""


class UnsafeFileError(ValueError):
    """A file refers to other files or to programs, and is not read. The message names them."""


class ClusterError(OSError):
    """A cluster cannot be reached or was lost. The message says what to do."""


__all__ = [
    "BlockReadError",
    "ClusterError",
    "DataWarning",
    "DeviceMemoryWarning",
    "StorageWarning",
    "UnsafeFileError",
]
