"""Our own method: one module per step, and `RobustSelector` that runs them.

prepare    features with outliers compressed, centered and of unit length
open       the features that may still be taken: none repeats an earlier one
path       one feature after the other, by its angle to the residual
problem    the samples, targets and noises of some paths, and what other features must beat
rivals     the features that would have been taken by a path among fewer features
paths      the paths in a table in memory, followed among few features and compared with the rest
sieve      the same for a large table, in a few passes over its blocks
table      the features to search among: all, or those that the sieve keeps
forest     features ranked by a forest that grows as far as it can matter
nested     scores of every size of an order on inner splits
search     which noise, path or forest, and the scores of every size
size       the number of features, from the scores of every number
groups     what each chosen feature stands for
"""

from ._groups import explain_features
from ._nested import NestedScorer, NestedScores
from ._path import RobustPath, follow_paths, refit, rotate_targets
from ._paths import find_paths
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
    "find_paths",
    "follow_paths",
    "prepare_features",
    "refit",
    "rotate_targets",
    "sieve_features",
    "sizes_to_try",
    "unit_rows",
    "unit_targets",
]
