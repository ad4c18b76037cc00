"""Numerics of the method: arrays in, arrays out."""

from ._characteristics import (
    DEFINITIONS,
    PERTURBATIONS,
    SCALINGS,
    TARGET_CODINGS,
    Characteristics,
)
from ._characterize import characterize, characterize_runs
from ._screen import screen_features
from ._similarity import order_groups
from ._survey import Scaling
from ._target import Target, code_target

__all__ = [
    "DEFINITIONS",
    "PERTURBATIONS",
    "SCALINGS",
    "TARGET_CODINGS",
    "Characteristics",
    "Scaling",
    "Target",
    "characterize",
    "characterize_runs",
    "code_target",
    "order_groups",
    "screen_features",
]
