"""Numerics of the method: arrays in, arrays out."""

from ._characteristics import (
    DEFINITIONS,
    PERTURBATIONS,
    SCALINGS,
    TARGET_CODINGS,
    Characteristics,
    on_host,
)
from ._characterize import characterize, characterize_runs
from ._path_plan import PathProblem
from ._preparation import TIE, WIDTH, Preparation, prepare_features, unit_rows
from ._relevance import correlate_outcome, perturbation_signatures
from ._robust_path import RobustPath, explain_features, follow_path, refit, rotate_targets
from ._screen import screen_features
from ._sieve import Sieved, sieve_features
from ._similarity import order_groups
from ._survey import Scaling
from ._target import Target, code_target

__all__ = [
    "DEFINITIONS",
    "PERTURBATIONS",
    "SCALINGS",
    "TARGET_CODINGS",
    "TIE",
    "WIDTH",
    "Characteristics",
    "PathProblem",
    "Preparation",
    "RobustPath",
    "Scaling",
    "Sieved",
    "Target",
    "characterize",
    "characterize_runs",
    "code_target",
    "correlate_outcome",
    "explain_features",
    "follow_path",
    "on_host",
    "order_groups",
    "perturbation_signatures",
    "prepare_features",
    "refit",
    "rotate_targets",
    "screen_features",
    "sieve_features",
    "unit_rows",
]
