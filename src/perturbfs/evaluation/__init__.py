"""Leak-free comparison of selectors, on samples that were not used to select.

Called `evaluation` because `perturbfs.evaluate` is a function.
"""

from perturbfs.scoring import (
    BatchCenterer,
    Estimate,
    corrected_interval,
    default_predictors,
    named_predictors,
    stability,
    stability_interval,
)

from ._batch import score_batch
from ._compare import Comparison, Difference, Pair, compare_methods, compare_paired, holm_adjusted
from ._evaluate import evaluate
from ._methods import make_selector
from ._noise import NoiseLevel, NoiseRobustness, noise_robustness
from ._results import Evaluation, Planned, Prediction, Refusal, Score

__all__ = [
    "BatchCenterer",
    "Comparison",
    "Difference",
    "Estimate",
    "Evaluation",
    "NoiseLevel",
    "NoiseRobustness",
    "Pair",
    "Planned",
    "Prediction",
    "Refusal",
    "Score",
    "compare_methods",
    "compare_paired",
    "corrected_interval",
    "default_predictors",
    "evaluate",
    "holm_adjusted",
    "make_selector",
    "named_predictors",
    "noise_robustness",
    "score_batch",
    "stability",
    "stability_interval",
]
