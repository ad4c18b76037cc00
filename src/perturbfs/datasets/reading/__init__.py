"""Files of many formats as one kind of table.

The steps, one module each: a reader (`_text`, `_columnar`, `_arrays`, chosen in `_formats`) turns
the file into a `Grid` of cells; `_roles` finds the samples, features, names and outcome in it;
`_labels` joins an outcome from a second file; `_parts` checks the numbers and returns the `Table`.
`_options` holds the options of all steps and converts a cell of text to a number.
"""

from ._formats import find_reader
from ._outline import Outline, PossibleOutcome, outline_file
from ._read_table import read_table
from ._table import Table

__all__ = ["Outline", "PossibleOutcome", "Table", "find_reader", "outline_file", "read_table"]
