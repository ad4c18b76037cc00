"""Blocks of an array on a device, made smaller when the device runs out of memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from perturbfs.exceptions import DeviceMemoryWarning

from ._block import Block
from ._blocks import BlockFunction, Combine, DenseBlocks
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


class DeviceBlock(Block):
    """A block on a device."""

    def extremes(self) -> tuple[Array, Array]:
        if is_namespace_of("torch", self.xp):
            found = self.xp.aminmax(self.values, dim=0)  # reads the values once
            return found.min, found.max
        return super().extremes()

    def gram(self) -> Array:
        n_samples, n_features = self.values.shape
        n_parts = n_features // GRAM_WIDTH
        if n_parts < 2:
            return super().gram()
        # The result is small and the sums are long. One product has too few tiles to keep all
        # units of the device busy, so several products are formed at the same time.
        xp, even = self.xp, n_parts * GRAM_WIDTH
        parts = xp.reshape(self.values[:, :even], (n_samples, n_parts, GRAM_WIDTH))
        parts = xp.permute_dims(parts, (1, 0, 2))
        rest = self.values[:, even:]
        return xp.sum(parts @ xp.matrix_transpose(parts), axis=0) + rest @ rest.T


class DeviceBlocks(DenseBlocks):
    """Blocks of an array of a library other than NumPy; they never leave their device.

    Where the device runs out of memory, the block and all later ones are halved.
    """

    memory = 0  # bytes of the host that all values may take: none

    def __init__(self, values: Array) -> None:
        super().__init__(plain(values), xp=namespace_of(values))
        is_single = str(values.dtype).rpartition(".")[2] == "float32"
        self.dtype = np.dtype(np.float32 if is_single else np.float64)  # once on the host
        self.width = self._step(self.shape[0])

    def map(
        self,
        function: BlockFunction,
        *arrays: Array | None,
        combine: Combine | None = None,  # noqa: ARG002 - results are not sent
    ) -> Iterator[tuple[slice, Any]]:
        """Call a function with every block, as `FeatureBlocks.map` does."""
        start, n_features = 0, self.shape[1]
        while start < n_features:
            span = slice(start, min(start + self.width, n_features))
            parts = [None if each is None else each[span, ...] for each in arrays]
            found = self._attempt(function, span, parts)
            if found is _FAILED:
                # Outside of `_attempt`, nothing refers to the arrays of the failed attempt.
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
                f"The device ran out of memory on a block of {n_tried} features. Blocks of "
                f"{self.width} features are used from here on: the result is the same, but it "
                "takes longer. Free memory on the device to avoid this.",
                DeviceMemoryWarning,
                stacklevel=2,
            )
            return _FAILED

    def _block(self, span: slice) -> Block:
        values = self.xp.astype(self.values[:, span], self.xp.float64, copy=False)
        return DeviceBlock(values, span, xp=self.xp)

    def _step(self, length: int) -> int:
        return max(MIN_WIDTH, block_bytes(self.xp) // (8 * max(length, 1)))
