"""ReliefF: selection of features that differ between near samples of different classes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from perturbfs.arrays import Array

from ._ranking import Ranking, RankingSelector, rank_by_score


class ReliefFSelector(RankingSelector):
    """Select features by how well they separate near samples of different classes.

    For classes this is ReliefF over all samples. The difference of a feature to the nearest
    samples of the same class lowers its score; the difference to the nearest samples of each
    other class raises it, weighted by the frequency of that class. For a quantity this is
    RReliefF with equal weights of the neighbors.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default all features with a score above ``max(0, -lowest score)``: the scores of
        irrelevant features are about as often below zero as above.
    n_neighbors : int, default=10
        Number of neighbors in each class, or in all samples for a quantity. If a class has fewer
        other samples, all are neighbors.

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
        Only if X had names.

    Notes
    -----
    Every feature is scaled to the range from 0 to 1 and treated as continuous. Two samples differ
    by the distance of their values, and the distance of samples is the sum over features
    (Manhattan). skrebate gives the same scores for two classes if each feature has more than 10
    values. It only compares features with fewer values for equality. With more than two classes
    it weights the misses differently from the article. It converts a quantity to equal or
    different by its standard deviation.

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

    def __init__(
        self, n_features_to_select: float | Literal["auto"] | None = None, *, n_neighbors: int = 10
    ) -> None:
        super().__init__(n_features_to_select)
        self.n_neighbors = n_neighbors

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:  # noqa: ARG002
        features = to_unit_interval(X)
        if self.task_ == "classification":
            scores = score_by_relieff(features, y, n_neighbors=self.n_neighbors)
        else:
            scores = score_by_rrelieff(features, y, n_neighbors=self.n_neighbors)
        n_default = int(np.sum(scores > max(0.0, -float(scores.min()))))
        return rank_by_score(np.where(np.ptp(features, axis=0) > 0, scores, np.nan), n_default)


def to_unit_interval(X: Array) -> Array:
    """Return features scaled to the range from 0 to 1; constant ones become zero."""
    # Halves, so that the range of very large numbers does not overflow.
    smallest = X.min(axis=0) / 2
    ranges = X.max(axis=0) / 2 - smallest
    return (X / 2 - smallest) / np.where(ranges > 0, ranges, 1)


def score_by_relieff(features: Array, y: Array, *, n_neighbors: int) -> Array:
    """Return the ReliefF score of each feature.

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
        From -1 to 1. The only sample of a class has no hits, only misses.
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
    """Return the RReliefF score of each feature.

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
        From -1 to 1; all 0 if the neighbors of all samples have the same outcome.

    Notes
    -----
    ``P(differs | outcome differs) - P(differs | outcome does not)``, where the difference of
    neighbors replaces a probability.
    """
    n_samples, n_features = features.shape
    outcome = to_unit_interval(np.asarray(y, dtype=np.float64))
    differ, both_differ, outcome_differs = np.zeros(n_features), np.zeros(n_features), 0.0
    for sample in range(n_samples):
        differences = np.abs(features - features[sample])
        others = np.delete(np.arange(n_samples), sample)
        nearest = _nearest(differences.sum(axis=1), others, n_neighbors)
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
