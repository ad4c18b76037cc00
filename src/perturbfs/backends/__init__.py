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
from ._device_blocks import DeviceBlocks
from ._devices import full_precision, is_device_array, namespace_of, to_host
from ._finite import enumerate_some, refuse_bad_blocks, refuse_bad_values
from ._journal import JournaledBlocks, fingerprint_files
from ._namespace import (
    Array,
    Namespace,
    cache_pieces,
    kth_largest,
    solve_lower,
    solve_upper,
    triangle,
)
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
    "DeviceBlocks",
    "FeatureBlocks",
    "FeatureSource",
    "JournaledBlocks",
    "LocalBlocks",
    "Namespace",
    "SampleBlocks",
    "SparseBlocks",
    "as_blocks",
    "cache_pieces",
    "describe_workers",
    "enumerate_some",
    "fingerprint_files",
    "full_precision",
    "is_blocks",
    "is_dask_array",
    "is_device_array",
    "kth_largest",
    "namespace_of",
    "open_cluster",
    "refuse_bad_blocks",
    "refuse_bad_values",
    "solve_lower",
    "solve_upper",
    "to_host",
    "triangle",
]
