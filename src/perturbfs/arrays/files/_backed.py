"""Matrices in an HDF5 file that someone else has opened, such as a backed AnnData object."""

from __future__ import annotations

from typing import Any

from perturbfs.arrays._namespace import Array

from ._chunked import describe_array, describe_sparse
from ._store import DEFAULT_MEMORY, ColumnStore


def is_backed(X: Any) -> bool:
    """Return whether X is a matrix in an open HDF5 file: of h5py, or a sparse one of AnnData."""
    return type(_node(X)).__module__.startswith("h5py.")


def open_backed(
    X: Any, *, feature_names: Array | None = None, memory: int = DEFAULT_MEMORY
) -> ColumnStore:
    """Return a matrix in an open HDF5 file as features that are read block by block.

    Parameters
    ----------
    X : h5py.Dataset, or sparse data set of AnnData
        For example the ``X`` of ``anndata.read_h5ad(path, backed="r")``.
    feature_names : array of str, optional
    memory : int, default=2 GiB
        As for `ColumnStore`.

    Returns
    -------
    store : ColumnStore
        Each read opens the file again, so X may be closed meanwhile.

    Raises
    ------
    ValueError
        If the matrix does not hold numbers in two dimensions.
    """
    node = _node(X)
    describe = describe_array if hasattr(node, "shape") else describe_sparse
    reader: Any = describe(node.file.filename, node.name, node)
    if len(reader.shape) != 2 or min(reader.shape) == 0 or reader.dtype.kind not in "fiub":
        raise ValueError(
            f"X is an array of shape {reader.shape} and type {reader.dtype} in {reader.source}, "
            "but a table of numbers with samples in rows and features in columns is needed. "
            "Pass another array."
        )
    return ColumnStore(reader, feature_names=feature_names, memory=memory)


def _node(X: Any) -> Any:
    """Return the data set of h5py, or the group that holds a sparse matrix."""
    return getattr(X, "group", X) if type(X).__module__.startswith("anndata.") else X
