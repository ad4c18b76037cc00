"""Our own method: one module per step, and `RobustSelector` that runs them.

prepare    features with outliers compressed, centered and of unit length
path       one feature after the other, by its angle to the residual
sieve      the same path in a large table, found in a few passes over its blocks
rankers    the path and the forest as functions from training samples to an order
nested     scores of every size of an order on inner splits
search     which noise, path or forest, and the scores of every size
"""

from ._nested import NestedScorer, NestedScores
from ._path import RobustPath, explain_features, follow_path, refit, rotate_targets
from ._prepare import TIE, WIDTH, Preparation, prepare_features, unit_rows, unit_targets
from ._problem import PathProblem
from ._search import sizes_to_try
from ._selector import RobustSelector
from ._sieve import Sieved, sieve_features

__all__ = [
    "TIE",
    "WIDTH",
    "NestedScorer",
    "NestedScores",
    "PathProblem",
    "Preparation",
    "RobustPath",
    "RobustSelector",
    "Sieved",
    "explain_features",
    "follow_path",
    "prepare_features",
    "refit",
    "rotate_targets",
    "sieve_features",
    "sizes_to_try",
    "unit_rows",
    "unit_targets",
]
