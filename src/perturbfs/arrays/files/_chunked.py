"""Readers of Zarr stores and HDF5 files, dense or sparse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs._support.extras import import_extra
from perturbfs.arrays._namespace import Array
from perturbfs.arrays._positions import check_positions

from ._guard import refuse_outside
from ._readers import ColumnReader

AT_ONCE = 2**24  # stored values of a sparse matrix that are searched at a time


@contextmanager
def open_group(path: str, extra: str = "formats") -> Iterator[Any]:
    """Open a Zarr store (a directory) or an HDF5 file; both have the same interface."""
    if path.rstrip("/").endswith(".zarr"):
        zarr = import_extra("zarr", extra=extra, needed_by="Reading Zarr")
        yield zarr.open(path, mode="r")
    else:
        h5py = import_extra("h5py", extra=extra, needed_by="Reading HDF5")
        with h5py.File(path, "r") as file:
            yield file


@dataclass(frozen=True)
class ArrayReader(ColumnReader):
    """Read a matrix that is stored in chunks, or in one piece."""

    source: str
    name: str  # of the array in the store; empty if the store is the array
    shape: tuple[int, int]
    dtype: np.dtype
    chunks: tuple[int, int] | None

    @property
    def grain(self) -> int:
        """The width of a chunk."""
        return self.chunks[1] if self.chunks else 1

    def is_row_major(self, width: int) -> bool:
        if self.chunks is None:
            return width < self.shape[1]
        return self.chunks[0] < self.shape[0] and self.chunks[1] > width

    def read(self, rows: slice, columns: slice) -> Array:
        with open_group(self.source) as group:
            array = group[self.name] if self.name else group
            refuse_outside(array)
            return np.asarray(array[rows, columns])


def describe_array(path: str, name: str, array: Any) -> ArrayReader:
    """Return a reader for a matrix of an open store."""
    chunks = getattr(array, "shards", None) or array.chunks
    return ArrayReader(path, name, tuple(array.shape), np.dtype(array.dtype), chunks)


@dataclass(frozen=True)
class SparseReader(ColumnReader):
    """Read a sparse matrix as AnnData stores it: data, indices and indptr."""

    source: str
    name: str
    shape: tuple[int, int]
    dtype: np.dtype
    is_csc: bool

    @property
    def grain(self) -> int:
        """In CSC format any feature can be read by itself, in CSR format only all of them."""
        return 1 if self.is_csc else self.shape[1]

    @property
    def n_bytes(self) -> int:
        """The size of the names of samples and features, at least one letter each."""
        return sum(self.shape)

    @property
    def advice(self) -> str:
        """The way to store the matrix feature by feature."""
        return "write X in CSC format (scipy.sparse.csc_matrix) with AnnData"

    def is_row_major(self, width: int) -> bool:
        return not self.is_csc and width < self.shape[1]

    def read(self, rows: slice, columns: slice) -> Array:
        with open_group(self.source, extra="anndata") as group:
            matrix = group[self.name]
            refuse_outside(matrix)
            if self.is_csc:
                return self._columns(matrix, columns)[rows]
            return scipy.sparse.csc_array(self._columns_of_rows(matrix, rows, columns))

    def _columns(self, matrix: Any, columns: slice) -> Any:
        pointers = np.asarray(matrix["indptr"][columns.start : columns.stop + 1])
        n_columns = columns.stop - columns.start
        stored = self._stored(matrix, pointers, (n_columns, self.shape[0]))
        return scipy.sparse.csc_array(stored, shape=(self.shape[0], n_columns))

    def _columns_of_rows(self, matrix: Any, rows: slice, columns: slice) -> Any:
        pointers = np.asarray(matrix["indptr"][rows.start : rows.stop + 1]).astype(np.int64)
        parts, start = [], 0
        while start < len(pointers) - 1:
            stop = int(np.searchsorted(pointers, pointers[start] + AT_ONCE, side="right")) - 1
            stop = max(stop, start + 1)
            shape = (stop - start, self.shape[1])
            part = self._stored(matrix, pointers[start : stop + 1], shape)
            parts.append(scipy.sparse.csr_array(part, shape=shape)[:, columns])
            start = stop
        return scipy.sparse.vstack(parts, format="csc")

    def _stored(
        self, matrix: Any, pointers: Array, shape: tuple[int, int]
    ) -> tuple[Array, Array, Array]:
        """Return data, indices and indptr of neighboring rows or columns."""
        stored = slice(int(pointers[0]), int(pointers[-1]))
        data, indices = np.asarray(matrix["data"][stored]), np.asarray(matrix["indices"][stored])
        check_positions(indices, pointers - pointers[0], shape)
        return data, indices, pointers - pointers[0]


def describe_sparse(path: str, name: str, matrix: Any) -> SparseReader:
    """Return a reader for a sparse matrix of an open store."""
    shape = tuple(int(side) for side in matrix.attrs["shape"])
    is_csc = str(matrix.attrs["encoding-type"]) == "csc_matrix"
    return SparseReader(path, name, (shape[0], shape[1]), np.dtype(matrix["data"].dtype), is_csc)
