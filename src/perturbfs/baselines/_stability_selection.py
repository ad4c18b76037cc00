"""Stability selection: features that enter a sparse model on most halves of the samples."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._l1_logistic import rank_by_logistic_path
from ._lasso import rank_by_lasso_path
from ._preparation import code_targets, standardize
from ._ranking import Ranking, RankingSelector


class StabilitySelector(RankingSelector):
    """Select the features that are selected on most halves of the samples.

    Samples are split into two halves again and again (complementary pairs), with classes in both
    halves alike. On each half the features that enter a path first are taken: L1 logistic
    regression for classes, the lasso for a quantity. A feature's score is how often that
    happens.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as reach the `threshold`, and at least one. Features that were never
        taken are not ranked; asking for more is refused.
    n_pairs : int, default=50
        Splits; each gives two halves.
    n_entering : int or None, default=None
        Features taken on a half. By default ``sqrt(0.8 n_features)``, but at most a quarter of
        the samples.
    threshold : float, default=0.6
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling score, then by mean order of entry. Features that were never taken share the
        last place.
    scores_ : array of shape (n_features_in_,)
        Share of the halves, from 0 to 1.
    n_entering_ : int
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    With q features taken on a half, the expected number of useless ones among those that reach
    the threshold t is at most ``q^2 / ((2 t - 1) n_features)`` under the assumptions of the first
    article. A feature and its copies share their score, so that none of them may reach the
    threshold.

    ``2 n_pairs`` paths on half of the samples, each as in `L1LogisticSelector` or
    `LassoSelector`, but not further than `n_entering` features.

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "n_pairs": [Interval(Integral, 1, None, closed="left")],
        "n_entering": [None, Interval(Integral, 1, None, closed="left")],
        "threshold": [Interval(Real, 0, 1, closed="right")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
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
    """Two halves of the samples that differ by one at most, as each class does.

    Parameters
    ----------
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    random_state : RandomState instance

    Returns
    -------
    halves : two arrays of int
        Together all samples, in rising order.
    """
    shuffled = random_state.permutation(len(y))
    if task == "classification":
        _, codes = np.unique(y, return_inverse=True)
        shuffled = shuffled[np.argsort(codes[shuffled], kind="stable")]
    return np.sort(shuffled[::2]), np.sort(shuffled[1::2])


def first_to_enter(X: Array, y: Array, n_entering: int, *, task: str) -> Array:
    """The features that enter a sparse path first; none where the outcome does not vary.

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
        ranking = rank_by_logistic_path(
            features, y, fractions=np.geomspace(1, 0.01, 50), n_wanted=n_entering
        )
    else:
        target = code_targets(y, task=task, target_coding="codes")
        ranking = rank_by_lasso_path(features, target, n_wanted=n_entering)
    return ranking.order[:n_entering]
