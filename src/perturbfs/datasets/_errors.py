"""The errors of this package that a user may want to catch."""

from __future__ import annotations


class TableError(ValueError):
    """Raised if a file cannot be read as a table; the message says what to do.

    Examples
    --------
    >>> from perturbfs.datasets import TableError, read_table
    >>> try:
    ...     read_table("/nowhere/expression.csv")
    ... except TableError as error:
    ...     print(error)
    /nowhere/expression.csv does not exist. Neither does its directory /nowhere. Check the path.
    """


class UnknownNameError(TableError):
    """A file lacks a column, row or variable of the name that was given."""


class DownloadError(OSError):
    """Raised if a file cannot be downloaded; the message gives the reason for each address."""
