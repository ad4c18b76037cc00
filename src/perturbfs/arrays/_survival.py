"""Survival outcomes: for each sample a time, and whether the event happened then."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._namespace import Array

# The fields and their order are those of scikit-survival.
SURVIVAL = np.dtype([("event", np.bool_), ("time", np.float64)])


def is_survival(y: Any) -> bool:
    """Return whether an outcome is a structured array, as survival packages use."""
    return bool(getattr(getattr(y, "dtype", None), "names", None))


def survival_outcome(event: Any, time: Any) -> Array:
    """Return a survival outcome as a structured array.

    Parameters
    ----------
    event : array of bool of shape (n_samples,)
        Whether the event happened at the time. If not, the sample is censored: the event had not
        happened until then.
    time : array of shape (n_samples,)
        Finite and not negative.

    Returns
    -------
    y : array of shape (n_samples,)
        With the fields ``event`` and ``time``, as scikit-survival has them.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.arrays import survival_outcome
    >>> y = survival_outcome([True, False], [3.0, 5.0])
    >>> y["event"].tolist(), y["time"].tolist()
    ([True, False], [3.0, 5.0])
    """
    event, time = np.asarray(event, dtype=np.bool_), np.asarray(time, dtype=np.float64)
    n_unknown, n_negative = int(np.sum(~np.isfinite(time))), int(np.sum(time < 0))
    if n_unknown:
        raise ValueError(
            f"{n_unknown} of {len(time)} survival times are missing or infinite. Give the time of "
            "every sample, or leave these samples out."
        )
    if n_negative:
        raise ValueError(
            f"{n_negative} of {len(time)} survival times are negative, such as "
            f"{time.min():g}, but a time is counted from a start. Correct them, or leave these "
            "samples out."
        )
    if not event.any():
        raise ValueError(
            f"None of the {len(event)} samples has the event, so there is nothing to predict. "
            "Check which value stands for the event."
        )
    y = np.empty(len(event), dtype=SURVIVAL)
    y["event"], y["time"] = event, time
    return y
