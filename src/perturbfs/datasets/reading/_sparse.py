"""Sparse matrices, whose positions are checked before compiled code follows them."""

from __future__ import annotations

from typing import Any

import numpy as np

from perturbfs.datasets._errors import TableError

from ._limits import check_emptiness


def is_sparse(array: Any) -> bool:
    """Return whether an array is a sparse matrix of SciPy, without loading SciPy."""
    return hasattr(array, "tocsr")


def checked_sparse(matrix: Any) -> Any:
    """Return a sparse matrix of CSR or CSC format as it is, if all its positions exist."""
    from perturbfs.arrays import check_positions

    shape = tuple(map(int, matrix.shape))
    n_stored = matrix.data.size
    check_emptiness((shape[0], shape[1]), n_stored + min(shape))
    lines = shape if matrix.format == "csr" else shape[::-1]
    try:
        check_positions(matrix.indices, matrix.indptr, (lines[0], lines[1]))
    except ValueError as error:
        raise _damaged(error) from error
    return matrix


def sparse_from_arrays(arrays: dict[str, Any]) -> Any:
    """Return the sparse matrix that `scipy.sparse.save_npz` has written as these arrays."""
    try:
        kind = arrays["format"].item()
        kind = kind.decode("ascii") if isinstance(kind, bytes) else str(kind)
        shape = tuple(int(side) for side in np.ravel(arrays["shape"]))
        if len(shape) != 2 or min(shape) < 0 or arrays["data"].dtype.kind not in "fiub":
            raise TableError(
                f"the sparse matrix has shape {shape} and type {arrays['data'].dtype}, and a "
                "table of numbers with two dimensions is needed."
            )
        check_emptiness((shape[0], shape[1]), arrays["data"].size + min(shape))
        return _build(kind, arrays, (shape[0], shape[1]))
    except TableError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        raise _damaged(error) from error


def _build(kind: str, arrays: dict[str, Any], shape: tuple[int, int]) -> Any:
    import scipy.sparse

    from perturbfs.arrays import check_positions

    data = arrays["data"]
    if kind in ("csr", "csc"):
        indices, indptr = arrays["indices"], arrays["indptr"]
        check_positions(indices, indptr, shape if kind == "csr" else shape[::-1])
        make = scipy.sparse.csr_array if kind == "csr" else scipy.sparse.csc_array
        return make((data, indices, indptr), shape=shape)
    if kind == "coo":
        row, col = arrays["coords"] if "coords" in arrays else (arrays["row"], arrays["col"])
        for places, side in ((row, shape[0]), (col, shape[1])):
            check_positions(places, np.array([0, data.size]), (1, side))
        return scipy.sparse.coo_array((data, (row, col)), shape=shape).tocsr()
    raise TableError(
        f"the sparse matrix is in the format {kind[:20]!r}, which is not supported. Save it in "
        "CSR or CSC format."
    )


def _damaged(error: Exception) -> TableError:
    return TableError(
        f"the sparse matrix is damaged ({error}). Copy the file again, or save the matrix again."
    )
