"""The paper's method: one module per step, and `PerturbationSelector` that runs them."""

from ._characteristics import Characteristics
from ._characterize import characterize, characterize_runs
from ._relevance import correlate_outcome, perturbation_signatures
from ._screen import screen_features
from ._search import Grouping, Run, propose
from ._selector import PerturbationSelector
from ._similarity import order_groups
from ._survey import Scaling
from ._target import Target, code_target

__all__ = [
    "Characteristics",
    "Grouping",
    "PerturbationSelector",
    "Run",
    "Scaling",
    "Target",
    "characterize",
    "characterize_runs",
    "code_target",
    "correlate_outcome",
    "order_groups",
    "perturbation_signatures",
    "propose",
    "screen_features",
]
