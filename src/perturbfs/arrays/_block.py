"""One block of features: some neighboring features of all samples, dense or sparse, as float64."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import scipy.sparse

from ._namespace import Array, Namespace, is_numpy


class Block:
    """A block that is held as a dense array; its methods are all that the numerics use.

    Parameters
    ----------
    values : array of shape (n_samples, n_block_features)
        float64.
    span : slice
        Positions of the features among all features.
    xp : module
        Array namespace of the values.
    """

    def __init__(self, values: Any, span: slice, *, xp: Namespace) -> None:
        self.values, self.span, self.xp = values, span, xp

    def extremes(self) -> tuple[Array, Array]:
        """Return the smallest and the largest value of each feature."""
        return self.xp.min(self.values, axis=0), self.xp.max(self.values, axis=0)

    def scaled(self, scale: Array, shift: Array | None = None) -> Block:
        """Return the block with `shift` subtracted from each feature, then times `scale`."""
        block = copy(self)
        block.values = (self.values if shift is None else self.values - shift) * scale
        return block

    def norms(self) -> Array:
        """Return the 2-norm of each feature."""
        if is_numpy(self.xp):  # no temporary array of squares
            return np.sqrt(np.einsum("ij,ij->j", self.values, self.values))
        return self.xp.linalg.vector_norm(self.values, axis=0)

    def gram(self) -> Array:
        """Return the product of the block with its transpose, n_samples x n_samples."""
        return self.values @ self.values.T

    def times(self, right: Array) -> Array:
        """Return the product of the block with a dense matrix of one row per feature."""
        return self.values @ right

    def project(self, left: Array) -> Array:
        """Return the product of the transposed block with a matrix of one row per sample."""
        return self.values.T @ left

    def dense(self) -> Array:
        """Return the values as a dense array."""
        return self.values


class SparseBlock(Block):
    """A block that is held as a scipy.sparse array in CSC format; zeros are never stored."""

    def extremes(self) -> tuple[Array, Array]:
        smallest, largest = self.values.min(axis=0), self.values.max(axis=0)
        return to_dense(smallest).ravel(), to_dense(largest).ravel()

    def scaled(self, scale: Array, shift: Array | None = None) -> Block:
        if shift is not None and np.any(shift):
            # Subtracting from the zeros fills this block, but not the whole matrix.
            return Block(self.dense(), self.span, xp=np).scaled(scale, shift)
        values = self.values @ scipy.sparse.diags_array(scale, format="csc")
        return SparseBlock(values, self.span, xp=np)

    def norms(self) -> Array:
        return np.sqrt(self.values.power(2).sum(axis=0))

    def gram(self) -> Array:
        return to_dense(super().gram())

    def dense(self) -> Array:
        return to_dense(self.values)


def as_block(values: Array, span: slice) -> Block:
    """Return values of any real type, a NumPy array or sparse matrix, as a block."""
    if scipy.sparse.issparse(values):
        return SparseBlock(scipy.sparse.csc_array(values, dtype=np.float64), span, xp=np)
    return Block(to_float64(values), span, xp=np)


def to_dense(values: Array) -> Array:
    """Return a sparse matrix as a dense array, and a dense array unchanged."""
    return values.toarray() if scipy.sparse.issparse(values) else values


def to_float64(values: Array) -> Array:
    """Return a NumPy array or sparse matrix as a dense float64 array."""
    return to_dense(values).astype(np.float64, copy=False)
