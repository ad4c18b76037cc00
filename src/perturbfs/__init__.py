"""Feature selection by perturbation for wide tables.

The way of the data, one step a package; nothing imports a later step::

    prepare, characterize    perturbfs.core       three characteristics of every feature
    cluster                  perturbfs.cluster    one feature a group
    choose                   perturbfs.choose     a subset for each k, its score, the rules
    evaluate                 perturbfs.evaluation how stable the choice is

`PerturbationSelector` puts them together behind scikit-learn's contract. Data to try it on
are in `perturbfs.datasets`.
"""

from ._perturbation import PerturbationSelector

__version__ = "0.1.0.dev0"

__all__ = ["PerturbationSelector", "__version__"]
