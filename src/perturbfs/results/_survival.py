"""Survival by predicted risk: Kaplan-Meier curves of test samples, and numbers at risk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from perturbfs.arrays import Array
from perturbfs.evaluation import Prediction

from ._chosen import short

LABELS = {2: ("lower risk", "higher risk"), 3: ("low risk", "middle risk", "high risk")}
FEWEST_FOR_THREE = 60  # samples with a prediction; with fewer there are two groups
MOST_STEPS = 300  # of a curve; of more, some are taken
MOST_TIMES = 6  # at which the samples at risk are counted, besides 0


def kaplan_meier(y: Array) -> tuple[Array, Array]:
    """Return the times of the events, and the share of samples still without the event then.

    Parameters
    ----------
    y : structured array of shape (n_samples,)
        With the fields ``event`` and ``time``.

    Returns
    -------
    times, survival : arrays of shape (n_times,)

    Notes
    -----
    At each time of an event the share is multiplied by one minus the events over the samples that
    were under observation until then. Samples censored at that time count among them.

    Examples
    --------
    >>> from perturbfs.arrays import survival_outcome
    >>> from perturbfs.results import kaplan_meier
    >>> kaplan_meier(survival_outcome([1, 0, 1, 1], [1.0, 2.0, 3.0, 3.0]))
    (array([1., 3.]), array([0.75, 0.  ]))
    """
    times, n_events = np.unique(y["time"][y["event"]], return_counts=True)
    return times, np.cumprod(1 - n_events / count_at_risk(y, times))


def count_at_risk(y: Array, times: Array) -> Array:
    """Return how many samples were under observation until each of some times."""
    return len(y) - np.searchsorted(np.sort(y["time"]), times, side="left")


def describe_survival(
    predictions: Sequence[Prediction], y: Array, *, time_label: str = "time"
) -> dict[str, Any] | None:
    """Describe the survival of the test samples by their predicted risk.

    Parameters
    ----------
    predictions : sequence of Prediction
        One per split, with risks.
    y : structured array of shape (n_samples,)
        With the fields ``event`` and ``time``.
    time_label : str
        What the times are.

    Returns
    -------
    described : dict or None
        ``curves``: for each risk group ``label``, ``n_samples``, ``n_events``, the curve
        (``time`` and ``survival``, from time 0 on, constant until the next time) and the samples
        ``at_risk`` at the ``at_risk_times``. ``n_tested`` of the ``n_samples`` were a test sample
        in some split; the others are left out. None without predictions.

    Notes
    -----
    Each risk is predicted by a model that did not see the sample. Risks of different models cannot
    be compared, so the rank among the test samples of the split is taken, and its mean over the
    splits in which the sample was tested. The groups are thirds, or halves with few samples, by
    this mean; samples with the same mean are in the same group. Each sample counts once.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.arrays import survival_outcome
    >>> from perturbfs.evaluation import Prediction
    >>> from perturbfs.results import describe_survival
    >>> y = survival_outcome([1, 0, 1, 1], [1.0, 4.0, 3.0, 2.0])
    >>> split = Prediction(np.arange(4), np.array([0.9, 0.1, 0.2, 0.7]), None)
    >>> low, high = describe_survival([split], y)["curves"]
    >>> low["label"], low["n_samples"], low["time"], low["survival"]
    ('lower risk', 2, [0.0, 3.0, 4.0], [1.0, 0.5, 0.5])
    """
    if not predictions:
        return None
    totals, n_times = np.zeros(len(y)), np.zeros(len(y))
    for each in predictions:
        totals[each.test] += (rankdata(each.predicted) - 0.5) / len(each.test)
        n_times[each.test] += 1
    tested = np.flatnonzero(n_times)
    rank, known = totals[tested] / n_times[tested], y[tested]
    labels = LABELS[3 if len(tested) >= FEWEST_FOR_THREE else 2]
    limits = np.quantile(rank, np.arange(1, len(labels)) / len(labels))
    group = np.searchsorted(limits, rank, side="left")
    times = _round_times(float(known["time"].max()))
    return {
        "curves": [
            _describe_curve(known[group == code], label, times)
            for code, label in enumerate(labels)
            if np.any(group == code)
        ],
        "at_risk_times": short(times),
        "time_label": time_label,
        "n_tested": len(tested),
        "n_samples": len(y),
    }


def _describe_curve(y: Array, label: str, at_risk_times: Array) -> dict[str, Any]:
    times, survival = kaplan_meier(y)
    if len(times) > MOST_STEPS:
        kept = np.linspace(0, len(times) - 1, MOST_STEPS).round().astype(int)
        times, survival = times[kept], survival[kept]
    last = survival[-1] if len(survival) else 1.0
    return {
        "label": label,
        "n_samples": len(y),
        "n_events": int(y["event"].sum()),
        # The curve goes on until the last sample leaves.
        "time": short(np.concatenate([[0.0], times, [y["time"].max()]])),
        "survival": short(np.concatenate([[1.0], survival, [last]])),
        "at_risk": count_at_risk(y, at_risk_times).tolist(),
    }


def _round_times(longest: float) -> Array:
    """Return a few round times from 0 on."""
    if longest <= 0:
        return np.zeros(1)
    power = 10.0 ** math.floor(math.log10(longest / MOST_TIMES))
    step = next(f * power for f in (1, 2, 5, 10, 20) if longest / (f * power) <= MOST_TIMES)
    return step * np.arange(math.floor(longest / step * (1 + 1e-9)) + 1)
