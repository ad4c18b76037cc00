"""Check the positions in a compressed sparse matrix before compiled code follows them."""

from __future__ import annotations

import numpy as np

from ._namespace import Array


def check_positions(indices: Array, indptr: Array, shape: tuple[int, int]) -> None:
    """Raise an error unless all positions of a compressed sparse matrix exist.

    The compiled code of SciPy takes positions as they are: one outside the matrix ends the
    process, or gives numbers that are not in the file.

    Parameters
    ----------
    indices, indptr : array of int
        As in CSR format, or in CSC format for the transposed matrix.
    shape : tuple of int
        Number of lines that are compressed, and their length.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check_positions(np.array([0, 5]), np.array([0, 1, 2]), (2, 3))
    Traceback (most recent call last):
        ...
    ValueError: a position is 5, and positions are from 0 to 2
    """
    n_lines, length = shape
    if indices.ndim != 1 or indptr.ndim != 1 or {indices.dtype.kind, indptr.dtype.kind} - {*"iu"}:
        raise ValueError("positions are not vectors of whole numbers")
    if len(indptr) != n_lines + 1:
        raise ValueError(f"there are {len(indptr) - 1} lines, and {n_lines} are announced")
    if indptr[0] != 0 or np.any(indptr[1:] < indptr[:-1]) or indptr[-1] > len(indices):
        raise ValueError("the starts of the lines do not increase, or exceed the numbers stored")
    if len(indices):
        least, most = int(indices.min()), int(indices.max())
        if least < 0 or most >= length:
            wrong = least if least < 0 else most
            raise ValueError(f"a position is {wrong}, and positions are from 0 to {length - 1}")
