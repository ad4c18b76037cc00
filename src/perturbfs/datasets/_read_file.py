"""Read the files of the catalogue: CSV, MATLAB, NumPy and R."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io

from perturbfs.arrays import Array

from ._rdata import RVector, read_rdata


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts of a data set are in its file; a CSV file needs none of this."""

    X: str = ""  # variable; in an R file names separated by slashes, such as "gasoline/NIR"
    y: str = ""
    names: str | None = None  # variable, or "columns" for the column names of X in an R file
    unit: str = ""  # left out at the end of feature names
    n_features: int | None = None  # the first ones, if X has further columns
    labels: tuple[int, ...] = ()  # of the classes that the file numbers from 1


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of a file."""

    X: Array  # (n_samples, n_features), float64
    y: Array  # (n_samples,), float64
    names: Array | None  # (n_features,), str

    def checksum(self) -> str:
        """Return the sha256 of X and y, which does not depend on the kind of file."""
        values = hashlib.sha256(np.ascontiguousarray(self.X, dtype="<f8").tobytes())
        values.update(np.ascontiguousarray(self.y, dtype="<f8").tobytes())
        return values.hexdigest()


def read_file(path: str | Path, layout: Layout) -> Contents:
    """Return the content of a file in the format that its extension says.

    Parameters
    ----------
    path : path
        ``.csv`` (no header, the outcome in the last column), ``.mat``, ``.npz``, ``.RData`` or
        ``.rda``.
    layout : Layout

    Returns
    -------
    contents : Contents
    """
    path = Path(path)
    X, y, names = _READERS[path.suffix](path, layout)
    if layout.labels:
        y = np.asarray(layout.labels)[np.asarray(y, dtype=int) - 1]
    if names is not None:
        names = np.array([str(name).removesuffix(layout.unit) for name in names])
    return Contents(
        X=np.ascontiguousarray(X[:, : layout.n_features], dtype=np.float64),
        y=np.asarray(y, dtype=np.float64).ravel(),
        names=names,
    )


def _read_csv(path: Path, _: Layout) -> tuple[Array, Array, None]:
    table = np.loadtxt(path, delimiter=",", ndmin=2)
    return table[:, :-1], table[:, -1], None


def _read_matlab(path: Path, layout: Layout) -> tuple[Array, Array, None]:
    variables = scipy.io.loadmat(path, variable_names=[layout.X, layout.y])
    return variables[layout.X], variables[layout.y], None


def _read_numpy(path: Path, layout: Layout) -> tuple[Array, Array, Array | None]:
    with np.load(path, allow_pickle=False) as archive:
        names = None if layout.names is None else archive[layout.names]
        return archive[layout.X], archive[layout.y], names


def _read_r(path: Path, layout: Layout) -> tuple[Array, Array, list[str] | None]:
    objects = read_rdata(path)
    matrix = _find(objects, layout.X)
    names = matrix.column_names if layout.names == "columns" else None
    return matrix.as_matrix(), _find(objects, layout.y).as_array(), names


def _find(objects: dict[str, RVector], where: str) -> RVector:
    first, *parts = where.split("/")
    found: Any = objects[first]
    for part in parts:
        found = found[part]
    return found  # type: ignore[no-any-return]


_READERS: dict[str, Any] = {
    ".csv": _read_csv,
    ".mat": _read_matlab,
    ".npz": _read_numpy,
    ".RData": _read_r,
    ".rda": _read_r,
}
