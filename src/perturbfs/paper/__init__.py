"""The paper's method, one module per step.

========================  ===========================================================
``_prepare``              scale the features, code the outcome
``_least_squares``        reduce the data to a small system, and fit the outcome
``_perturb_rank2``        perturb by one random number per sample, as released
``_perturb_iid``          perturb by independent noise, as in the paper's text
``_perturb_expected``     the expected effect of that noise, in closed form
``_characterize``         sensitivity and angles of every feature
``_screen``               leave out irrelevant features
``_group``                cluster the features; one represents each group
``_limit``                the largest number of groups to try
``_choose``               score the candidates and choose the number of groups
``_selector``             PerturbationSelector, which runs all steps
``_staged``               StagedSelector: blocks of features first, then the survivors
========================  ===========================================================
"""

from ._characteristics import Characteristics
from ._characterize import characterize, characterize_runs
from ._choose import Run, propose
from ._group import Grouping, order_groups
from ._prepare import Scaling, Target, code_target
from ._relevance import correlate_outcome, perturbation_signatures
from ._screen import screen_features
from ._selector import PerturbationSelector
from ._staged import StagedSelector

__all__ = [
    "Characteristics",
    "Grouping",
    "PerturbationSelector",
    "Run",
    "Scaling",
    "StagedSelector",
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
