"""Feature matrices as blocks of features, with one interface for all of them.

The numerics go through a matrix block by block and never ask how it is stored. A block is small
enough to stay in cache and large enough for the matrix product to run at full speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import scipy.sparse

from ._block import Block, as_block, to_float64
from ._namespace import Array, Namespace, spans

BLOCK_BYTES = 8 * 2**20
MIN_BLOCK_WIDTH = 512
# Combines the results of neighboring blocks, given in order, into one result.
Combine = Callable[[Sequence[Any]], Any]


class BlockFunction(Protocol):
    """A function that is called with each block: of a module, or a small frozen dataclass.

    It is pickled when blocks are processed in other processes. So it holds no array with one
    entry per feature. Pass such arrays to `FeatureBlocks.map`, which gives the function the part
    of its block. A function that calls another one holds it as an attribute `function`.
    """

    def __call__(self, block: Any, *parts: Any) -> Any:
        """Return a result that is small compared with the block.

        The result is an array, a number, a string, None, or a tuple, list or dataclass of these.
        The annotation of the return type must name the dataclass.
        """


class FeatureSource(Protocol):
    """Any object that returns some of its features as an array."""

    def take(self, features: Array) -> Array:
        """Return features, given by position, as a dense float64 array."""


class FeatureBlocks:
    """A feature matrix that is read block by block, any number of times.

    Attributes
    ----------
    shape : tuple of int
        Samples and features.
    dtype : dtype
        Of the values as stored; blocks are float64.
    xp : module
        Array namespace of the blocks.
    """

    shape: tuple[int, int]
    dtype: np.dtype
    xp: Namespace

    def __iter__(self) -> Iterator[Block]:
        """Iterate over the blocks, where they are processed in this thread."""
        raise NotImplementedError

    def map(
        self,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,  # noqa: ARG002 - results stay in this thread
    ) -> Iterator[tuple[slice, Any]]:
        """Call a function with every block: one pass over the features.

        Parameters
        ----------
        function : BlockFunction
        *arrays : arrays of shape (n_features, ...) or None
            The function gets the part of each that belongs to the block. None stays None.
        combine : callable, optional
            Where results are sent between processes or written, it may be called first to
            combine the results of neighboring blocks. Must be picklable.

        Yields
        ------
        span, result : slice and result
            In order. The span is that of all blocks whose results were combined.
        """
        for block in self:
            parts = (None if each is None else each[block.span, ...] for each in arrays)
            yield block.span, function(block, *parts)

    def row_chunks(self) -> Iterator[Array]:
        """Iterate over dense float64 chunks of samples, in order."""
        raise NotImplementedError

    def take(self, features: Array) -> Array:
        """Return features, given by position, as a dense float64 array."""
        raise NotImplementedError

    def gather(self, features: Array) -> FeatureSource:
        """Return an object to take these features from; reads them once where memory allows."""
        features = np.unique(features)
        return GatheredFeatures(features, self.take(features))


class GatheredFeatures:
    """Some features in memory, found by their positions among all features."""

    def __init__(self, features: Array, columns: Array) -> None:
        self._features, self._columns = features, columns

    def take(self, features: Array) -> Array:
        """Return features, given by position, as a dense float64 array."""
        return self._columns[:, np.searchsorted(self._features, features)]


class DenseBlocks(FeatureBlocks):
    """Blocks of an array in memory; float32 and integers become float64 block by block."""

    def __init__(self, values: Array, *, xp: Namespace = np) -> None:
        self.values, self.shape, self.xp = values, tuple(values.shape), xp
        self.dtype = values.dtype

    def __iter__(self) -> Iterator[Block]:
        for span in spans(self.shape[1], self._step(self.shape[0])):
            yield self._block(span)

    def row_chunks(self) -> Iterator[Array]:
        for span in spans(self.shape[0], self._step(self.shape[1])):
            yield self.xp.astype(self.values[span, :], self.xp.float64, copy=False)

    def take(self, features: Array) -> Array:
        chosen = self.xp.take(self.values, self.xp.asarray(features), axis=1)
        return self.xp.astype(chosen, self.xp.float64)

    def gather(self, features: Array) -> FeatureSource:  # noqa: ARG002
        """Return these blocks, because all features are in memory."""
        return self

    def _block(self, span: slice) -> Block:
        return as_block(self.values[:, span], span)

    def _step(self, length: int) -> int:
        """Return how many columns or rows of this length are processed at once."""
        return block_width(length)


class SparseBlocks(DenseBlocks):
    """Blocks of a scipy.sparse matrix in memory."""

    def __init__(self, values: scipy.sparse.sparray | scipy.sparse.spmatrix) -> None:
        super().__init__(scipy.sparse.csc_array(values))

    def row_chunks(self) -> Iterator[Array]:
        rows = self.values.tocsr()
        for span in spans(self.shape[0], block_width(self.shape[1])):
            yield to_float64(rows[span])

    def take(self, features: Array) -> Array:
        return to_float64(self.values[:, features])


class WrappedBlocks(FeatureBlocks):
    """Forward every attribute of other blocks that is not overridden.

    Parameters
    ----------
    blocks : FeatureBlocks
    """

    def __init__(self, blocks: FeatureBlocks) -> None:
        self.blocks, self.shape, self.xp = blocks, blocks.shape, blocks.xp

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the wrapped blocks, such as names or the memory limit."""
        if name == "blocks":  # not set yet while being unpickled
            raise AttributeError(name)
        return getattr(self.blocks, name)

    def row_chunks(self) -> Iterator[Array]:
        return self.blocks.row_chunks()

    def take(self, features: Array) -> Array:
        return self.blocks.take(features)

    def gather(self, features: Array) -> FeatureSource:
        return self.blocks.gather(features)


def block_width(height: int) -> int:
    """Return the number of features of a block with so many samples, or the reverse."""
    return max(MIN_BLOCK_WIDTH, BLOCK_BYTES // (8 * max(height, 1)))


def cut_into_blocks(values: Array, first: int) -> Iterator[tuple[slice, Block]]:
    """Iterate over neighboring features as blocks, with the positions of each within `values`.

    `first` is the position of the first feature among all features.
    """
    for inside in spans(values.shape[1], block_width(values.shape[0])):
        yield inside, as_block(values[:, inside], slice(first + inside.start, first + inside.stop))


def each_once(features: Array) -> tuple[Array, Array]:
    """Return the sorted unique positions of features and their inverse.

    The features are given by position or by a mask. ``positions[inverse]`` are the features in
    the order given.
    """
    features = np.asarray(features)
    if features.dtype == bool:
        features = np.flatnonzero(features)
    wanted, place = np.unique(features, return_inverse=True)
    return wanted, place
