"""Read files of many formats into one kind of table.

The steps, one module each: a reader (`_text`, `_columnar`, `_arrays`, chosen in `_formats`) turns
the file into a `Grid` of cells; `_roles` finds the samples, features, names and outcome in it;
`_labels` joins an outcome from a second file; `_parts` checks the numbers and returns the `Table`.
`_options` holds the options of all steps and converts a cell of text to a number.

Where to add an option: a notation of numbers or missing values in `CellFormat`; encodings in
`open_text`; comments and skipped lines in `split_lines`; the sheet in `read_excel`; repeated names
in `check_names`; samples without an outcome in `parse_target`.
"""

from ._formats import find_reader
from ._names import simplify
from ._outline import Outline, PossibleOutcome, outline_file
from ._read_table import read_table
from ._table import Table

__all__ = [
    "Outline",
    "PossibleOutcome",
    "Table",
    "find_reader",
    "outline_file",
    "read_table",
    "simplify",
]
