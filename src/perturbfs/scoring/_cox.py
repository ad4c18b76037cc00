"""Ridge regression of the log hazard: the Cox model with a penalty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.linalg import solve
from sklearn.base import BaseEstimator

from perturbfs.arrays import Array

MOST_STEPS = 100  # of Newton; from zero it needs about five
TOLERANCE = 1e-12  # gain of the log likelihood per unit of weight at which it stops
SUFFICIENT = 1e-4  # share of the expected gain that a step must bring


@dataclass(frozen=True, slots=True)
class PartialLikelihood:
    """The partial likelihood of the Cox model, with the ties of Breslow.

    Attributes
    ----------
    X : array of shape (n_samples, n_features)
        Samples by falling time.
    weights, n_events : arrays of shape (n_samples,)
        The weight of each sample, and the same where it had the event, else 0.
    last : array of int of shape (n_times,)
        The last sample with each distinct time.
    at : array of int of shape (n_samples,)
        The distinct time of each sample.
    penalty : float
    """

    X: Array
    weights: Array
    n_events: Array
    last: Array
    at: Array
    penalty: float

    @classmethod
    def of(cls, X: Array, y: Array, weights: Array, penalty: float) -> PartialLikelihood:
        """Return the likelihood of features and a survival outcome."""
        order = np.argsort(-y["time"], kind="stable")
        time, weights = y["time"][order], weights[order]
        is_last = np.append(time[1:] != time[:-1], True)
        at = np.concatenate([[0], np.cumsum(is_last)[:-1]])
        n_events = weights * y["event"][order]
        return cls(X[order], weights, n_events, np.flatnonzero(is_last), at, penalty)

    def value(self, coefficients: Array) -> float:
        """Return the logarithm of the likelihood minus the penalty."""
        risk = self.X @ coefficients
        _, top, at_risk = self._at_risk(risk)
        lost = np.log(at_risk) + top
        fit = float(self.n_events @ (risk - lost[self.at]))
        return fit - self.penalty / 2 * float(coefficients @ coefficients)

    def slopes(self, coefficients: Array) -> tuple[Array, Array]:
        """Return the gradient of `value`, and its negative matrix of second derivatives."""
        X = self.X
        hazards, _, at_risk = self._at_risk(X @ coefficients)
        n_events = np.bincount(self.at, weights=self.n_events, minlength=len(self.last))
        # Baseline hazard until the time of each sample: later times come first.
        until = np.cumsum((n_events / at_risk)[::-1])[::-1][self.at]
        expected = hazards * until
        gradient = (self.n_events - expected) @ X - self.penalty * coefficients
        has_event = n_events > 0
        means = np.cumsum(hazards[:, None] * X, axis=0)[self.last[has_event]]
        means /= at_risk[has_event, None]
        curvature = (expected[:, None] * X).T @ X - (n_events[has_event, None] * means).T @ means
        return gradient, curvature + self.penalty * np.eye(X.shape[1])

    def _at_risk(self, risk: Array) -> tuple[Array, float, Array]:
        """Return the hazards over exp(top), top, and the sums of hazards at risk by time."""
        top = float(risk.max())
        hazards = self.weights * np.exp(risk - top)
        # A risk far below the others must not make a sum zero.
        return hazards, top, np.maximum(np.cumsum(hazards)[self.last], np.finfo(float).tiny)


def fit_cox(X: Array, y: Array, *, penalty: float, weights: Array | None = None) -> Array:
    """Return the coefficients of the Cox model with a ridge penalty.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    y : structured array of shape (n_samples,)
        With the fields ``event`` and ``time``.
    penalty : float
        Positive. Half of it times the squared length of the coefficients is subtracted from the
        log partial likelihood; it is `alpha` of `CoxPHSurvivalAnalysis` in scikit-survival.
    weights : array of shape (n_samples,), optional
        A sample of weight 2 counts like two samples.

    Returns
    -------
    coefficients : array of shape (n_features,)

    Notes
    -----
    With more features than samples, the coefficients are a combination of the samples. The model
    is then fitted to the coordinates of the samples along their principal directions.
    """
    weights = np.ones(len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    X = X - np.average(X, axis=0, weights=weights)  # a shift changes nothing but the rounding
    directions = None
    if X.shape[1] > X.shape[0]:
        left, lengths, directions = np.linalg.svd(X, full_matrices=False)
        X = left * lengths
    likelihood = PartialLikelihood.of(X, y, weights, penalty)
    found = _maximize(likelihood, tolerance=TOLERANCE * float(weights.sum()))
    return found if directions is None else found @ directions


def _maximize(likelihood: PartialLikelihood, *, tolerance: float) -> Array:
    """Return the coefficients of the largest likelihood, by damped steps of Newton."""
    found = np.zeros(likelihood.X.shape[1])
    value = likelihood.value(found)
    for _ in range(MOST_STEPS):
        gradient, curvature = likelihood.slopes(found)
        step = solve(curvature, gradient, assume_a="pos", check_finite=False)
        expected = float(gradient @ step)
        if expected <= tolerance:
            return found + step  # so near, a last step squares the error
        size, reached = 1.0, likelihood.value(found + step)
        while reached < value + SUFFICIENT * size * expected and size > np.finfo(float).eps:
            size /= 2
            reached = likelihood.value(found + size * step)
        found, value = found + size * step, reached
    return found


class RidgeCox(BaseEstimator):  # type: ignore[misc]
    """Cox model of proportional hazards with a ridge penalty that grows with the features.

    Parameters
    ----------
    penalty : float, default=1.0
        Per feature. The coefficients are the most likely ones if those of n standardized features
        are drawn with the variance ``1 / (penalty * n)``: the log hazards then have the variance
        ``1 / penalty``, however many features there are.

    Attributes
    ----------
    coef_ : array of shape (n_features,)
    n_features_in_ : int

    Notes
    -----
    It fits what `CoxPHSurvivalAnalysis(alpha=penalty * n_features)` of scikit-survival fits,
    without a loop over samples and for more features than samples. Features should be
    standardized.
    """

    def __init__(self, penalty: float = 1.0) -> None:
        self.penalty = penalty

    def fit(self, X: Any, y: Array, sample_weight: Any = None) -> Self:
        """Fit the coefficients to features and a survival outcome."""
        X = np.asarray(X, dtype=np.float64)
        self.n_features_in_ = X.shape[1]
        self.coef_ = np.zeros(self.n_features_in_)
        if self.n_features_in_:
            penalty = self.penalty * self.n_features_in_
            self.coef_ = fit_cox(X, y, penalty=penalty, weights=sample_weight)
        return self

    def predict(self, X: Any) -> Array:
        """Return the log hazard of each sample, up to a constant; 0 without features."""
        return np.asarray(X, dtype=np.float64) @ self.coef_
