"""What changes when noise is added: the perturbation curve."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone

from perturbfs.arrays import Array
from perturbfs.evaluation import noise_robustness

N_REPEATS = 5
# Methods whose selection of a given number of features takes a fraction of a second, and
# the size of a table up to which it does.
QUICK_METHODS = (
    "robust",
    "paper",
    "released",
    "released-late",
    "anova",
    "mrmr",
    "lasso",
    "random",
)
MOST_VALUES = 4_000_000


def is_quick(method: str, shape: tuple[int, int]) -> bool:
    """Whether the study takes seconds: by name and size, lest results depend on the machine."""
    return method in QUICK_METHODS and shape[0] * shape[1] <= MOST_VALUES


def describe_noise(
    selector: Any, X: Array, y: Array, *, task: str, random_state: int | None = 0
) -> dict[str, Any]:
    """Select as many features again, and predict, with 1, 5, 10 and 20 % of noise.

    Parameters
    ----------
    selector : fitted selector
        Asked for as many features as it chose, with the noise and the kind it found best.
    X : array or sparse matrix of shape (n_samples, n_features)
        Without missing values.
    y : array of shape (n_samples,)
    task : {"classification", "regression"}
    random_state : int or None

    Returns
    -------
    noise : dict
        ``rows`` (``level``, ``kept``, ``changed``, ``score``), ``n_repeats``, and ``note`` where
        it could not be done.
    """
    if scipy.sparse.issparse(X):
        return _nothing("The table is sparse; noise in every entry would fill it.")
    asked = clone(selector).set_params(n_features_to_select=int(np.sum(selector.get_support())))
    found_best = {"noise": "noise_", "nonlinear": "nonlinear_"}
    asked.set_params(
        **{
            name: getattr(selector, found)
            for name, found in found_best.items()
            if name in asked.get_params() and hasattr(selector, found)
        }
    )
    try:
        found = noise_robustness(
            asked, X, y, task=task, n_repeats=N_REPEATS, random_state=random_state
        )
    except ValueError as error:  # too few samples of a class, or of features on a part of them
        return _nothing(str(error))
    rows = [
        {
            "level": row.level,
            "kept": round(row.kept, 4),
            "changed": round(row.changed, 4),
            "score": round(row.score, 4),
        }
        for row in found.rows
    ]
    return {"rows": rows, "n_repeats": N_REPEATS, "note": ""}


def _nothing(note: str) -> dict[str, Any]:
    return {"rows": [], "n_repeats": N_REPEATS, "note": note}
