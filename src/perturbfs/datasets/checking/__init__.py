"""Check a table before features are selected, and say what to do about each finding.

`check_table` measures all features block by block (`_measure`) and collects the findings: about
the outcome (`_outcome`), single features (`_columns`), features that give the outcome away
(`_predictors`), and the samples (`_samples`, `_batches`). `_texts` is what they say of features.
"""

from ._check_table import check_table
from ._finding import Finding

__all__ = ["Finding", "check_table"]
