"""Readers of .npy and Parquet files, and what every reader offers."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from io import FileIO

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.arrays._namespace import Array


class ColumnReader:
    """Read part of a matrix in a file.

    Subclasses are dataclasses that hold the path and read nothing until they are asked to. They
    can be pickled, so any process that sees the file can read it.
    """

    source: str  # the file
    shape: tuple[int, ...]
    dtype: np.dtype

    @property
    def grain(self) -> int:
        """The number of neighboring features that are always read together."""
        return 1

    @property
    def n_bytes(self) -> int:
        """The size of what is stored, without compression; at least, if the matrix is sparse."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def advice(self) -> str:
        """The command that stores the matrix feature by feature."""
        return f"perturbfs convert {self.source} --to zarr"

    def is_row_major(self, width: int) -> bool:  # noqa: ARG002
        """Return whether a block of `width` features is scattered over the whole file."""
        return False

    def read(self, rows: slice, columns: slice) -> Array:
        """Return values of some samples and features, as an array or in CSC format."""
        raise NotImplementedError


@dataclass(frozen=True)
class NpyReader(ColumnReader):
    """Read a matrix in a .npy file, in C or Fortran order, without mapping it into memory."""

    source: str
    shape: tuple[int, ...]  # the caller checks that there are two sides
    dtype: np.dtype
    is_fortran: bool
    offset: int  # of the first value, in bytes

    def is_row_major(self, width: int) -> bool:
        return not self.is_fortran and width < self.shape[1]

    def read(self, rows: slice, columns: slice) -> Array:
        # A line is contiguous in the file: a feature, or a sample in C order.
        lines, within = (columns, rows) if self.is_fortran else (rows, columns)
        length = self.shape[0] if self.is_fortran else self.shape[1]
        n_lines, n_within = lines.stop - lines.start, within.stop - within.start
        values = np.empty((n_lines, n_within), dtype=self.dtype)
        with open(self.source, "rb", buffering=0) as file:
            if n_within == length:
                self._fill(file, lines.start * length, values)
            else:
                for line in range(n_lines):
                    self._fill(file, (lines.start + line) * length + within.start, values[line])
        values = values.astype(self.dtype.newbyteorder("="), copy=False)
        return values.T if self.is_fortran else values

    def _fill(self, file: FileIO, first: int, values: Array) -> None:
        file.seek(self.offset + first * self.dtype.itemsize)
        left = memoryview(values).cast("B")
        while left:
            n_read = file.readinto(left)
            if not n_read:
                raise EOFError("the file ends before its last value")
            left = left[n_read:]


def read_npy_header(path: str) -> NpyReader:
    """Return a reader for a .npy file, from its header."""
    with open(path, "rb") as file:
        major, _ = np.lib.format.read_magic(file)
        read = (
            np.lib.format.read_array_header_1_0
            if major == 1
            else np.lib.format.read_array_header_2_0
        )
        shape, is_fortran, dtype = read(file)
        offset = file.tell()
        size, n_bytes = math.prod(shape) * dtype.itemsize, file.seek(0, os.SEEK_END)
    if min(shape, default=0) < 0 or (size > n_bytes - offset and not dtype.hasobject):
        raise EOFError(
            f"an array of shape {shape} and type {dtype} is announced, and {n_bytes - offset:,} "
            "bytes follow"
        )
    return NpyReader(path, shape, dtype, is_fortran, offset)


@dataclass(frozen=True)
class ParquetReader(ColumnReader):
    """Read the columns of a Parquet file that are features."""

    source: str
    columns: tuple[str, ...]
    n_samples: int
    dtype: np.dtype

    @property
    def shape(self) -> tuple[int, int]:  # type: ignore[override]
        """Samples and features."""
        return self.n_samples, len(self.columns)

    @property
    def grain(self) -> int:
        """Any feature can be read by itself, but each read starts with the list of columns."""
        return 4096

    def read(self, rows: slice, columns: slice) -> Array:
        polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")
        names = list(self.columns[columns])
        frame = polars.read_parquet(
            self.source, columns=names, glob=False, hive_partitioning=False, memory_map=False
        )
        kind = polars.Float32 if self.dtype == np.float32 else polars.Float64
        # Missing entries become NaN, which is then refused.
        return frame[rows].select(names).cast(kind).to_numpy()
