"""Scorers: the defaults, and those that a user names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names

from perturbfs.arrays import Array

from ._concordance import concordance
from ._trial import TrainTest, Trial

METRICS = {"classification": "balanced_accuracy", "regression": "r2", "survival": "concordance"}
R2 = get_scorer("r2")


def mean_recall(y_true: Array, y_pred: Array, sample_weight: Array | None = None) -> float:
    """Return the mean over the classes of the share of their samples predicted correctly.

    This is the accuracy of the paper (equation `accuracy`) and equals balanced accuracy. A class
    that is missing from `y_true` does not count. For several outputs it is the mean over them.
    """
    y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    if y_true.ndim == 2:
        outputs = zip(y_true.T, y_pred.T, strict=True)
        return float(np.mean([mean_recall(*output, sample_weight) for output in outputs]))
    _, position = np.unique(y_true, return_inverse=True)
    weights = np.ones(len(position)) if sample_weight is None else np.asarray(sample_weight)
    hits = np.bincount(position, weights=weights * (y_true == y_pred))
    return float(np.mean(hits / np.bincount(position, weights=weights)))


def score_mean_recall(model: Any, X: Array, y: Array, sample_weight: Array | None = None) -> float:
    """Return the mean recall of a fitted classifier.

    This is a plain function because the wrapper of `make_scorer` takes longer than a prediction of
    the few samples of a fold.
    """
    return mean_recall(y, model.predict(X), sample_weight)


def score_concordance(model: Any, X: Array, y: Array, sample_weight: Array | None = None) -> float:
    """Return Harrell's concordance of a fitted model that predicts risks."""
    return concordance(y, np.asarray(model.predict(X)), sample_weight)


def r2(y_true: Array, y_pred: Array) -> float:
    """Return R^2 of predictions; the quantity must vary."""
    unexplained = np.sum((y_true - y_pred) ** 2)
    return float(1 - unexplained / np.sum((y_true - np.mean(y_true)) ** 2))


def resolve_scorer(scoring: Any, estimator: Any, *, task: str) -> Any:
    """Return the scorer that `scoring` names.

    Parameters
    ----------
    scoring : str, callable or None
        A name that scikit-learn knows, or a scorer called with estimator, X and y. None is the
        mean recall of the classes, R^2 for quantities, or Harrell's concordance for a survival,
        which ``"concordance"`` names too.
    estimator : estimator
        The one to score.
    task : {"classification", "regression", "survival"}

    Returns
    -------
    scorer : callable
    """
    if scoring is None:
        return _SCORERS[task]
    if isinstance(scoring, str) and task == "survival":
        if scoring == METRICS[task]:
            return score_concordance
        raise ValueError(
            f"scoring={scoring!r} was given, but the scores of scikit-learn do not know survival "
            "outcomes. Leave it out for Harrell's concordance, or pass a scorer, which is called "
            "with a fitted model, features and the outcome."
        )
    if isinstance(scoring, str) and scoring not in get_scorer_names():
        raise ValueError(
            f"scoring={scoring!r} is not known. Use a name that scikit-learn knows, such as "
            "'roc_auc', 'roc_auc_ovr', 'f1_macro', 'r2' or 'neg_mean_absolute_error', or a scorer."
        )
    return check_scoring(estimator, scoring)


def metric_name(scoring: Any, *, task: str) -> str:
    """Return the name of the score in results."""
    if scoring is None:
        return METRICS[task]
    return scoring if isinstance(scoring, str) else str(getattr(scoring, "__name__", scoring))


def check_scorable(
    scorers: Mapping[str, Any],
    predictors: Mapping[str, Any],
    y: Array,
    *,
    metric: str,
    n_features: int,
) -> None:
    """Raise an error if the score cannot be computed for one of the predictors.

    Parameters
    ----------
    scorers : mapping of str to callable
        One per predictor.
    predictors : mapping of str to estimator
        Each is fitted to random features with the real outcome.
    y : array of shape (n_samples,)
    metric : str
    n_features : int
        Number of random features.
    """
    noise = np.random.default_rng(0).standard_normal((len(y), n_features))
    for name, predictor in predictors.items():
        try:
            Trial(predictor, scorers[name]).score(TrainTest(noise, y, noise, y))
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


_SCORERS = {
    "classification": score_mean_recall,
    "regression": R2,
    "survival": score_concordance,
}
