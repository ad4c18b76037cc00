"""How a predictor is scored, and whether it can be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from perturbfs.arrays import Array

from ._inner import mean_recall

METRICS = {"classification": "balanced_accuracy", "regression": "r2"}


def resolve_scoring(scoring: Any, task: str) -> tuple[str, Any]:
    """Name of a score and the scorer that computes it.

    Parameters
    ----------
    scoring : str, callable or None
        A name that scikit-learn knows, or a scorer called with estimator, X and y. None is the
        mean recall of the classes, or R^2.
    task : {"classification", "regression"}

    Returns
    -------
    metric : str
    scorer : callable
    """
    if scoring is None:
        is_quantity = task == "regression"
        return METRICS[task], get_scorer("r2") if is_quantity else make_scorer(mean_recall)
    if callable(scoring):
        return str(getattr(scoring, "__name__", scoring)), scoring
    if scoring not in get_scorer_names():
        raise ValueError(
            f"scoring={scoring!r} is not known. Use a name that scikit-learn knows, such as "
            "'roc_auc', 'roc_auc_ovr', 'f1_macro', 'r2' or 'neg_mean_absolute_error', or a scorer."
        )
    return scoring, get_scorer(scoring)


def check_scorable(
    scorer: Any, predictors: Mapping[str, Any], y: Array, *, metric: str, n_features: int
) -> None:
    """Refuse, before any work, predictors and outcomes that the score does not fit.

    Parameters
    ----------
    scorer : callable
    predictors : mapping of str to estimator
        Each is tried on noise with the outcome that is there.
    y : array of shape (n_samples,)
    metric : str
    n_features : int
        Number of features to try them with.
    """
    noise = np.random.default_rng(0).standard_normal((len(y), n_features))
    for name, predictor in predictors.items():
        try:
            scorer(clone(predictor).fit(noise, y), noise, y)
        except (AttributeError, ValueError) as error:
            raise ValueError(
                f"The predictor {name!r} cannot be scored by {metric!r}: {_sentence(error)} "
                f"{_advice(metric, y)}"
            ) from error


def _sentence(error: Exception) -> str:
    text = str(error).strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _advice(metric: str, y: Array) -> str:
    if metric == "roc_auc" and len(np.unique(y)) > 2:
        return "With more than two classes use 'roc_auc_ovr' and predictors with probabilities."
    return "Choose another scoring, or other predictors (those with probabilities if needed)."
