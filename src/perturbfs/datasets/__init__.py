"""Tables from files, data sets by name, and data made to measure."""

from ._catalogue import CatalogueEntry, ClassCount, find_dataset, list_datasets
from ._convert import convert_table
from ._download import DownloadError
from ._load import Dataset, load_dataset, where
from ._open_table import open_table
from ._synthetic import WideData, make_synth_data, make_wide_classification, make_wide_regression
from .reading._table import Table, TableError
from .reading._table_reader import read_table

__all__ = [
    "CatalogueEntry",
    "ClassCount",
    "Dataset",
    "DownloadError",
    "Table",
    "TableError",
    "WideData",
    "convert_table",
    "find_dataset",
    "list_datasets",
    "load_dataset",
    "make_synth_data",
    "make_wide_classification",
    "make_wide_regression",
    "open_table",
    "read_table",
    "where",
]
