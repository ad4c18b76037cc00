"""ReliefF: features that differ between neighbors of other classes, not within a class."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from perturbfs._support.compat import Interval
from perturbfs.arrays import Array

from ._ranking import Ranking, RankingSelector, ranking_by_score


class ReliefFSelector(RankingSelector):
    """Select features by how they tell near samples of different classes apart.

    For classes this is ReliefF, every sample taking its turn: the nearest samples of its own
    class lower a feature's score by how much the feature differs, the nearest ones of every other
    class raise it, weighted by how frequent that class is. For a quantity it is RReliefF with
    equal weights of the neighbors.

    Parameters
    ----------
    n_features_to_select : int, default=None
        By default as many as score higher than the lowest score is below zero: useless features
        score about as often below zero as above.
    n_neighbors : int, default=10
        Neighbors in each class, or of each sample for a quantity. A class with fewer other
        samples gives all it has.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        By falling score, constant features last.
    scores_ : array of shape (n_features_in_,)
        From -1 to 1; NaN for a constant feature.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X had names.

    Notes
    -----
    Every feature is scaled to run from 0 to 1 and treated as continuous: two samples differ by
    the distance of their values, and the distance of samples is the sum over features
    (Manhattan). skrebate gives the same scores for two classes where each feature has more than
    10 values; it compares features with fewer values for equality only, weights the classes of
    the misses differently from the article when there are more than two, and turns a quantity
    into equal or different by its standard deviation.

    O(n_samples^2 n_features) time and O(n_samples n_features) memory.

    References
    ----------
    Kononenko, I., Simec, E., Robnik-Sikonja, M. (1997). Overcoming the myopia of inductive
    learning algorithms with RELIEFF. Applied Intelligence 7(1), 39-55.

    Robnik-Sikonja, M., Kononenko, I. (2003). Theoretical and empirical analysis of ReliefF and
    RReliefF. Machine Learning 53, 23-69.

    Examples
    --------
    >>> from perturbfs.baselines import ReliefFSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(random_state=0)
    >>> selector = ReliefFSelector(5).fit(data.X, data.y)
    >>> bool((data.groups[selector.get_support(indices=True)] >= 0).all())
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_features_to_select: int | None = None, *, n_neighbors: int = 10) -> None:
        super().__init__(n_features_to_select)
        self.n_neighbors = n_neighbors

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = to_unit_interval(X)
        if self.task_ == "classification":
            scores = score_by_relieff(features, y, n_neighbors=self.n_neighbors)
        else:
            scores = score_by_rrelieff(features, y, n_neighbors=self.n_neighbors)
        n_default = int(np.sum(scores > max(0.0, -float(scores.min()))))
        return ranking_by_score(np.where(np.ptp(features, axis=0) > 0, scores, np.nan), n_default)


def to_unit_interval(X: Array) -> Array:
    """Features scaled to run from 0 to 1; constant ones are zero."""
    # Halves, so that the range of very large numbers is still a number.
    smallest = X.min(axis=0) / 2
    ranges = X.max(axis=0) / 2 - smallest
    return (X / 2 - smallest) / np.where(ranges > 0, ranges, 1)


def score_by_relieff(features: Array, y: Array, *, n_neighbors: int) -> Array:
    """ReliefF score of each feature.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        From 0 to 1.
    y : array of shape (n_samples,)
        Classes.
    n_neighbors : int
        In each class.

    Returns
    -------
    scores : array of shape (n_features,)
        From -1 to 1. A sample alone in its class has misses only.
    """
    _, codes = np.unique(y, return_inverse=True)
    shares = np.bincount(codes) / len(codes)
    scores = np.zeros(features.shape[1])
    for sample, code in enumerate(codes):
        differences = np.abs(features - features[sample])
        distances = differences.sum(axis=1)
        weights = np.zeros(len(codes))
        for other, share in enumerate(shares):
            members = np.flatnonzero(codes == other)
            nearest = _nearest(distances, members[members != sample], n_neighbors)
            if len(nearest):
                weight = -1.0 if other == code else share / (1 - shares[code])
                weights[nearest] = weight / len(nearest)
        scores += weights @ differences
    return scores / len(codes)


def score_by_rrelieff(features: Array, y: Array, *, n_neighbors: int) -> Array:
    """RReliefF score of each feature.

    Parameters
    ----------
    features : array of shape (n_samples, n_features)
        From 0 to 1.
    y : array of shape (n_samples,)
        A quantity that is not constant.
    n_neighbors : int

    Returns
    -------
    scores : array of shape (n_features,)
        From -1 to 1, and 0 where the neighbors of all samples have the same outcome.

    Notes
    -----
    ``P(differs | outcome differs) - P(differs | outcome does not)``, where the amount by which
    neighbors differ takes the place of a probability.
    """
    n_samples, n_features = features.shape
    outcome = to_unit_interval(np.asarray(y, dtype=np.float64))
    differ = np.zeros(n_features)
    both_differ = np.zeros(n_features)
    outcome_differs = 0.0
    everyone = np.arange(n_samples)
    for sample in range(n_samples):
        differences = np.abs(features - features[sample])
        distances = differences.sum(axis=1)
        nearest = _nearest(distances, everyone[everyone != sample], n_neighbors)
        apart = np.abs(outcome[nearest] - outcome[sample]) / len(nearest)
        outcome_differs += float(apart.sum())
        differ += differences[nearest].mean(axis=0)
        both_differ += apart @ differences[nearest]
    outcome_agrees = n_samples - outcome_differs
    if outcome_differs == 0 or outcome_agrees == 0:
        return np.zeros(n_features)
    return both_differ / outcome_differs - (differ - both_differ) / outcome_agrees


def _nearest(distances: Array, members: Array, n_neighbors: int) -> Array:
    return members[np.argsort(distances[members], kind="stable")[:n_neighbors]]
