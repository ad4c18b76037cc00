"""Features on disk, read block by block within a limit of memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

from perturbfs.arrays._block import Block, to_float64
from perturbfs.arrays._blocks import FeatureBlocks, FeatureSource, cut_into_blocks, each_once
from perturbfs.arrays._finite import refuse_bad_values
from perturbfs.arrays._namespace import Array, spans
from perturbfs.exceptions import BlockReadError, StorageWarning

from ._readers import ColumnReader

DEFAULT_MEMORY = 2 * 2**30
# Fractions of the memory limit for one read and for gathered features.
READ_SHARE, GATHER_SHARE = 16, 4
FEWEST_AT_ONCE = 64
GAP_BYTES = 2**17  # reading so many bytes takes less time than skipping them


class ColumnStore(FeatureBlocks):
    """Features on disk, read in blocks; the selectors take it for X.

    Parameters
    ----------
    reader : ColumnReader
        For the format of the file.
    feature_names : array of str, optional
    memory : int, default=2 GiB
        Bytes that processing the data may take. A sixteenth is read at a time.

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
    checked for values that are not finite when it is read, so the check needs no extra pass.
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
        self.xp = np
        if reader.is_row_major(self.read_width()):
            warnings.warn(
                f"{reader.source} is stored sample by sample, so every block of features has to "
                "be collected from the whole file. A copy that is stored feature by feature is "
                f"read much faster: {reader.advice}",
                StorageWarning,
                stacklevel=3,
            )

    def __iter__(self) -> Iterator[Block]:
        for wide in spans(self.shape[1], self.read_width()):
            values = self._read(slice(0, self.shape[0]), wide)
            for _, block in cut_into_blocks(values, wide.start):
                yield block

    def stored_blocks(self, grain: int) -> Iterator[tuple[slice, Array]]:
        """Iterate over the values as stored, in blocks of a multiple of `grain` features."""
        step = max(grain, self.read_width() // grain * grain)
        for span in spans(self.shape[1], step):
            yield span, self._read(slice(0, self.shape[0]), span)

    def row_chunks(self) -> Iterator[Array]:
        height = max(FEWEST_AT_ONCE, self.memory // (READ_SHARE * 8 * self.shape[1]))
        for rows in spans(self.shape[0], height):
            yield to_float64(self._read(rows, slice(0, self.shape[1])))

    def take(self, features: Array) -> Array:
        """Return features as a dense float64 array; each chunk is read once."""
        wanted, place = each_once(features)
        columns = np.empty((self.shape[0], len(wanted)))
        for start, stop in self._runs(wanted):
            first, last = int(wanted[start]), int(wanted[stop - 1])
            values = self._read(slice(0, self.shape[0]), slice(first, last + 1))
            columns[:, start:stop] = to_float64(values[:, wanted[start:stop] - first])
        return columns if np.array_equal(place, np.arange(len(wanted))) else columns[:, place]

    def _runs(self, wanted: Array) -> Iterator[tuple[int, int]]:
        """Group increasing positions into ranges that are read at once, gaps included."""
        stored = self.dtype.itemsize * self.shape[0]
        gap, width, start = max(self.reader.grain, GAP_BYTES // stored), self.read_width(), 0
        for place in range(1, len(wanted) + 1):
            is_end = place == len(wanted) or wanted[place] - wanted[place - 1] > gap
            if is_end or wanted[place] - wanted[start] >= width:
                yield start, place
                start = place

    def gather(self, features: Array) -> FeatureSource:
        if 8 * self.shape[0] * len(np.unique(features)) * GATHER_SHARE > self.memory:
            return self
        return super().gather(features)

    def read_width(self) -> int:
        """Return the number of features to read at once: whole chunks, if the limit allows."""
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
    """Return some samples and features of a file as stored, or raise an error that names them."""
    try:
        return reader.read(rows, columns)
    except (MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # each library has its own; panics of Rust are no Exception
        raise unreadable(reader.source, columns, error) from error


def unreadable(source: str, columns: slice, error: BaseException) -> BlockReadError:
    """Return the error for features that could not be read."""
    return BlockReadError(
        f"{source}: features {columns.start} to {columns.stop - 1} could not be read "
        f"({type(error).__name__}: {error}). There is no result. Check the file, copy it again "
        "if it is damaged, and start again."
    )
