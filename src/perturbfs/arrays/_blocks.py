"""Feature matrices as blocks of features, dense or sparse, behind one interface.

The numerics walk over a matrix block by block and never ask what it is. A block is float64
whatever the matrix holds, small enough to stay in cache and large enough for the matrix
product to run at full speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, Self

import numpy as np
import scipy.sparse

from ._namespace import Array, Namespace, is_numpy

BLOCK_BYTES = 8 * 2**20
MIN_BLOCK_WIDTH = 512
# Makes one result of those of neighboring blocks, given in order.
Combine = Callable[[Sequence[Any]], Any]


class Block(Protocol):
    """Some neighbouring features, all samples."""

    span: slice

    def extremes(self) -> tuple[Array, Array]:
        """Smallest and largest value of each feature."""

    def scaled(self, scale: Array, shift: Array | None = None) -> Self | DenseBlock:
        """The block with `shift` subtracted from each feature, then multiplied by `scale`."""

    def norms(self) -> Array:
        """2-norm of each feature."""

    def gram(self) -> Array:
        """Product of the block with its transpose, n_samples x n_samples."""

    def times(self, right: Array) -> Array:
        """Product of the block with a dense matrix of one row per feature."""

    def project(self, left: Array) -> Array:
        """Product of the transposed block with a dense matrix of one row per sample."""

    def dense(self) -> Array:
        """The block as a dense array."""


class BlockFunction(Protocol):
    """What is done with a block: a function of a module or a small frozen dataclass.

    It is pickled where blocks are worked on elsewhere, so it holds nothing as long as the
    features; such arrays are given to `FeatureBlocks.map`, which hands on the part of a block.
    """

    def __call__(self, block: Any, *parts: Any) -> Any:
        """A result that is small beside the block."""


class FeatureBlocks(Protocol):
    """A feature matrix that can be walked over, and walked over again."""

    shape: tuple[int, int]
    dtype: Any  # of the values as they are stored
    xp: Namespace

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """One pass: where each block lies and what the function makes of it, in order.

        Parameters
        ----------
        function : BlockFunction
        *arrays : arrays of shape (n_features, ...) or None
            The function gets of each the part that belongs to the block; None stays None.
        combine : callable, optional
            Where results have to travel, those of neighboring blocks may be combined before
            with it, and the span is that of all of them. Picklable like the function.
        """

    def row_chunks(self) -> Iterator[Array]:
        """Dense float64 chunks of samples, in order, for matrices with many samples."""

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array."""

    def gather(self, features: Array) -> FeatureSource:
        """What takes features from these alone, faster where they have to be read."""


