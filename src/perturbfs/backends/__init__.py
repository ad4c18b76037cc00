"""What array libraries and storage formats do differently, and nothing else."""

from ._blocks import (
    Block,
    BlockFunction,
    Combine,
    DenseBlock,
    DenseBlocks,
    FeatureBlocks,
    FeatureSource,
    LocalBlocks,
    SparseBlocks,
    as_blocks,
    is_blocks,
    is_dask_array,
)
from ._finite import enumerate_some, refuse_bad_values
from ._namespace import Array, Namespace, solve_lower, solve_upper, triangle
from ._store import DEFAULT_MEMORY, ColumnReader, ColumnStore

__all__ = [
    "DEFAULT_MEMORY",
    "Array",
    "Block",
    "BlockFunction",
    "ColumnReader",
    "ColumnStore",
    "Combine",
    "DenseBlock",
    "DenseBlocks",
    "FeatureBlocks",
    "FeatureSource",
    "LocalBlocks",
    "Namespace",
    "SparseBlocks",
    "as_blocks",
    "enumerate_some",
    "is_blocks",
    "is_dask_array",
    "refuse_bad_values",
    "solve_lower",
    "solve_upper",
    "triangle",
]
