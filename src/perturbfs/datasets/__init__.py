"""Read tables from files, load data sets by name, and make synthetic data.

`check_table` and `Finding` are imported when they are first used: they need scikit-learn, which
takes longer to load than it takes to say that a file is missing.
"""

import importlib
import typing

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
from ._load import Dataset, dataset_checksum, load_dataset, where
from ._open_table import open_table
from ._read_file import Layout
from ._reduce import take_samples
from ._synthetic import WideData, make_synth_data, make_wide_classification, make_wide_regression
from .reading import Table, read_table

if typing.TYPE_CHECKING:
    from .checking import Finding, check_table

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


def __getattr__(name: str) -> typing.Any:
    if name not in ("Finding", "check_table"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = getattr(importlib.import_module(".checking", __name__), name)
    return globals()[name]
