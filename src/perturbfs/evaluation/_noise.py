"""Measure how a selection and its predictions change when the data are perturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from joblib import delayed
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state

from perturbfs._support.parallel import run_calls
from perturbfs.arrays import Array
from perturbfs.scoring import (
    LINEAR,
    TrainTest,
    Trial,
    by_products,
    check_groups,
    concordance,
    default_predictors,
    fit_selector,
    make_splits,
    mean_recall,
)

_SCORES = {"classification": mean_recall, "regression": r2_score, "survival": concordance}
LEVELS = (0.01, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True)
class NoiseLevel:
    """The effect of one level of noise, as a mean over the repeats.

    Attributes
    ----------
    level : float
        Standard deviation of the noise over that of each feature.
    kept : float
        Share of the features chosen without noise that are chosen with it.
    changed : float
        Share of the test samples whose predicted class changes; for a quantity the root mean
        square change of the prediction over the standard deviation of the outcome, or of the
        prediction without noise for a survival.
    score : float
        On the test samples: mean recall of the classes, R^2, or Harrell's concordance.
    """

    level: float
    kept: float
    changed: float
    score: float


@dataclass(frozen=True, slots=True)
class NoiseRobustness:
    """One row per level of noise, the first without noise."""

    rows: tuple[NoiseLevel, ...]

    def __str__(self) -> str:
        lines = ["noise  features kept  predictions changed  score"]
        lines += [
            f"{100 * row.level:4.0f} %  {row.kept:13.2f}  {row.changed:19.2f}  {row.score:5.2f}"
            for row in self.rows
        ]
        return "\n".join(lines)


def noise_robustness(
    selector: Any,
    X: Array,
    y: Array,
    *,
    levels: Sequence[float] = LEVELS,
    task: Literal["classification", "regression", "survival"] = "classification",
    groups: Array | None = None,
    predictor: Any = None,
    n_repeats: int = 10,
    random_state: Any = None,
    n_jobs: int | None = None,
    on_repeat: Callable[[], None] | None = None,
) -> NoiseRobustness:
    """Return how selection and predictions change at several levels of noise.

    Every repeat uses a new split: 70 % of the samples to select and train on, 30 % to test. Noise
    is added to both parts.

    Parameters
    ----------
    selector : selector
    X : array of shape (n_samples, n_features)
        Dense.
    y : array of shape (n_samples,)
    levels : sequence of float
        Standard deviation of the noise over that of each feature: 0.05 is noise of 5 %.
    task : {"classification", "regression", "survival"}
    groups : array of shape (n_samples,), optional
        For example patients: all samples of a group are on the same side of a split.
    predictor : estimator or None
        By default a linear SVM, ridge regression for a quantity, or a Cox model with a ridge
        penalty for a survival.
    n_repeats : int, default=10
    random_state : int, RandomState instance or None
    n_jobs : int or None
        Threads that do repeats. The result does not depend on it.
    on_repeat : callable, optional
        Called when a repeat is done.

    Returns
    -------
    robustness : NoiseRobustness
        Prints as a table.

    Examples
    --------
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> from perturbfs.evaluation import noise_robustness
    >>> data = make_wide_classification(60, 100, random_state=0)
    >>> found = noise_robustness(RobustSelector(3), data.X, data.y, n_repeats=2, random_state=0)
    >>> [row.level for row in found.rows], found.rows[0].kept
    ([0.0, 0.01, 0.05, 0.1, 0.2], 1.0)
    """
    levels = [float(level) for level in levels]
    if any(not level > 0 for level in levels):
        raise ValueError(f"levels={levels}, but every level of noise must be positive.")
    X = np.asarray(X, dtype=np.float64)
    predictor = default_predictors(task)[LINEAR[task]] if predictor is None else predictor
    rng = check_random_state(random_state)
    y, seed = np.asarray(y), rng.randint(2**31 - 1)
    groups = None if groups is None else check_groups(groups, len(y))
    splits = make_splits(y, groups=groups, task=task, n_splits=n_repeats, test_size=0.3, seed=seed)
    predictor = by_products(predictor, len(y))
    repeat = partial(_repeat, selector, predictor, levels, y, task=task, groups=groups)
    # The deviation of the training samples: the selector must learn nothing of test samples.
    calls = (
        delayed(repeat)(X, rng.standard_normal(X.shape) * X[train].std(axis=0), train, test)
        for train, test in splits
    )
    effects = []
    for each in run_calls(calls, n_jobs=n_jobs, threads=True):
        effects.append(each)
        if on_repeat is not None:
            on_repeat()
    rows = zip([0.0, *levels], np.mean(effects, axis=0).tolist(), strict=True)
    return NoiseRobustness(tuple(NoiseLevel(level, *row) for level, row in rows))


def _repeat(
    selector: Any,
    predictor: Any,
    levels: Sequence[float],
    y: Array,
    X: Array,
    noise: Array,
    train: Array,
    test: Array,
    *,
    task: str,
    groups: Array | None,
) -> list[tuple[float, float, float]]:
    """Return the effects on one split: without noise, and of each level of the same noise."""
    predict = partial(_predict, selector, predictor, y, task=task, groups=groups)
    chosen, predicted = predict(X, train, test)
    effects = []
    for level in [0.0, *levels]:
        again, perturbed = chosen, predicted
        if level:
            again, perturbed = predict(X + level * noise, train, test)
        kept = float(np.isin(chosen, again).mean())
        if task == "classification":
            changed = np.mean(predicted != perturbed)
        else:
            spread = np.std(y if task == "regression" else predicted)
            changed = np.sqrt(np.mean((perturbed - predicted) ** 2)) / (spread or 1.0)
        score = _SCORES[task](y[test], perturbed)
        effects.append((kept, float(changed), float(score)))
    return effects


def _predict(
    selector: Any,
    predictor: Any,
    y: Array,
    X: Array,
    train: Array,
    test: Array,
    *,
    task: str,
    groups: Array | None,
) -> tuple[Array, Array]:
    """Return the features selected on the training rows and predictions for the test rows."""
    known = None if groups is None else groups[train]
    fitted = fit_selector(clone(selector), X[train], y[train], task=task, groups=known)
    features = fitted.get_support(indices=True)
    columns = X[:, features]
    split = TrainTest(columns[train], y[train], columns[test], y[test])
    return features, Trial(predictor).predict(split)
