"""Stability selection: features that a sparse model selects on most halves of the samples."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns

from ._l1_logistic import LogisticModel
from ._lasso import follow_lasso_path
from ._least_squares_path import rank_by_paths
from ._penalty_path import rank_by_penalty_path
from ._preparation import code_targets, standardize
from ._ranking import Ranking, RankingSelector


class StabilitySelector(RankingSelector):
    """Select the features that are selected on most halves of the samples.

    Samples are repeatedly split into two halves (complementary pairs), which have the same
    proportions of classes. On each half the first features that enter a path are selected: that
    of L1 logistic regression for classes, that of the lasso for a quantity. A feature's score is
    the share of halves on which it is selected.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features that reach the `threshold`, and at least one. Features that were
        selected on no half are not ranked; asking for more features raises an error.
    n_pairs : int, default=50
        Number of splits. Each gives two halves.
    n_entering : int or None, default=None
        Number of features selected on a half. By default ``sqrt(0.8 n_features)``, but at most a
        quarter of the number of samples.
    threshold : float, default=0.6
        Smallest score of a selected feature.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling score, then by mean order of entry. Features that were selected on no half
        share the last rank.
    scores_ : array of shape (n_features_in_,)
        From 0 to 1.
    n_entering_ : int
        Number of features selected on a half.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    With q features selected on each half, the expected number of irrelevant features that reach
    the threshold t is at most ``q^2 / ((2 t - 1) n_features)`` under the assumptions of the first
    article. A feature and its copies divide their score among them, so that possibly none of them
    reaches the threshold.

    The time is that of ``2 n_pairs`` paths on half of the samples, as in `L1LogisticSelector` or
    `LassoSelector`. Paths for classes stop after `n_entering` features.

    References
    ----------
    Meinshausen, N., Buehlmann, P. (2010). Stability selection. Journal of the Royal Statistical
    Society B 72(4), 417-473.

    Shah, R. D., Samworth, R. J. (2013). Variable selection with error control: another look at
    stability selection. Journal of the Royal Statistical Society B 75(1), 55-80.

    Examples
    --------
    >>> from perturbfs.baselines import StabilitySelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=200, random_state=0)
    >>> selector = StabilitySelector(5, n_pairs=5, random_state=0).fit(data.X, data.y)
    >>> int((data.groups[selector.get_support(indices=True)] >= 0).sum()) >= 4
    True
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_pairs: int = 50,
        n_entering: int | None = None,
        threshold: float = 0.6,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_pairs = n_pairs
        self.n_entering = n_entering
        self.threshold = threshold
        self.random_state = random_state

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        random_state = check_random_state(self.random_state)
        n_samples, n_features = X.shape
        few = min(math.isqrt(4 * n_features // 5), n_samples // 4)
        self.n_entering_ = self.n_entering or max(1, few)
        counts, places = np.zeros(n_features), np.zeros(n_features)
        for _ in range(self.n_pairs):
            for half in draw_halves(y, task=self.task_, random_state=random_state):
                entered = first_to_enter(X[half], y[half], self.n_entering_, task=self.task_)
                counts[entered] += 1
                places[entered] += np.arange(len(entered))
        frequencies = counts / (2 * self.n_pairs)
        order = np.lexsort((places / np.maximum(counts, 1), -counts))
        order = order[: max(1, int(np.sum(counts > 0)))]
        return Ranking(order, int(np.sum(frequencies >= self.threshold)), frequencies)


def draw_halves(y: Array, *, task: str, random_state: Any) -> tuple[Array, Array]:
    """Return two halves of the samples; their sizes, also within a class, differ by one at most.

    Parameters
    ----------
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    random_state : RandomState instance

    Returns
    -------
    halves : two arrays of int
        Together all samples, each half in rising order.
    """
    shuffled = random_state.permutation(len(y))
    if task == "classification":
        _, codes = np.unique(y, return_inverse=True)
        shuffled = shuffled[np.argsort(codes[shuffled], kind="stable")]
    return np.sort(shuffled[::2]), np.sort(shuffled[1::2])


def first_to_enter(X: Array, y: Array, n_entering: int, *, task: str) -> Array:
    """Return the first features that enter a sparse path; none if the outcome does not vary.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    n_entering : int
    task : {"classification", "regression"}

    Returns
    -------
    entered : array of int
        In order of entry, at most `n_entering`.
    """
    features = standardize(X)
    if np.all(y == y[0]) or not features.any():
        return np.zeros(0, dtype=int)
    if task == "classification":
        model = LogisticModel(features, outcome_columns(y, task=task))
        fractions = np.geomspace(1, 0.01, 50)
        ranking = rank_by_penalty_path(model, fractions=fractions, n_wanted=n_entering)
    else:
        target = code_targets(y, task=task, target_coding="codes")
        ranking = rank_by_paths(follow_lasso_path, features, target, n_wanted=n_entering)
    return ranking.order[:n_entering]
