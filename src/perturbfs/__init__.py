"""Feature selection by perturbation for wide tables.

The way of the data, one step a package; nothing imports a later step::

    prepare, characterize    perturbfs.core       three characteristics of every feature
    cluster                  perturbfs.cluster    one feature a group
    choose                   perturbfs.choose     a subset for each k, its score, the rules
    evaluate                 perturbfs.evaluation how good and how stable the choice is

`PerturbationSelector` puts them together behind scikit-learn's contract; `perturbfs.baselines`
holds what to compare it with, `perturbfs.datasets` data to try it on.
"""

from ._perturbation import PerturbationSelector
from ._selection import Selection, load_selection
from .evaluation import evaluate

__version__ = "0.1.0.dev0"

__all__ = [
    "PerturbationSelector",
    "Selection",
    "__version__",
    "evaluate",
    "load_selection",
]
