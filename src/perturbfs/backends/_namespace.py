"""Array operations the standard leaves out, by the fastest way each library has."""

from __future__ import annotations

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


def triangle(a: Array, *, xp: Namespace) -> Array:
    """R of the QR decomposition of `a`: square, or as many rows as `a` has if those are fewer."""
    if is_numpy(xp) and min(a.shape) > 0:
        # Half the time of numpy.linalg.qr for tall matrices, most so in Fortran's order.
        width = min(*a.shape, QR_BLOCK)
        packed, _, _ = scipy.linalg.lapack.dgeqrt(width, a)
        return np.triu(packed[: min(a.shape)])
    return xp.linalg.qr(a, mode="reduced")[1]


def solve_lower(lower: Array, right: Array, *, xp: Namespace) -> Array:
    """Solution of ``lower @ x = right`` for a lower triangular matrix."""
    if is_numpy(xp):
        return scipy.linalg.solve_triangular(lower, right, lower=True, check_finite=False)
    return xp.linalg.solve(lower, right)


def solve_upper(upper: Array, right: Array, *, xp: Namespace) -> Array:
    """Solution of ``upper @ x = right`` for an upper triangular matrix."""
    if is_numpy(xp):
        return scipy.linalg.solve_triangular(upper, right, lower=False, check_finite=False)
    return xp.linalg.solve(upper, right)
