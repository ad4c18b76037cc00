"""Features on disk, read block by block within a limit of memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Protocol

import numpy as np
import scipy.sparse

from perturbfs.arrays._blocks import (
    Block,
    DenseBlock,
    LocalBlocks,
    SparseBlock,
    block_width,
    each_once,
    spans,
    to_dense,
)
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array, Namespace
from perturbfs.exceptions import BlockReadError, StorageWarning

DEFAULT_MEMORY = 2 * 2**30
# Shares of the limit: what is read at once, and what may be gathered.
READ_SHARE, GATHER_SHARE = 16, 4
FEWEST_AT_ONCE = 64
GAP_BYTES = 2**17  # that are sooner read than skipped


class ColumnReader(Protocol):
    """What a format does differently. Pickled with its path, it reads anywhere."""

    @property
    def source(self) -> str:
        """The file, for messages."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype: ...

    @property
    def grain(self) -> int:
        """Neighboring features that come with one another: the width of a chunk."""

    @property
    def advice(self) -> str:
        """How to store the matrix feature by feature."""

    def is_row_major(self, width: int) -> bool:
        """Whether reading so many features at once takes much more than these."""

    def read(self, rows: slice, columns: slice) -> Array:
        """Values of some samples and features, as an array or in CSC format."""


class ColumnStore(LocalBlocks):
    """Features on disk as blocks; the selectors take it for X.

    Parameters
    ----------
    reader : ColumnReader
        Of the format.
    feature_names : array of str, optional
    memory : int, default=2 GiB
        Bytes that working with the data may take. A sixteenth is read at once.

    Attributes
    ----------
    shape : tuple of int
    dtype : dtype
        As stored; blocks are float64.
    feature_names : array of str or None
    memory : int

    Notes
    -----
    Files are read, not mapped: pages of a mapped file count as memory in use. Every block is
    checked for values that are not finite when it is read, so that takes no pass of its own.
    """

    def __init__(
        self,
        reader: ColumnReader,
        *,
        feature_names: Array | None = None,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.reader, self.feature_names, self.memory = reader, feature_names, memory
        n_samples, n_features = reader.shape
        self.shape, self.dtype = (n_samples, n_features), reader.dtype
        self.xp: Namespace = np
        if reader.is_row_major(self.read_width()):
            warnings.warn(
                f"{reader.source} is stored sample by sample, so every block of features is "
                "gathered from all over the file. A copy stored feature by feature is read much "
                f"faster: {reader.advice}",
                StorageWarning,
                stacklevel=3,
            )

    def __iter__(self) -> Iterator[Block]:
        for wide in spans(self.shape[1], self.read_width()):
            values = self._read(slice(0, self.shape[0]), wide)
            for narrow in spans(wide.stop - wide.start, block_width(self.shape[0])):
                span = slice(wide.start + narrow.start, wide.start + narrow.stop)
                yield as_block(values[:, narrow], span)

    def stored_blocks(self, grain: int) -> Iterator[tuple[slice, Array]]:
        """The values as stored, in blocks of whole multiples of `grain` features."""
        step = max(grain, self.read_width() // grain * grain)
        for span in spans(self.shape[1], step):
            yield span, self._read(slice(0, self.shape[0]), span)

    def row_chunks(self) -> Iterator[Array]:
        """Dense float64 chunks of samples, in order."""
        height = max(FEWEST_AT_ONCE, self.memory // (READ_SHARE * 8 * self.shape[1]))
        for rows in spans(self.shape[0], height):
            values = self._read(rows, slice(0, self.shape[1]))
            yield to_float64(values)

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array, each chunk read once."""
        wanted, place = each_once(features)
        columns = np.empty((self.shape[0], len(wanted)))
        for start, stop in self._runs(wanted):
            first, last = int(wanted[start]), int(wanted[stop - 1])
            values = self._read(slice(0, self.shape[0]), slice(first, last + 1))
            columns[:, start:stop] = to_float64(values[:, wanted[start:stop] - first])
        return columns if np.array_equal(place, np.arange(len(wanted))) else columns[:, place]

    def _runs(self, wanted: Array) -> Iterator[tuple[int, int]]:
        """Which of some growing positions are read at once, together with what lies between."""
        stored = self.dtype.itemsize * self.shape[0]
        gap, width, start = max(self.reader.grain, GAP_BYTES // stored), self.read_width(), 0
        for place in range(1, len(wanted) + 1):
            is_end = place == len(wanted) or wanted[place] - wanted[place - 1] > gap
            if is_end or wanted[place] - wanted[start] >= width:
                yield start, place
                start = place

    def gather(self, features: Array) -> GatheredFeatures | ColumnStore:
        """What `take` takes from: these features held in memory, where the limit allows it."""
        features = np.unique(features)
        if 8 * self.shape[0] * len(features) * GATHER_SHARE > self.memory:
            return self
        return GatheredFeatures(features, self.take(features))

    def read_width(self) -> int:
        """Features read at once: as the limit allows, whole chunks."""
        stored = max(8, self.dtype.itemsize) * self.shape[0]
        width = max(FEWEST_AT_ONCE, self.memory // (READ_SHARE * stored))
        grain = self.reader.grain
        return max(grain, width - width % grain) if grain <= width else width

    def _read(self, rows: slice, columns: slice) -> Array:
        values = read_part(self.reader, rows, columns)
        names = None if self.feature_names is None else self.feature_names[columns]
        refuse_bad_values(values, names, first=columns.start)
        return values


def read_part(reader: ColumnReader, rows: slice, columns: slice) -> Array:
    """Some samples and features of a file, as stored, or an error that names them."""
    try:
        return reader.read(rows, columns)
    except MemoryError:
        raise
    except Exception as error:  # each library has its own for a damaged file
        raise unreadable(reader.source, columns, error) from error


def unreadable(source: str, columns: slice, error: Exception) -> BlockReadError:
    """The error of features that could not be read."""
    return BlockReadError(
        f"{source}: features {columns.start} to {columns.stop - 1} could not be read "
        f"({type(error).__name__}: {error}). There is no result. Check the file, copy it again "
        "where it is damaged, and start again."
    )


class GatheredFeatures:
    """Some features in memory, found by their positions among all."""

    def __init__(self, features: Array, columns: Array) -> None:
        self._features, self._columns = features, columns

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array."""
        return self._columns[:, np.searchsorted(self._features, features)]


def as_block(values: Array, span: slice) -> Block:
    """The block of these values."""
    if scipy.sparse.issparse(values):
        return SparseBlock(scipy.sparse.csc_array(values, dtype=np.float64), span)
    return DenseBlock(values.astype(np.float64, copy=False), span, xp=np)


def to_float64(values: Array) -> Array:
    """These values as a dense float64 array."""
    return to_dense(values).astype(np.float64, copy=False)
