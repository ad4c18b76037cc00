"""Boruta: features that beat shuffled copies of all features again and again."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from scipy.stats import binom
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.utils import check_random_state

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._preparation import standardize
from ._ranking import Ranking, RankingSelector

_VERDICTS = np.array(["confirmed", "tentative", "rejected"])
_CONFIRMED, _TENTATIVE, _REJECTED = range(3)
_FEWEST_SHADOWS = 5


class BorutaSelector(RankingSelector):
    """Select the features that are more important than chance, in the manner of Boruta.

    In each round a random forest is grown on the features and on shadows: copies with the
    samples shuffled. A feature that is more important than every shadow has a hit. Features with
    significantly many hits are confirmed, those with significantly few are rejected and leave;
    the others stay tentative. All relevant features are sought, redundant ones included.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default the confirmed ones; the tentative ones where none is confirmed, and the best
        one where there are none of these.
    n_estimators : int, default=100
        Trees of a forest.
    max_depth : int or None, default=5
    max_iter : int, default=50
        Rounds at most; fewer if no feature is tentative any more.
    alpha : float, default=0.05
        Chance that any verdict on a feature is wrong, tested with the binomial distribution and
        divided by the number of features (Bonferroni).
    random_state : int, RandomState instance or None, default=None
    n_jobs : int or None, default=None
        Trees grown at the same time.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By verdict, then hits, then mean importance. Features no tree has used share the last
        place.
    verdict_ : array of str of shape (n_features_in_,)
        "confirmed", "tentative" or "rejected".
    hits_ : array of int of shape (n_features_in_,)
    n_iter_ : int
        Rounds.
    scores_ : array of shape (n_features_in_,)
        Mean importance over the rounds; it counts as 0 after a rejection.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    Importance is the mean decrease of impurity, as in the Python package boruta; the R package
    uses permutation. The first verdicts need about ``log2(n_features / alpha)`` rounds with all
    features, of two forest-feature tables each.

    References
    ----------
    Kursa, M. B., Rudnicki, W. R. (2010). Feature selection with the Boruta package. Journal of
    Statistical Software 36(11), 1-13.

    Examples
    --------
    >>> from perturbfs.baselines import BorutaSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=60, n_informative=2, random_state=0)
    >>> selector = BorutaSelector(max_iter=20, n_estimators=30, random_state=0)
    >>> is_confirmed = selector.fit(data.X, data.y).verdict_ == "confirmed"
    >>> bool((data.groups[is_confirmed] >= 0).mean() > 0.8)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [None, Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | None = None,
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
        random_state = check_random_state(self.random_state)
        trial = run_trial(
            standardize(X),
            y,
            forest=self._forest(),
            max_iter=self.max_iter,
            alpha=self.alpha,
            random_state=random_state,
        )
        self.verdict_ = _VERDICTS[trial.verdict]
        self.hits_ = trial.hits
        self.n_iter_ = trial.n_rounds
        order = np.lexsort((-trial.importances, -trial.hits, trial.verdict))
        order = order[: max(1, int(np.sum(trial.importances > 0)))]
        n_confirmed = int(np.sum(trial.verdict == _CONFIRMED))
        n_tentative = int(np.sum(trial.verdict[order] == _TENTATIVE))
        return Ranking(order, n_confirmed or n_tentative, trial.importances)

    def _forest(self) -> Any:
        is_classes = self.task_ == "classification"
        Forest = RandomForestClassifier if is_classes else RandomForestRegressor
        return Forest(
            n_estimators=self.n_estimators,
            max_depth=self.max_depth,
            max_features="sqrt",
            n_jobs=self.n_jobs,
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of the rounds; every array has one entry per feature."""

    verdict: Array  # 0 confirmed, 1 tentative, 2 rejected
    hits: Array  # rounds in which the feature beat all shadows
    importances: Array  # mean over the rounds
    n_rounds: int


def run_trial(
    features: Array, y: Array, *, forest: Any, max_iter: int, alpha: float, random_state: Any
) -> Trial:
    """Rounds of features against shadows, until there is a verdict on each.

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
    trial : Trial
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
    return Trial(verdict, hits, total / max(1, n_rounds), n_rounds)


def draw_shadows(features: Array, random_state: Any) -> Array:
    """Copies of the features, each with its samples shuffled; at least five."""
    n_copies = -(-_FEWEST_SHADOWS // features.shape[1])
    shadows = np.tile(features, (1, n_copies))
    by_chance = np.argsort(random_state.uniform(size=shadows.shape), axis=0)
    return np.take_along_axis(shadows, by_chance, axis=0)


def judge(hits: Array, n_rounds: int, *, alpha: float) -> Array:
    """Verdict on features by their hits, were hits a matter of tossing a coin."""
    many = binom.sf(hits - 1, n_rounds, 0.5) <= alpha
    few = binom.cdf(hits, n_rounds, 0.5) <= alpha
    return np.where(many, _CONFIRMED, np.where(few, _REJECTED, _TENTATIVE))
