"""Array namespaces and blocks of features: in memory, on a device, in files, on dask."""

from ._as_blocks import as_blocks, is_blocks, is_dask_array
from ._block import Block, to_dense
from ._blocks import (
    BlockFunction,
    Combine,
    DenseBlocks,
    FeatureBlocks,
    FeatureSource,
    SparseBlocks,
)
from ._device_blocks import DeviceBlocks
from ._devices import full_precision, is_device_array, namespace_of, runs_triton, to_host
from ._finite import enumerate_some, refuse_bad_blocks, refuse_bad_values
from ._journal import JournaledBlocks
from ._namespace import (
    Array,
    Namespace,
    cache_pieces,
    kth_largest,
    solve_lower,
    solve_upper,
    triangle,
)
from ._passes import PassFiles, has_passes
from ._positions import check_positions
from ._samples import SampleBlocks
from ._source import SourceFiles, fingerprint_files
from ._survival import is_survival, survival_outcome
from .dask._blocks import DaskBlocks
from .dask._connect import describe_workers, open_cluster
from .files._backed import is_backed, open_backed
from .files._chunked import describe_array, describe_sparse, open_group
from .files._guard import refuse_outside
from .files._readers import ColumnReader, ParquetReader, read_npy_header
from .files._store import DEFAULT_MEMORY, ColumnStore

__all__ = [
    "DEFAULT_MEMORY",
    "Array",
    "Block",
    "BlockFunction",
    "ColumnReader",
    "ColumnStore",
    "Combine",
    "DaskBlocks",
    "DenseBlocks",
    "DeviceBlocks",
    "FeatureBlocks",
    "FeatureSource",
    "JournaledBlocks",
    "Namespace",
    "ParquetReader",
    "PassFiles",
    "SampleBlocks",
    "SourceFiles",
    "SparseBlocks",
    "as_blocks",
    "cache_pieces",
    "check_positions",
    "describe_array",
    "describe_sparse",
    "describe_workers",
    "enumerate_some",
    "fingerprint_files",
    "full_precision",
    "has_passes",
    "is_backed",
    "is_blocks",
    "is_dask_array",
    "is_device_array",
    "is_survival",
    "kth_largest",
    "namespace_of",
    "open_backed",
    "open_cluster",
    "open_group",
    "read_npy_header",
    "refuse_bad_blocks",
    "refuse_bad_values",
    "refuse_outside",
    "runs_triton",
    "solve_lower",
    "solve_upper",
    "survival_outcome",
    "to_dense",
    "to_host",
    "triangle",
]
