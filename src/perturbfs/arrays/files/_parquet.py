"""Blocks of features from a Parquet file, columns read by groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.arrays._namespace import Array


@dataclass(frozen=True, slots=True)
class ParquetReader:
    """The numeric columns of a Parquet file that are features."""

    source: str
    columns: tuple[str, ...]
    n_samples: int
    dtype: np.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and features."""
        return self.n_samples, len(self.columns)

    @property
    def grain(self) -> int:
        """Any feature can be read by itself, but the list of columns is read every time."""
        return 4096

    @property
    def advice(self) -> str:
        """How to store the matrix feature by feature."""
        return f"perturbfs convert {self.source} --to zarr"

    def is_row_major(self, width: int) -> bool:  # noqa: ARG002
        """The format keeps columns together."""
        return False

    def read(self, rows: slice, columns: slice) -> Array:
        """Values of some samples and features."""
        polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")
        names = list(self.columns[columns])
        frame = polars.read_parquet(
            self.source, columns=names, glob=False, hive_partitioning=False, memory_map=False
        )
        kind = polars.Float32 if self.dtype == np.float32 else polars.Float64
        # Missing entries become NaN, which is refused as such.
        return frame[rows].select(names).cast(kind).to_numpy()
