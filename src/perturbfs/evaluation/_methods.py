"""Selectors by their names on the command line and in results."""

from __future__ import annotations

from typing import Any

from perturbfs import baselines
from perturbfs._support.names import METHODS, Size
from perturbfs.paper import PerturbationSelector
from perturbfs.robust import RobustSelector

# The class of each method and the parameters that distinguish it from others of its class.
_METHODS: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "robust": (RobustSelector, {}),
    "paper": (PerturbationSelector, {"definition": "paper"}),
    "released": (PerturbationSelector, {"definition": "released"}),
    "released-late": (PerturbationSelector, {"definition": "released-late"}),
    "anova": (baselines.AnovaSelector, {}),
    "boruta": (baselines.BorutaSelector, {}),
    "forest": (baselines.RandomForestSelector, {}),
    "fs-svm": (baselines.FSSVMSelector, {}),
    "gbm": (baselines.GBMSelector, {}),
    "group-lasso": (baselines.GroupLassoSelector, {}),
    "hsic-lasso": (baselines.HSICLassoSelector, {}),
    "l1-logistic": (baselines.L1LogisticSelector, {}),
    "land": (baselines.LANDSelector, {}),
    "lars": (baselines.LARSSelector, {}),
    "lasso": (baselines.LassoSelector, {}),
    "mi": (baselines.MutualInformationSelector, {}),
    "mrmr": (baselines.MRMRSelector, {}),
    "mrmr-mi": (baselines.MRMRSelector, {"relevance": "mi"}),
    "pca": (baselines.PCASelector, {}),
    "relieff": (baselines.ReliefFSelector, {}),
    "rlsr": (baselines.RLSRSelector, {}),
    "stability": (baselines.StabilitySelector, {}),
    "svm-rfe": (baselines.SVMRFESelector, {}),
    "random": (baselines.RandomSelector, {}),
}


def make_selector(method: str, n_features: Size = "auto", **options: Any) -> Any:
    """Return an unfitted selector.

    Parameters
    ----------
    method : str
        One of `METHODS`.
    n_features : int or "auto"
        With ``"auto"`` the method chooses the number.
    **options
        `random_state`, and for the paper's method any of its parameters.

    Returns
    -------
    selector : selector
    """
    if method not in _METHODS:
        raise ValueError(f"The method {method!r} is not known. Use one of {', '.join(METHODS)}.")
    kind, settings = _METHODS[method]
    if kind is RobustSelector:
        options.pop("random_state", None)  # it uses no random numbers
        return RobustSelector(n_features, **options)
    if kind is PerturbationSelector:
        return PerturbationSelector(n_features, **settings, **options)
    selector = kind(None if n_features == "auto" else n_features, **settings)
    if "random_state" in selector.get_params():
        selector.set_params(random_state=options.get("random_state"))
    return selector
