"""What array libraries and storage formats do differently, and nothing else."""

from ._blocks import (
    Block,
    BlockFunction,
    DenseBlock,
    DenseBlocks,
    FeatureBlocks,
    FeatureSource,
    LocalBlocks,
    SparseBlocks,
    as_blocks,
    is_blocks,
)
from ._device_blocks import DeviceBlocks
from ._devices import full_precision, is_device_array, namespace_of, to_host
from ._finite import enumerate_some, refuse_bad_blocks, refuse_bad_values
from ._namespace import (
    Array,
    Namespace,
    cache_pieces,
    kth_largest,
    solve_lower,
    solve_upper,
    triangle,
)
from ._store import DEFAULT_MEMORY, ColumnReader, ColumnStore

__all__ = [
    "DEFAULT_MEMORY",
    "Array",
    "Block",
    "BlockFunction",
    "ColumnReader",
    "ColumnStore",
    "DenseBlock",
    "DenseBlocks",
    "DeviceBlocks",
    "FeatureBlocks",
    "FeatureSource",
    "LocalBlocks",
    "Namespace",
    "SparseBlocks",
    "as_blocks",
    "cache_pieces",
    "enumerate_some",
    "full_precision",
    "is_blocks",
    "is_device_array",
    "kth_largest",
    "namespace_of",
    "refuse_bad_blocks",
    "refuse_bad_values",
    "solve_lower",
    "solve_upper",
    "to_host",
    "triangle",
]
