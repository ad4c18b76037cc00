"""Boruta: selection of features that are more important than shuffled copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.utils import check_random_state

from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_VERDICTS = np.array(["confirmed", "tentative", "rejected"])
_CONFIRMED, _TENTATIVE, _REJECTED = range(3)
_FEWEST_SHADOWS = 5


class BorutaSelector(RankingSelector):
    """Select the features that are more important than chance, as Boruta does.

    In each round a random forest is fitted to the features and their shadows, which are copies
    with shuffled samples. A feature that is more important than every shadow gets a hit.
    Features with significantly many hits are confirmed. Features with significantly few hits
    are rejected and take no part in later rounds. The others stay tentative. The method looks
    for all relevant features, including redundant ones.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default the confirmed features. If none is confirmed, the tentative ones; if there
        are none of these either, the best feature.
    n_estimators : int, default=100
        Number of trees in each forest.
    max_depth : int or None, default=5
    max_iter : int, default=50
        Maximum number of rounds. Rounds end earlier when no feature is tentative.
    alpha : float, default=0.05
        Significance level of the binomial test on the hits. It is divided by the number of
        features (Bonferroni).
    random_state : int, RandomState instance or None, default=None
    n_jobs : int or None, default=None
        Number of trees fitted at the same time.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By verdict, then hits, then mean importance. Features that no tree has used share the
        last rank.
    verdict_ : array of str of shape (n_features_in_,)
        "confirmed", "tentative" or "rejected".
    hits_ : array of int of shape (n_features_in_,)
    n_iter_ : int
        Number of rounds.
    scores_ : array of shape (n_features_in_,)
        Mean importance over the rounds; 0 in the rounds after a rejection.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    Importance is the mean decrease of impurity, as in the Python package boruta; the R package
    uses permutation. The first verdicts need about ``log2(n_features / alpha)`` rounds. In each
    of these the forest is fitted to twice as many features as X has.

    References
    ----------
    Kursa, M. B., Rudnicki, W. R. (2010). Feature selection with the Boruta package. Journal of
    Statistical Software 36(11), 1-13.

    Examples
    --------
    >>> from perturbfs.baselines import BorutaSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=40, n_informative=2, random_state=0)
    >>> selector = BorutaSelector(max_iter=15, n_estimators=20, random_state=0)
    >>> is_confirmed = selector.fit(data.X, data.y).verdict_ == "confirmed"
    >>> bool((data.groups[is_confirmed] >= 0).mean() > 0.8)
    True
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        n_estimators: int = 100,
        max_depth: int | None = 5,
        max_iter: int = 50,
        alpha: float = 0.05,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.max_iter = max_iter
        self.alpha = alpha
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        is_classes = self.task_ == "classification"
        Forest = RandomForestClassifier if is_classes else RandomForestRegressor
        forest = Forest(
            n_estimators=self.n_estimators,
            max_depth=self.max_depth,
            max_features="sqrt",
            n_jobs=self.n_jobs,
        )
        found = compare_with_shadows(
            standardize(X),
            y,
            forest=forest,
            max_iter=self.max_iter,
            alpha=self.alpha,
            random_state=check_random_state(self.random_state),
        )
        self.verdict_ = _VERDICTS[found.verdict]
        self.hits_ = found.hits
        self.n_iter_ = found.n_rounds
        order = np.lexsort((-found.importances, -found.hits, found.verdict))
        order = order[: max(1, int(np.sum(found.importances > 0)))]
        n_confirmed = int(np.sum(found.verdict == _CONFIRMED))
        n_tentative = int(np.sum(found.verdict[order] == _TENTATIVE))
        return Ranking(order, n_confirmed or n_tentative, found.importances)


@dataclass(frozen=True, slots=True)
class ShadowComparison:
    """Result of all rounds; every array has one entry per feature."""

    verdict: Array  # 0 confirmed, 1 tentative, 2 rejected
    hits: Array  # number of rounds in which the feature beat all shadows
    importances: Array  # mean over the rounds
    n_rounds: int


def compare_with_shadows(
    features: Array, y: Array, *, forest: Any, max_iter: int, alpha: float, random_state: Any
) -> ShadowComparison:
    """Return the verdicts after rounds of forests on features and their shadows.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    forest : estimator with `feature_importances_` and `random_state`
    max_iter : int
    alpha : float
    random_state : RandomState instance

    Returns
    -------
    found : ShadowComparison
    """
    n_features = features.shape[1]
    # A constant feature cannot be important: it is rejected without a round.
    verdict = np.where(features.any(axis=0), _TENTATIVE, _REJECTED)
    hits, total, n_rounds = np.zeros(n_features, dtype=int), np.zeros(n_features), 0
    while n_rounds < max_iter and np.any(verdict == _TENTATIVE):
        n_rounds += 1
        left = np.flatnonzero(verdict != _REJECTED)
        forest.set_params(random_state=random_state.randint(np.iinfo(np.int32).max))
        shadows = draw_shadows(features[:, left], random_state)
        importances = forest.fit(np.hstack([features[:, left], shadows]), y).feature_importances_
        own, best_shadow = importances[: len(left)], importances[len(left) :].max()
        hits[left] += own > best_shadow
        total[left] += own
        is_open = verdict == _TENTATIVE
        verdict[is_open] = judge(hits[is_open], n_rounds, alpha=alpha / n_features)
    return ShadowComparison(verdict, hits, total / max(1, n_rounds), n_rounds)


def draw_shadows(features: Array, random_state: Any) -> Array:
    """Return copies of the features, at least five, each with its samples shuffled."""
    n_copies = -(-_FEWEST_SHADOWS // features.shape[1])
    shadows = np.tile(features, (1, n_copies))
    by_chance = np.argsort(random_state.uniform(size=shadows.shape), axis=0)
    return np.take_along_axis(shadows, by_chance, axis=0)


def judge(hits: Array, n_rounds: int, *, alpha: float) -> Array:
    """Return verdicts by a binomial test of the hits against a probability of one half."""
    many = binom.sf(hits - 1, n_rounds, 0.5) <= alpha
    few = binom.cdf(hits, n_rounds, 0.5) <= alpha
    return np.where(many, _CONFIRMED, np.where(few, _REJECTED, _TENTATIVE))
