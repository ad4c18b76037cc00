"""Array operations that the array API standard lacks, by the fastest way in each library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.linalg
import scipy.linalg.lapack

QR_BLOCK = 32  # columns; 8 to 32 take about the same time, more take longer
Array = Any  # an array of the library that the user chose
Namespace = Any  # the module with the functions of that library


def is_numpy(xp: Namespace) -> bool:
    """Return whether the namespace is NumPy itself."""
    return xp is np


def is_namespace_of(name: str, xp: Namespace) -> bool:
    """Return whether the namespace is for arrays of the library with this name."""
    return getattr(xp, "library_name", None) == name


def triangle(a: Array, *, xp: Namespace) -> Array:
    """Return R of the QR decomposition of `a`, with no more rows than `a` has."""
    if is_numpy(xp) and min(a.shape) > 0:
        # Half the time of numpy.linalg.qr for tall matrices, or less in Fortran order.
        width = min(*a.shape, QR_BLOCK)
        packed, _, _ = scipy.linalg.lapack.dgeqrt(width, a)
        return np.triu(packed[: min(a.shape)])
    if is_namespace_of("torch", xp):
        return xp.linalg.qr(a, mode="r")[1]  # never forms Q
    return xp.linalg.qr(a, mode="reduced")[1]


def solve_lower(lower: Array, right: Array, *, xp: Namespace) -> Array:
    """Return the solution of ``lower @ x = right`` for a lower triangular matrix."""
    return _solve_triangular(lower, right, is_lower=True, xp=xp)


def solve_upper(upper: Array, right: Array, *, xp: Namespace) -> Array:
    """Return the solution of ``upper @ x = right`` for an upper triangular matrix."""
    return _solve_triangular(upper, right, is_lower=False, xp=xp)


def _solve_triangular(matrix: Array, right: Array, *, is_lower: bool, xp: Namespace) -> Array:
    if is_numpy(xp):
        return scipy.linalg.solve_triangular(matrix, right, lower=is_lower, check_finite=False)
    if is_namespace_of("torch", xp):
        return xp.linalg.solve_triangular(matrix, right, upper=not is_lower)
    if is_namespace_of("cupy", xp):
        from cupyx.scipy.linalg import solve_triangular

        return solve_triangular(matrix, right, lower=is_lower, check_finite=False)
    return xp.linalg.solve(matrix, right)


def kth_largest(values: Array, k: int, *, xp: Namespace) -> Array:
    """Return the k-th largest value; k starts at 1."""
    return np.partition(values, -k)[-k] if is_numpy(xp) else xp.sort(values)[-k]


def cache_pieces(n_rows: int, length: int, *, xp: Namespace) -> Iterator[slice]:
    """Iterate over slices of `length` rows, which stay in cache through several steps.

    A device gets one slice of all rows, because starting an operation on a small one takes longer
    than the operation.
    """
    return spans(n_rows, length if is_numpy(xp) else max(n_rows, 1))


def spans(total: int, step: int) -> Iterator[slice]:
    """Iterate over neighboring slices of at most `step` entries that cover all of `total`."""
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))
