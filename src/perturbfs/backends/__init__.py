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
from ._connect import describe_workers, open_cluster
from ._dask import DaskBlocks
from ._finite import enumerate_some, refuse_bad_values
from ._journal import JournaledBlocks, fingerprint_files
from ._namespace import Array, Namespace, solve_lower, solve_upper, triangle
from ._samples import SampleBlocks
from ._store import DEFAULT_MEMORY, ColumnReader, ColumnStore

__all__ = [
    "DEFAULT_MEMORY",
    "Array",
    "Block",
    "BlockFunction",
    "ColumnReader",
    "ColumnStore",
    "Combine",
    "DaskBlocks",
    "DenseBlock",
    "DenseBlocks",
    "FeatureBlocks",
    "FeatureSource",
    "JournaledBlocks",
    "LocalBlocks",
    "Namespace",
    "SampleBlocks",
    "SparseBlocks",
    "as_blocks",
    "describe_workers",
    "enumerate_some",
    "fingerprint_files",
    "is_blocks",
    "is_dask_array",
    "open_cluster",
    "refuse_bad_values",
    "solve_lower",
    "solve_upper",
    "triangle",
]
