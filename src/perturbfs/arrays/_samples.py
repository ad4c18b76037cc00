"""Blocks that hold only some of the samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._block import Block, as_block
from ._blocks import BlockFunction, Combine, FeatureBlocks, FeatureSource, WrappedBlocks
from ._namespace import Array


class SampleBlocks(WrappedBlocks):
    """The blocks of other blocks, with some of the samples only.

    Parameters
    ----------
    blocks : FeatureBlocks
    samples : array of int of shape (n_used,)
        Increasing.
    """

    def __init__(self, blocks: FeatureBlocks, samples: Array) -> None:
        super().__init__(blocks)
        self.samples = np.asarray(samples)
        self.shape = (len(self.samples), blocks.shape[1])

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """Call a function with every block, as `FeatureBlocks.map` does."""
        return self.blocks.map(_OnSamples(self.samples, function), *arrays, combine=combine)

    def row_chunks(self) -> Iterator[Array]:
        start = 0
        for chunk in self.blocks.row_chunks():
            first, last = np.searchsorted(self.samples, [start, start + len(chunk)])
            if first < last:
                yield chunk[self.samples[first:last] - start]
            start += len(chunk)

    def take(self, features: Array) -> Array:
        return self.blocks.take(features)[self.samples]

    def gather(self, features: Array) -> FeatureSource:
        return FeatureBlocks.gather(self, features)


@dataclass(frozen=True, slots=True)
class _OnSamples:
    """Call a function with some samples of a block."""

    samples: Array
    function: BlockFunction

    def __call__(self, block: Block, *parts: Any) -> Any:
        return self.function(as_block(block.values[self.samples], block.span), *parts)
