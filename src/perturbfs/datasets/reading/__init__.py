"""Read files of many formats into one kind of table.

The steps, one module each: a reader (`_text`, `_columnar`, `_arrays`, chosen in `_formats`) turns
the file into a `Grid` of cells; `_roles` finds the samples, features, names and outcome in it;
`_labels` joins an outcome from a second file; `_parts` checks the numbers and returns the `Table`.
`_options` holds the options of all steps, and `_cells` converts a cell of text to a number. What
was read in an unusual way is a sentence in the ``notes`` of grid, parts and table.

Where to add an option: a notation of numbers or missing values in `CellFormat` and
`find_notation`; encodings in `open_text`; comments and titles in `_preamble`; the sheet in
`read_excel`; names of features in `_features`; samples without an outcome in `find_missing`.
"""

from perturbfs.datasets._errors import UnknownNameError

from ._formats import find_reader
from ._labels import find_label_file
from ._limits import parse_memory
from ._names import loosened, simplify
from ._outline import Outline, PossibleOutcome, outline_file
from ._parts import as_floats
from ._read_table import read_table
from ._table import Table

__all__ = [
    "Outline",
    "PossibleOutcome",
    "Table",
    "UnknownNameError",
    "as_floats",
    "find_label_file",
    "find_reader",
    "loosened",
    "outline_file",
    "parse_memory",
    "read_table",
    "simplify",
]
