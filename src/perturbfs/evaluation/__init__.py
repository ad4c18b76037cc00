"""How good and how stable a selection is, on samples not used to make it.

Called `evaluation` because `perturbfs.evaluate` is a function.
"""

from ._evaluate import Evaluation, Score, default_predictors, evaluate
from ._noise import NoiseLevel, NoiseRobustness, noise_robustness
from ._stability import stability
from ._uncertainty import Estimate, corrected_interval

__all__ = [
    "Estimate",
    "Evaluation",
    "NoiseLevel",
    "NoiseRobustness",
    "Score",
    "corrected_interval",
    "default_predictors",
    "evaluate",
    "noise_robustness",
    "stability",
]
