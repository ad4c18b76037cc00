"""Selectors by the names they have on the command line and in results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._perturbation import PerturbationSelector
from .baselines import RandomSelector
from .choose import resolve_estimator


def _paper(definition: str) -> Callable[..., Any]:
    def make(n_features: int | str, *, task: str, **options: Any) -> PerturbationSelector:
        if task == "regression":
            # A regressor tells whole numbers that are a quantity from classes.
            options.setdefault("estimator", resolve_estimator(None, task=task, seed=0))
        return PerturbationSelector(n_features, definition=definition, **options)

    return make


def _random(n_features: int | str, *, random_state: int | None = None, **_: Any) -> RandomSelector:
    if n_features == "auto":
        raise ValueError(
            "The method 'random' cannot choose the number of features by itself. "
            "Pass a number of features."
        )
    return RandomSelector(int(n_features), random_state=random_state)


_FACTORIES: dict[str, Callable[..., Any]] = {
    "paper": _paper("paper"),
    "released": _paper("released"),
    "released-late": _paper("released-late"),
    "random": _random,
}
METHODS = tuple(_FACTORIES)


def make_selector(
    method: str,
    n_features: int | str = "auto",
    *,
    task: str = "classification",
    **options: Any,
) -> Any:
    """An unfitted selector.

    Parameters
    ----------
    method : {"paper", "released", "released-late", "random"}
    n_features : int or "auto"
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
