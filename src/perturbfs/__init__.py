"""Feature selection by perturbation for wide tables.

The packages, each of which imports only those above it::

    _support      optional packages, atomic files, parallel calls, progress
    arrays        arrays of any library, and features read block by block
    checks        the input of `fit`, and the outcome
    scoring       splits, predictors, scorers; fit on some rows and score on others
    cluster       groups of points, and one point for each group
    paper         PerturbationSelector, the paper's method, one module per step
    robust        RobustSelector, our own method, one module per step
    baselines     other selectors to compare with
    evaluation    leak-free comparison of selectors
    datasets      files, data sets by name, synthetic data
    results       what is kept of a selection, and its files
    report        figures and pages
    anndata       select genes of AnnData objects, in the habits of scanpy
    experiments   the paper's tables
    serve         the local page of `perturbfs serve`
    cli           the command line

Public names are imported when they are first used, so that the command line answers ``--help``
without loading scikit-learn.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import anndata, baselines, cluster, datasets, evaluation, exceptions, report, results
    from .evaluation import evaluate
    from .paper import PerturbationSelector, characterize
    from .results import Selection, load_selection
    from .robust import RobustSelector

__version__ = "0.1.0.dev0"

__all__ = [
    "PerturbationSelector",
    "RobustSelector",
    "Selection",
    "__version__",
    "anndata",
    "baselines",
    "characterize",
    "cluster",
    "datasets",
    "evaluate",
    "evaluation",
    "exceptions",
    "load_selection",
    "report",
    "results",
]

_HOMES = {
    "PerturbationSelector": ".paper",
    "RobustSelector": ".robust",
    "Selection": ".results",
    "characterize": ".paper",
    "evaluate": ".evaluation",
    "load_selection": ".results",
}

if not TYPE_CHECKING:  # so that a type checker names a name that does not exist

    def __getattr__(name: str) -> Any:
        if name in _HOMES:
            return getattr(import_module(_HOMES[name], __name__), name)
        if name in __all__:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
