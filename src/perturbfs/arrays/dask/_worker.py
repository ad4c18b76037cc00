"""What is done with a chunk of features where it is: in a thread, or on a worker of a cluster."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

from perturbfs.arrays._blocks import BlockFunction, Combine, block_width, spans
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array
from perturbfs.arrays.files._store import ColumnReader, as_block, read_part, to_float64

from ._cluster import BlockFailure, Shared


@dataclass(frozen=True, slots=True)
class ChunkWork:
    """What is done with one chunk, apart from what is the same for all.

    Attributes
    ----------
    start : int
        Position of its first feature.
    parts : tuple of arrays or None
        Of the arrays as long as the features, the part of this chunk.
    is_checked : bool
        Whether its values are known to be finite.
    names : array of str or None
        Of its features, for messages.
    """

    start: int
    parts: tuple[Array | None, ...]
    is_checked: bool
    names: Array | None

    def run(self, values: Array, function: BlockFunction, combine: Combine | None) -> Any:
        """The results of the blocks of a chunk with their spans, or one combined result."""
        if not self.is_checked:
            refuse_bad_values(values, self.names, first=self.start)
        with one_blas_thread():
            found = self._results(values, function)
            return list(found) if combine is None else _fold(found, combine)

    def _results(self, values: Array, function: BlockFunction) -> Iterator[tuple[slice, Any]]:
        for narrow in spans(values.shape[1], block_width(values.shape[0])):
            span = slice(self.start + narrow.start, self.start + narrow.stop)
            parts = (None if each is None else each[narrow, ...] for each in self.parts)
            yield span, function(as_block(values[:, narrow], span), *parts)


def work_on(values: Array, shared: Shared, chunk: ChunkWork) -> Any:
    """The task of one chunk."""
    try:
        return chunk.run(values, *shared.value)
    except Exception as error:
        raise BlockFailure(error) from error


def _fold(found: Iterator[tuple[slice, Any]], combine: Combine) -> Any:
    """One result of many, with no more than two of them held."""
    _, held = next(found)
    for _, result in found:
        held = combine([held, result])
    return held


def combine_all(results: Sequence[Any], combine: Combine) -> Any:
    """The task that combines the results of neighboring chunks."""
    with one_blas_thread():
        return combine(results)


def pick_columns(values: Array, features: Array, start: int) -> Array:
    """The task that takes some features of a chunk, dense."""
    try:
        columns = to_float64(values[:, features])
        refuse_bad_values(columns, None, first=start)
    except Exception as error:
        raise BlockFailure(error) from error
    return columns


def read_chunk(reader: ColumnReader, block_info: Any = None) -> Array:
    """The task that reads a chunk of a file."""
    rows, columns = (slice(*ends) for ends in block_info[None]["array-location"])
    return read_part(reader, rows, columns)


_lock = threading.Lock()
_users = 0
_limit: Any = None


@cache
def _blas() -> Any:
    """The BLAS libraries of this process; finding them takes milliseconds."""
    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """One BLAS thread as long as any thread of the process works on a block.

    The limit is one of the process, so the first thread sets it and the last one lifts it.
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
