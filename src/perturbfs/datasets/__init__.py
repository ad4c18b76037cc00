"""Read tables from files, load data sets by name, and make synthetic data.

Names are imported when they are first used: reading a file loads neither SciPy's statistics nor
scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from ._join import join_tables
    from ._load import Dataset, cache_directory, dataset_checksum, load_dataset, where
    from ._open_table import open_table
    from ._read_file import Layout
    from ._reduce import take_samples
    from ._synthetic import (
        WideData,
        make_synth_data,
        make_wide_classification,
        make_wide_regression,
    )
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
    "join_tables",
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

_HOMES = {
    "CatalogueEntry": "._catalogue",
    "ClassCount": "._catalogue",
    "DataFile": "._catalogue",
    "Dataset": "._load",
    "Derivation": "._catalogue",
    "DownloadError": "._errors",
    "Finding": ".checking",
    "Layout": "._read_file",
    "Table": ".reading",
    "TableError": "._errors",
    "WideData": "._synthetic",
    "cache_directory": "._load",
    "check_table": ".checking",
    "convert_table": "._convert",
    "dataset_checksum": "._load",
    "find_dataset": "._catalogue",
    "join_tables": "._join",
    "list_datasets": "._catalogue",
    "load_dataset": "._load",
    "make_synth_data": "._synthetic",
    "make_wide_classification": "._synthetic",
    "make_wide_regression": "._synthetic",
    "open_table": "._open_table",
    "read_table": ".reading",
    "take_samples": "._reduce",
    "where": "._load",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
