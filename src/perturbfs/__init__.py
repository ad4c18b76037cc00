"""Feature selection by perturbation for wide tables.

The way of the data, one step a package; nothing imports a later step::

    read                     perturbfs.datasets   files, data sets by name, made-up data
    prepare, characterize    perturbfs.core       three characteristics of every feature
    cluster                  perturbfs.cluster    one feature a group
    choose                   perturbfs.choose     a subset for each k, its score, the rules
    evaluate                 perturbfs.evaluation how good and how stable the choice is
    explain                  perturbfs.details    what the page shows beyond the selection
    report                   perturbfs.report     summary, figures and page

`PerturbationSelector` puts them together behind scikit-learn's contract; `perturbfs.baselines`
holds what to compare it with. Names are imported when they are first used, so that the command
line answers ``--help`` without loading scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._perturbation import PerturbationSelector
    from ._robust import RobustSelector
    from ._selection import Selection, load_selection
    from .evaluation import evaluate

__version__ = "0.1.0.dev0"

__all__ = [
    "PerturbationSelector",
    "RobustSelector",
    "Selection",
    "__version__",
    "evaluate",
    "load_selection",
]

_HOMES = {
    "PerturbationSelector": "._perturbation",
    "RobustSelector": "._robust",
    "Selection": "._selection",
    "evaluate": ".evaluation",
    "load_selection": "._selection",
}
_PACKAGES = (
    "baselines",
    "choose",
    "cluster",
    "core",
    "datasets",
    "details",
    "evaluation",
    "report",
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    if name in _PACKAGES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]
