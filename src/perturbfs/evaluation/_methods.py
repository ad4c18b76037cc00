"""Selectors by their names on the command line and in results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from perturbfs import baselines
from perturbfs._support.names import METHODS
from perturbfs.paper import PerturbationSelector
from perturbfs.robust import RobustSelector
from perturbfs.scoring import default_predictors, resolve_estimator


def _paper(definition: str) -> Callable[..., Any]:
    def make(n_features: int | str, *, task: str, **options: Any) -> PerturbationSelector:
        if task == "regression":
            # With a regressor, whole numbers count as a quantity.
            options.setdefault("estimator", resolve_estimator(None, task=task, seed=0))
        return PerturbationSelector(n_features, definition=definition, **options)

    return make


def _robust(
    n_features: int | str, *, task: str, random_state: Any = None, **options: Any
) -> RobustSelector:
    del random_state  # it uses no random numbers
    if task == "regression":
        options.setdefault("estimator", default_predictors(task)["ridge"])
    return RobustSelector(n_features, **options)


def _rival(kind: type[Any], **settings: Any) -> Callable[..., Any]:
    def make(n_features: int | str, *, random_state: Any = None, **_: Any) -> Any:
        selector = kind(None if n_features == "auto" else n_features, **settings)
        if "random_state" in selector.get_params():
            selector.set_params(random_state=random_state)
        return selector

    return make


def _random(n_features: int | str, *, random_state: Any = None, **_: Any) -> Any:
    if n_features == "auto":
        raise ValueError(
            "The method 'random' cannot choose the number of features by itself. "
            "Pass a number of features."
        )
    return baselines.RandomSelector(int(n_features), random_state=random_state)


_FACTORIES: dict[str, Callable[..., Any]] = {
    "robust": _robust,
    "paper": _paper("paper"),
    "released": _paper("released"),
    "released-late": _paper("released-late"),
    "anova": _rival(baselines.AnovaSelector),
    "boruta": _rival(baselines.BorutaSelector),
    "forest": _rival(baselines.RandomForestSelector),
    "fs-svm": _rival(baselines.FSSVMSelector),
    "gbm": _rival(baselines.GBMSelector),
    "group-lasso": _rival(baselines.GroupLassoSelector),
    "hsic-lasso": _rival(baselines.HSICLassoSelector),
    "l1-logistic": _rival(baselines.L1LogisticSelector),
    "land": _rival(baselines.LANDSelector),
    "lars": _rival(baselines.LARSSelector),
    "lasso": _rival(baselines.LassoSelector),
    "mi": _rival(baselines.MutualInformationSelector),
    "mrmr": _rival(baselines.MRMRSelector),
    "mrmr-mi": _rival(baselines.MRMRSelector, relevance="mi"),
    "pca": _rival(baselines.PCASelector),
    "relieff": _rival(baselines.ReliefFSelector),
    "rlsr": _rival(baselines.RLSRSelector),
    "stability": _rival(baselines.StabilitySelector),
    "svm-rfe": _rival(baselines.SVMRFESelector),
    "random": _random,
}


def make_selector(
    method: str,
    n_features: int | str = "auto",
    *,
    task: str = "classification",
    **options: Any,
) -> Any:
    """Return an unfitted selector.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    n_features : int or "auto"
        With ``"auto"`` the method chooses the number.
    task : {"classification", "regression"}
        Whether the outcome is classes or a quantity.
    **options
        `random_state`, and for the paper's method any of its parameters.

    Returns
    -------
    selector : selector
    """
    if method not in _FACTORIES:
        raise ValueError(f"The method {method!r} is not known. Use one of {', '.join(METHODS)}.")
    return _FACTORIES[method](n_features, task=task, **options)
