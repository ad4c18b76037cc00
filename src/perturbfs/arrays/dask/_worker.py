"""Tasks that process one chunk of features, in a thread or on a worker of a cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

from threadpoolctl import ThreadpoolController

from perturbfs.arrays._block import to_float64
from perturbfs.arrays._blocks import BlockFunction, Combine, cut_into_blocks
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array
from perturbfs.arrays.files._readers import ColumnReader
from perturbfs.arrays.files._store import read_part


class BlockFailure(Exception):
    """Wrap an error of the function of a pass, to distinguish it from an error of reading."""


class Shared:
    """Hold what all tasks of a pass need; dask does not look inside."""

    def __init__(self, value: Any) -> None:
        self.value = value


class FilePart:
    """Some samples and features of a file, read by the task that needs them.

    A task that only reads would cost the scheduler as much as one that computes.
    """

    def __init__(self, reader: ColumnReader, rows: slice, columns: slice) -> None:
        self._reader, self._rows, self._columns = reader, rows, columns

    def read(self) -> Array:
        """Return the values as stored."""
        return read_part(self._reader, self._rows, self._columns)


@dataclass(frozen=True, slots=True)
class ChunkWork:
    """Hold what the task of one chunk needs, in addition to what all tasks share.

    Attributes
    ----------
    start : int
        Position of its first feature.
    parts : tuple of arrays or None
        The parts of arrays with one entry per feature that belong to this chunk.
    is_checked : bool
        Whether its values are known to be finite.
    names : array of str or None
        Of its features, for messages.
    """

    start: int
    parts: tuple[Array | None, ...]
    is_checked: bool
    names: Array | None


def work_on(part: Array | FilePart, shared: Shared, chunk: ChunkWork) -> Any:
    """Return the results of the blocks of a chunk with their spans, or one combined result."""
    values, (function, combine) = values_of(part), shared.value
    try:
        if not chunk.is_checked:
            refuse_bad_values(values, chunk.names, first=chunk.start)
        with one_blas_thread():
            found = _results(values, function, chunk)
            if combine is None:
                return list(found)
            # Two results are held at a time.
            return reduce(lambda held, each: combine([held, each]), (each for _, each in found))
    except Exception as error:
        raise BlockFailure(error) from error


def _results(
    values: Array, function: BlockFunction, chunk: ChunkWork
) -> Iterator[tuple[slice, Any]]:
    for inside, block in cut_into_blocks(values, chunk.start):
        parts = (None if each is None else each[inside, ...] for each in chunk.parts)
        yield block.span, function(block, *parts)


def combine_all(results: Sequence[Any], combine: Combine) -> Any:
    """Return the combined results of neighboring chunks."""
    with one_blas_thread():
        return combine(results)


def values_of(part: Array | FilePart) -> Array:
    """Return the values of a chunk, which are read now if they are in a file."""
    return part.read() if isinstance(part, FilePart) else part


def pick_columns(part: Array | FilePart, features: Array, start: int) -> Array:
    """Return some features of a chunk as a dense array."""
    values = values_of(part)
    try:
        columns = to_float64(values[:, features])
        refuse_bad_values(columns, None, first=start)
    except Exception as error:
        raise BlockFailure(error) from error
    return columns


_lock = threading.Lock()
_users = 0
_limit: Any = None


@cache
def _blas() -> Any:
    """Return the BLAS libraries of this process; finding them takes milliseconds."""
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread while any thread of the process works on a block.

    The limit is one per process, so the first thread sets it and the last one restores it.
    """
    global _users, _limit
    with _lock:
        if _users == 0:
            _limit = _blas().limit(limits=1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                _limit.restore_original_limits()
                _limit = None
