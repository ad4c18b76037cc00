"""Check a table before features are selected, and say what to do about each finding.

`check_table` measures all features block by block (`_measure`), and asks three modules for their
findings: `_outcome` (labels and class sizes), `_features` (copies of the outcome, identifiers,
dates, constants, missing values) and `_samples` (near-identical samples, batches).
"""

from ._check_table import check_table
from ._finding import Finding

__all__ = ["Finding", "check_table"]
