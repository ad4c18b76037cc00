"""mRMR: selection of relevant features with little redundancy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from threadpoolctl import threadpool_limits

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns

from ._preparation import center
from ._ranking import Ranking, RankingSelector

_N_DEFAULT = 10
_LEAST_CORRELATION = 1e-3  # as in mrmr_selection
_EXTRA_INFORMATION = 1e-2  # as in the authors' program


class MRMRSelector(RankingSelector):
    """Select features one by one, by high relevance and low redundancy.

    The most relevant feature comes first. Each further feature has the largest quotient, or
    difference, of its relevance and its mean redundancy with the features chosen before.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        By default 10, or all features if there are fewer. The method itself does not choose a
        number.
    relevance : {"f", "mi"}, default="f"
        "f" is the F statistic (analysis of variance for classes, linear regression for a
        quantity), with absolute correlation as redundancy. "mi" is mutual information for both,
        with features divided into `n_bins` bins.
    scheme : {"quotient", "difference"}, default="quotient"
        How relevance and redundancy are combined.
    n_bins : int, default=3
        Number of bins for "mi", with about equally many samples each: by default low, middle and
        high. Equal values share a bin. A quantity as outcome is divided in the same way. "f"
        ignores it.

    Attributes
    ----------
    support_ : array of bool of shape (n_features_in_,)
    ranking_ : array of int of shape (n_features_in_,)
        Order of choice; features that are not selected share the last rank.
    scores_ : array of shape (n_features_in_,)
        Relevance.
    task_ : {"classification", "regression"}
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if X had names.

    Notes
    -----
    To avoid division by zero, a correlation counts as at least 0.001, as in the package
    mrmr_selection, and 0.01 is added to the mean mutual information, as in the authors'
    program. Constant features come last under both schemes. Scaling a feature does not change
    the result. The scheme "difference" is meant for "mi": "f" has no upper bound and would
    dominate the difference.

    Time is O(m n k) for "f" and O(m n b^2 k) for "mi", memory O(m n) and O(m n b), for m samples,
    n features, k chosen features and b bins.

    References
    ----------
    C. Ding, H. Peng. Minimum redundancy feature selection from microarray gene expression
    data. Journal of Bioinformatics and Computational Biology 3(2), 2005.

    H. Peng, F. Long, C. Ding. Feature selection based on mutual information: criteria of
    max-dependency, max-relevance, and min-redundancy. IEEE Transactions on Pattern Analysis
    and Machine Intelligence 27(8), 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from perturbfs.baselines import MRMRSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> MRMRSelector(2).fit(X, y).get_support(indices=True)
    array([2, 3])
    """

    def __init__(
        self,
        n_features_to_select: float | Literal["auto"] | None = None,
        *,
        relevance: Literal["f", "mi"] = "f",
        scheme: Literal["quotient", "difference"] = "quotient",
        n_bins: int = 3,
    ) -> None:
        super().__init__(n_features_to_select)
        self.relevance = relevance
        self.scheme = scheme
        self.n_bins = n_bins

    def _rank(self, X: Array, y: Array, n_wanted: int | None) -> Ranking:
        n_default = min(_N_DEFAULT, X.shape[1])
        n_chosen = n_wanted or n_default
        is_constant = np.ptp(X, axis=0) == 0
        if self.relevance == "f":
            units = unit_features(X)
            relevance = f_statistics(units, y, is_classes=self.task_ == "classification")
            redundancy_with = partial(_correlation_with, units)
        else:
            states = equal_frequency_states(X, self.n_bins)
            outcome = y if self.task_ == "classification" else _state_codes(y, self.n_bins)
            indicators = outcome_columns(outcome, task="classification")
            relevance = mutual_information(indicators, states)
            redundancy_with = partial(_information_with, states)
        # The products are many and small; threads would mostly wait for each other.
        with threadpool_limits(limits=1):
            order = choose_greedily(
                np.where(is_constant, -np.inf, relevance), redundancy_with, self._combine, n_chosen
            )
        return Ranking(order, n_default, relevance)

    def _combine(self, relevance: Array, redundancy: Array) -> Array:
        if self.scheme == "difference":
            return relevance - redundancy
        extra = 0.0 if self.relevance == "f" else _EXTRA_INFORMATION
        return relevance / (redundancy + extra)


def choose_greedily(
    relevance: Array,
    redundancy_with: Callable[[int], Array],
    combine: Callable[[Array, Array], Array],
    n_chosen: int,
) -> Array:
    """Return features in the order of choice.

    Parameters
    ----------
    relevance : array of shape (n_features,)
        Minus infinity for features that come last.
    redundancy_with : callable
        Redundancy of one feature with every feature; called once per chosen feature.
    combine : callable
        Takes relevance and mean redundancy, returns the value to maximize.
    n_chosen : int

    Returns
    -------
    order : array of int of shape (n_chosen,)
        Ties keep the order of the features.
    """
    is_left = np.ones(len(relevance), dtype=bool)
    total = np.zeros(len(relevance))
    order = [int(np.argmax(relevance))]
    while len(order) < n_chosen:
        is_left[order[-1]] = False
        total += redundancy_with(order[-1])
        left = np.flatnonzero(is_left)
        order.append(int(left[np.argmax(combine(relevance[left], total[left] / len(order)))]))
    return np.array(order)


def unit_features(X: Array) -> Array:
    """Return features with mean 0 and norm 1; constant ones become 0."""
    centered = center(X)
    norms = np.linalg.norm(centered, axis=0)
    is_constant = norms <= 10 * len(X) * np.finfo(np.float64).eps
    return np.where(is_constant, 0.0, centered / np.where(is_constant, 1.0, norms))


def f_statistics(units: Array, y: Array, *, is_classes: bool) -> Array:
    """Return F statistics of analysis of variance, or of linear regression on one feature.

    Parameters
    ----------
    units : array of shape (n_samples, n_features)
        Features with mean 0 and norm 1, or 0.
    y : array of shape (n_samples,)
    is_classes : bool

    Returns
    -------
    statistics : array of shape (n_features,)
        Finite also for a feature that leaves no error; 0 for a constant feature.
    """
    if is_classes:
        indicators = outcome_columns(y, task="classification")
        sums, counts = indicators.T @ units, indicators.sum(axis=0)
        explained = np.sum(sums**2 / counts[:, None], axis=0)
        n_groups = len(counts)
    else:
        explained = (unit_features(y.astype(np.float64)[:, None])[:, 0] @ units) ** 2
        n_groups = 2
    error = np.maximum(1 - explained, np.finfo(np.float64).eps)
    return explained / error * (max(1, len(y) - n_groups) / (n_groups - 1))


def equal_frequency_states(X: Array, n_bins: int) -> Array:
    """Return indicators of the bin of every value, of shape (n_bins, n_samples, n_features)."""
    codes = _state_codes(X, n_bins)
    return np.stack([codes == state for state in range(n_bins)]).astype(np.float32)


def _state_codes(values: Array, n_bins: int) -> Array:
    # Edges are values of the data, so that scaling a feature moves no value to another bin.
    shares = np.arange(1, n_bins) / n_bins
    edges = np.quantile(values, shares, axis=0, method="inverted_cdf")
    return np.sum(values > edges[(slice(None), None)], axis=0)


def mutual_information(indicators: Array, states: Array) -> Array:
    """Return the mutual information, in nats, of one variable with every feature.

    Parameters
    ----------
    indicators : array of shape (n_samples, n_states)
        1 if a sample is in a state of the variable, else 0.
    states : array of shape (n_bins, n_samples, n_features)

    Returns
    -------
    information : array of shape (n_features,)
        0 for a constant feature.
    """
    n_samples = len(indicators)
    joint = (indicators.T.astype(np.float32) @ states).astype(np.float64) / n_samples
    apart = indicators.mean(axis=0)[None, :, None] * joint.sum(axis=1, keepdims=True)
    terms = joint * np.log(np.where(joint > 0, joint / np.where(apart > 0, apart, 1.0), 1.0))
    # Rounding may leave an independent feature slightly below 0.
    return np.maximum(terms.sum(axis=(0, 1)), 0.0)


def _correlation_with(units: Array, feature: int) -> Array:
    return np.maximum(np.abs(units[:, feature] @ units), _LEAST_CORRELATION)


def _information_with(states: Array, feature: int) -> Array:
    return mutual_information(states[:, :, feature].T.astype(np.float64), states)
