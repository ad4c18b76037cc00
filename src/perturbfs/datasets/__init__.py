"""Read tables from files, load data sets by name, and make synthetic data."""

from ._catalogue import (
    CatalogueEntry,
    ClassCount,
    DataFile,
    Derivation,
    find_dataset,
    list_datasets,
)
from ._convert import convert_table
from ._errors import DownloadError, TableError
from ._load import Dataset, cache_directory, dataset_checksum, load_dataset, where
from ._open_table import open_table
from ._read_file import Layout
from ._reduce import take_samples
from ._synthetic import WideData, make_synth_data, make_wide_classification, make_wide_regression
from .checking import Finding, check_table
from .reading import Table, read_table

__all__ = [
    "CatalogueEntry",
    "ClassCount",
    "DataFile",
    "Dataset",
    "Derivation",
    "DownloadError",
    "Finding",
    "Layout",
    "Table",
    "TableError",
    "WideData",
    "cache_directory",
    "check_table",
    "convert_table",
    "dataset_checksum",
    "find_dataset",
    "list_datasets",
    "load_dataset",
    "make_synth_data",
    "make_wide_classification",
    "make_wide_regression",
    "open_table",
    "read_table",
    "take_samples",
    "where",
]
