"""Blocks of features from a .npy file, by plain reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs.arrays._namespace import Array


@dataclass(frozen=True, slots=True)
class NpyReader:
    """Some features of a matrix in a .npy file, in either order."""

    source: str
    shape: tuple[int, ...]  # of two sides, which whoever opens the file checks
    dtype: np.dtype
    is_fortran: bool
    offset: int  # of the first value, in bytes

    @property
    def grain(self) -> int:
        """Any feature can be read by itself."""
        return 1

    @property
    def advice(self) -> str:
        """How to store the matrix feature by feature."""
        return f"perturbfs convert {self.source} --to zarr"

    def is_row_major(self, width: int) -> bool:
        """Whether a block lies in as many pieces as there are samples."""
        return not self.is_fortran and width < self.shape[1]

    def read(self, rows: slice, columns: slice) -> Array:
        """Values of some samples and features."""
        # Lines are what lies together in the file: features, or samples in C order.
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

    def _fill(self, file: object, first: int, values: Array) -> None:
        file.seek(self.offset + first * self.dtype.itemsize)  # type: ignore[attr-defined]
        left = memoryview(values).cast("B")
        while left:
            n_read = file.readinto(left)  # type: ignore[attr-defined]
            if not n_read:
                raise EOFError("the file ends before its last value")
            left = left[n_read:]


def read_npy_header(path: str) -> NpyReader:
    """How the matrix of a .npy file is stored.

    Parameters
    ----------
    path : str

    Returns
    -------
    reader : NpyReader
    """
    with open(path, "rb") as file:
        major, _ = np.lib.format.read_magic(file)
        read = (
            np.lib.format.read_array_header_1_0
            if major == 1
            else np.lib.format.read_array_header_2_0
        )
        shape, is_fortran, dtype = read(file)
        return NpyReader(path, shape, dtype, is_fortran, file.tell())
