"""How good and how stable a selection is, on samples not used to make it.

Called `evaluation` because `perturbfs.evaluate` is a function.
"""

from ._compare import Difference, compare_paired, holm_adjusted
from ._evaluate import Evaluation, Score, default_predictors, evaluate
from ._stability import stability, stability_interval
from ._uncertainty import Estimate, corrected_interval

__all__ = [
    "Difference",
    "Estimate",
    "Evaluation",
    "Score",
    "compare_paired",
    "corrected_interval",
    "default_predictors",
    "evaluate",
    "holm_adjusted",
    "stability",
    "stability_interval",
]
