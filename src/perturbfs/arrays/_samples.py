"""Some samples of features that are walked over in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._blocks import BlockFunction, Combine, FeatureBlocks, FeatureSource
from ._namespace import Array
from ._wrapped import WrappedBlocks
from .files._store import GatheredFeatures, as_block


class SampleBlocks(WrappedBlocks):
    """The blocks with some of the samples only.

    Parameters
    ----------
    blocks : FeatureBlocks
    samples : array of int of shape (n_used,)
        Growing.
    """

    def __init__(self, blocks: FeatureBlocks, samples: Array) -> None:
        super().__init__(blocks)
        self.samples = np.asarray(samples)
        self.shape = (len(self.samples), blocks.shape[1])

    def map(
        self, function: BlockFunction, *arrays: Array | None, combine: Combine | None = None
    ) -> Iterator[tuple[slice, Any]]:
        """One pass, as `FeatureBlocks.map` says."""
        return self.blocks.map(_OnSamples(self.samples, function), *arrays, combine=combine)

    def row_chunks(self) -> Iterator[Array]:
        """Dense float64 chunks of samples, in order."""
        start = 0
        for chunk in self.blocks.row_chunks():
            first, last = np.searchsorted(self.samples, [start, start + len(chunk)])
            if first < last:
                yield chunk[self.samples[first:last] - start]
            start += len(chunk)

    def take(self, features: Array) -> Array:
        """The named features as a dense float64 array."""
        return self.blocks.take(features)[self.samples]

    def gather(self, features: Array) -> FeatureSource:
        """These features, held in memory."""
        features = np.unique(features)
        return GatheredFeatures(features, self.take(features))


@dataclass(frozen=True, slots=True)
class _OnSamples:
    """What is done with a block, done with some samples of it."""

    samples: Array
    function: BlockFunction

    def __call__(self, block: Any, *parts: Any) -> Any:
        return self.function(as_block(block.values[self.samples], block.span), *parts)
