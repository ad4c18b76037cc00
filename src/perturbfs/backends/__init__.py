"""What array libraries and storage formats do differently, and nothing else."""

from ._blocks import (
    Block,
    BlockFunction,
    DenseBlock,
    DenseBlocks,
    FeatureBlocks,
    LocalBlocks,
    SparseBlocks,
    as_blocks,
)
from ._namespace import Array, Namespace, solve_lower, solve_upper, triangle

__all__ = [
    "Array",
    "Block",
    "BlockFunction",
    "DenseBlock",
    "DenseBlocks",
    "FeatureBlocks",
    "LocalBlocks",
    "Namespace",
    "SparseBlocks",
    "as_blocks",
    "solve_lower",
    "solve_upper",
    "triangle",
]