class FeatureSource(Protocol):
    """Something that features can be taken from."""

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array."""


class DenseBlock:
    """A block held as an array."""

    def __init__(self, values: Array, span: slice, *, xp: Namespace) -> None:
        self.values, self.span, self.xp = values, span, xp

    def extremes(self) -> tuple[Array, Array]:
        return self.xp.min(self.values, axis=0), self.xp.max(self.values, axis=0)

    def scaled(self, scale: Array, shift: Array | None = None) -> DenseBlock:
        values = self.values if shift is None else self.values - shift
        return DenseBlock(values * scale, self.span, xp=self.xp)

    def norms(self) -> Array:
        if is_numpy(self.xp):  # no array of squares in between
            return np.sqrt(np.einsum("ij,ij->j", self.values, self.values))
        return self.xp.linalg.vector_norm(self.values, axis=0)

    def gram(self) -> Array:
        return self.values @ self.values.T

    def times(self, right: Array) -> Array:
        return self.values @ right

    def project(self, left: Array) -> Array:
        return self.values.T @ left

    def dense(self) -> Array:
        return self.values


class SparseBlock:
    """A block held as a scipy.sparse matrix in CSC format; the zeros are never stored."""

    def __init__(self, values: scipy.sparse.csc_array, span: slice) -> None:
        self.values, self.span = values, span

    def extremes(self) -> tuple[Array, Array]:
        return (
            self.values.min(axis=0).toarray().ravel(),
            self.values.max(axis=0).toarray().ravel(),
        )

    def scaled(self, scale: Array, shift: Array | None = None) -> SparseBlock | DenseBlock:
        if shift is not None and np.any(shift):
            # Subtracting from the zeros fills the block; only this block, not the matrix.
            return DenseBlock(self.dense(), self.span, xp=np).scaled(scale, shift)
        return SparseBlock(self.values @ scipy.sparse.diags_array(scale, format="csc"), self.span)

    def norms(self) -> Array:
        return np.sqrt(self.values.power(2).sum(axis=0))

    def gram(self) -> Array:
        return (self.values @ self.values.T).toarray()

    def times(self, right: Array) -> Array:
        return self.values @ right

    def project(self, left: Array) -> Array:
        return self.values.T @ left

    def dense(self) -> Array:
        return self.values.toarray()


class LocalBlocks:
    """Blocks that are worked on here, one after the other."""

    def __iter__(self) -> Iterator[Block]:
        raise NotImplementedError

    def map(
        self,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,  # noqa: ARG002
    ) -> Iterator[tuple[slice, Any]]:
        """One pass, as `FeatureBlocks.map` says. Nothing is combined, since nothing travels."""
        for block in self:
            parts = (None if each is None else each[block.span, ...] for each in arrays)
            yield block.span, function(block, *parts)

    def take(self, features: Array) -> Array:
        raise NotImplementedError

    def gather(self, features: Array) -> FeatureSource:  # noqa: ARG002
        """These blocks themselves: they are in memory."""
        return self


class DenseBlocks(LocalBlocks):
    """Blocks of an array in memory; float32 and integers become float64 block by block."""

    def __init__(self, values: Array, *, xp: Namespace = np) -> None:
        self.values, self.shape, self.xp = values, tuple(values.shape), xp
        self.dtype = values.dtype

    def __iter__(self) -> Iterator[DenseBlock]:
        for span in spans(self.shape[1], block_width(self.shape[0])):
            values = self.xp.astype(self.values[:, span], self.xp.float64, copy=False)
            yield DenseBlock(values, span, xp=self.xp)

    def row_chunks(self) -> Iterator[Array]:
        for span in spans(self.shape[0], block_width(self.shape[1])):
            yield self.xp.astype(self.values[span, :], self.xp.float64, copy=False)

    def take(self, features: Array) -> Array:
        return self.xp.astype(self.xp.take(self.values, features, axis=1), self.xp.float64)


class SparseBlocks(LocalBlocks):
    """Blocks of a scipy.sparse matrix in memory."""

    def __init__(self, values: scipy.sparse.sparray | scipy.sparse.spmatrix) -> None:
        self.values, self.shape = scipy.sparse.csc_array(values), values.shape
        self.dtype = values.dtype
        self.xp: Namespace = np

    def __iter__(self) -> Iterator[SparseBlock]:
        for span in spans(self.shape[1], block_width(self.shape[0])):
            yield SparseBlock(self.values[:, span].astype(np.float64), span)

    def row_chunks(self) -> Iterator[Array]:
        rows = self.values.tocsr()
        for span in spans(self.shape[0], block_width(self.shape[1])):
            yield rows[span].toarray().astype(np.float64, copy=False)

    def take(self, features: Array) -> Array:
        return self.values[:, features].toarray().astype(np.float64, copy=False)


def is_blocks(X: Any) -> bool:
    """Whether this is no array but blocks already, as those of a file are."""
    return hasattr(X, "row_chunks") and hasattr(X, "map")


def is_dask_array(X: Any) -> bool:
    """Whether X is a dask array; dask is not imported to find out."""
    return type(X).__module__.startswith("dask.array")


def to_dense(values: Array) -> Array:
    """Return a sparse matrix as a dense array, and a dense array as it is."""
    return values.toarray() if scipy.sparse.issparse(values) else values


def block_width(height: int) -> int:
    """Features (or samples) of a block that has so many samples (or features)."""
    return max(MIN_BLOCK_WIDTH, BLOCK_BYTES // (8 * max(height, 1)))


def spans(total: int, step: int) -> Iterator[slice]:
    """Neighboring slices that cover everything."""
    for start in range(0, total, step):
        yield slice(start, min(start + step, total))


def each_once(features: Array) -> tuple[Array, Array]:
    """Positions of the named or marked features, growing, and where each one asked for is."""
    features = np.asarray(features)
    if features.dtype == bool:
        features = np.flatnonzero(features)
    wanted, place = np.unique(features, return_inverse=True)
    return wanted, place
