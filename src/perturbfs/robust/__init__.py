"""Our own method: one module per step, and `RobustSelector` that runs them.

prepare    features with outliers compressed, centered and of unit length
open       the features that may still be taken: none repeats an earlier one
path       one feature after the other, by its angle to the residual
sieve      the same path in a large table, found in a few passes over its blocks
rankers    the path and the forest as functions from training samples to an order
nested     scores of every size of an order on inner splits
size       the number of features, from the scores of every number
groups     what each chosen feature stands for
search     which noise, path or forest, and the scores of every size
"""

from ._groups import explain_features
from ._nested import NestedScorer, NestedScores
from ._path import RobustPath, follow_path, refit, rotate_targets
from ._prepare import TIE, WIDTH, Preparation, prepare_features, unit_rows, unit_targets
from ._problem import PathProblem
from ._search import sizes_to_try
from ._selector import RobustSelector
from ._sieve import Sieved, sieve_features
from ._size import SizeRule, choose_size

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
    "SizeRule",
    "choose_size",
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
