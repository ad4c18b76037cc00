"""Files of many formats as one kind of table."""

from ._table import Table, TableError
from ._table_reader import read_table

__all__ = ["Table", "TableError", "read_table"]
