"""Our own method: one module per step, and `RobustSelector` that runs them."""

from ._nested import Known, NestedScores, is_clearly_better, score_nested, score_together
from ._path import RobustPath, explain_features, follow_path, refit, rotate_targets
from ._path_plan import PathProblem
from ._prepare import TIE, WIDTH, Preparation, prepare_features, unit_rows, unit_targets
from ._selector import RobustSelector
from ._sieve import Sieved, sieve_features

__all__ = [
    "TIE",
    "WIDTH",
    "Known",
    "NestedScores",
    "PathProblem",
    "Preparation",
    "RobustPath",
    "RobustSelector",
    "Sieved",
    "explain_features",
    "follow_path",
    "is_clearly_better",
    "prepare_features",
    "refit",
    "rotate_targets",
    "score_nested",
    "score_together",
    "sieve_features",
    "unit_rows",
    "unit_targets",
]
