"""Harrell's concordance: how often the sample with the higher risk has the event first."""

from __future__ import annotations

import numpy as np

from perturbfs.arrays import Array

TIE = 1e-8  # risks that differ by no more count as equal, as in scikit-survival
MOST_PAIRS = 2**20  # that are compared at a time


def concordance(y: Array, risk: Array, weights: Array | None = None) -> float:
    """Return Harrell's concordance of predicted risks with a survival outcome.

    Parameters
    ----------
    y : structured array of shape (n_samples,)
        With the fields ``event`` and ``time``.
    risk : array of shape (n_samples,)
        Higher for samples that are expected to have the event earlier.
    weights : array of shape (n_samples,), optional
        A pair has the product of the weights of its samples.

    Returns
    -------
    concordance : float
        1 if the order of the events is that of the risks, 0.5 for equal risks, and if no two
        samples can be compared.

    Notes
    -----
    Two samples can be compared if one had the event and the other one was known to be without it
    then: its time is later, or equal and censored. Pairs of equal risk count as half.
    """
    event, time = y["event"], y["time"]
    weights = np.ones(len(y)) if weights is None else np.asarray(weights)
    first = np.flatnonzero(event)
    concordant = comparable = 0.0
    size = max(1, MOST_PAIRS // max(1, len(y)))
    for start in range(0, len(first), size):
        rows = first[start : start + size]
        later = (time > time[rows, None]) | ((time == time[rows, None]) & ~event)
        apart = risk[rows, None] - risk
        hits = (apart > TIE) + 0.5 * (np.abs(apart) <= TIE)
        comparable += float(weights[rows] @ (later @ weights))
        concordant += float(weights[rows] @ ((later * hits) @ weights))
    return concordant / comparable if comparable > 0 else 0.5
