"""Blocks of an array on a device: large ones, and smaller ones where its memory is short."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from perturbfs.exceptions import DeviceMemoryWarning

from ._blocks import BlockFunction, Combine, DenseBlock, DenseBlocks
from ._devices import (
    block_bytes,
    free_unused,
    full_precision,
    is_out_of_memory,
    namespace_of,
    plain,
)
from ._namespace import Array, is_namespace_of

MIN_WIDTH = 16
GRAM_WIDTH = 2048
_FAILED = object()


class DeviceBlock(DenseBlock):
    """A block on a device."""

    def extremes(self) -> tuple[Array, Array]:
        if is_namespace_of("torch", self.xp):
            found = self.xp.aminmax(self.values, dim=0)  # reads the values once
            return found.min, found.max
        return super().extremes()

    def scaled(self, scale: Array, shift: Array | None = None) -> DeviceBlock:
        values = self.values if shift is None else self.values - shift
        return DeviceBlock(values * scale, self.span, xp=self.xp)

    def gram(self) -> Array:
        n_samples, n_features = self.values.shape
        n_parts = n_features // GRAM_WIDTH
        if n_parts < 2:
            return super().gram()
        # The result is small and the sums are long. As many products side by side keep all of
        # the device busy, whose units each work on a tile of a result.
        xp, even = self.xp, n_parts * GRAM_WIDTH
        parts = xp.reshape(self.values[:, :even], (n_samples, n_parts, GRAM_WIDTH))
        parts = xp.permute_dims(parts, (1, 0, 2))
        rest = self.values[:, even:]
        return xp.sum(parts @ xp.matrix_transpose(parts), axis=0) + rest @ rest.T


class DeviceBlocks(DenseBlocks):
    """Blocks of an array of a library other than NumPy; they never leave their device.

    Where the device runs out of memory, the block is halved and so are those after it.
    """

    memory = 0  # of the host, for all values at once

    def __init__(self, values: Array) -> None:
        super().__init__(plain(values), xp=namespace_of(values))
        is_single = str(values.dtype).rpartition(".")[2] == "float32"
        self.dtype = np.dtype(np.float32 if is_single else np.float64)  # once on the host
        self.width = max(MIN_WIDTH, block_bytes(self.xp) // (8 * max(self.shape[0], 1)))

    def map(
        self,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,  # noqa: ARG002 - results do not travel
    ) -> Iterator[tuple[slice, Any]]:
        """One pass, as `FeatureBlocks.map` says."""
        start, n_features = 0, self.shape[1]
        while start < n_features:
            span = slice(start, min(start + self.width, n_features))
            parts = [None if each is None else each[span, ...] for each in arrays]
            found = self._attempt(function, span, parts)
            if found is _FAILED:
                # Out here nothing holds the arrays of the failed attempt any more.
                free_unused(self.xp)
                continue
            yield span, found
            start = span.stop

    def _attempt(self, function: BlockFunction, span: slice, parts: list[Any]) -> Any:
        try:
            with full_precision(self.values):
                return function(self._block(span), *parts)
        except Exception as error:
            n_tried = span.stop - span.start
            if not is_out_of_memory(error) or n_tried <= MIN_WIDTH:
                raise
            self.width = max(MIN_WIDTH, n_tried // 2)
            warnings.warn(
                f"The device ran out of memory on a block of {n_tried} features. Going on with "
                f"blocks of {self.width}: the result is the same, slower. Free memory on the "
                "device to avoid this.",
                DeviceMemoryWarning,
                stacklevel=2,
            )
            return _FAILED

    def _block(self, span: slice) -> DeviceBlock:
        values = self.xp.astype(self.values[:, span], self.xp.float64, copy=False)
        return DeviceBlock(values, span, xp=self.xp)

    def row_chunks(self) -> Iterator[Array]:
        n_samples, n_features = self.shape
        step = max(MIN_WIDTH, block_bytes(self.xp) // (8 * max(n_features, 1)))
        for start in range(0, n_samples, step):
            chunk = self.values[start : min(start + step, n_samples), :]
            yield self.xp.astype(chunk, self.xp.float64, copy=False)

    def take(self, features: Array) -> Array:
        return super().take(self.xp.asarray(features))
