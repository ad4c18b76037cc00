"""Array operations the standard leaves out, by the fastest way each library has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.linalg
import scipy.linalg.lapack

QR_BLOCK = 32  # columns; 8 to 32 take about the same time, more take longer
Array = Any  # an array of whatever library the data came in
Namespace = Any  # the module with that library's functions


def is_numpy(xp: Namespace) -> bool:
    """Whether the namespace is NumPy's own."""
    return xp is np


def is_namespace_of(name: str, xp: Namespace) -> bool:
    """Whether the namespace is that of arrays of the library with this name."""
    return getattr(xp, "library_name", None) == name


def triangle(a: Array, *, xp: Namespace) -> Array:
    """R of the QR decomposition of `a`: square, or as many rows as `a` has if those are fewer."""
    if is_numpy(xp) and min(a.shape) > 0:
        # Half the time of numpy.linalg.qr for tall matrices, most so in Fortran's order.
        width = min(*a.shape, QR_BLOCK)
        packed, _, _ = scipy.linalg.lapack.dgeqrt(width, a)
        return np.triu(packed[: min(a.shape)])
    if is_namespace_of("torch", xp):
        return xp.linalg.qr(a, mode="r")[1]  # never forms Q
    return xp.linalg.qr(a, mode="reduced")[1]


def solve_lower(lower: Array, right: Array, *, xp: Namespace) -> Array:
    """Solution of ``lower @ x = right`` for a lower triangular matrix."""
    return _solve_triangular(lower, right, is_lower=True, xp=xp)


def solve_upper(upper: Array, right: Array, *, xp: Namespace) -> Array:
    """Solution of ``upper @ x = right`` for an upper triangular matrix."""
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
    """The value that k - 1 others are at least as large as."""
    return np.partition(values, -k)[-k] if is_numpy(xp) else xp.sort(values)[-k]


def cache_pieces(n_rows: int, length: int, *, xp: Namespace) -> Iterator[slice]:
    """Slices of so many rows, that stay in cache through several steps; on a device only one.

    A device has no use for small pieces: starting work on one takes longer than the work.
    """
    step = length if is_numpy(xp) else max(n_rows, 1)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))
