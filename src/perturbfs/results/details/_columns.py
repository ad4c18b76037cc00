"""Columns of a table as dense numbers, and numbers short enough to be written many times."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array


def take_columns(X: Array, features: Sequence[int] | Array) -> Array:
    """The named features, dense, as float64."""
    columns = X[:, list(features)]
    if scipy.sparse.issparse(columns):
        columns = columns.toarray()
    return np.asarray(columns, dtype=np.float64)


def short(values: Array, digits: int = 4) -> list[float]:
    """Values with so many digits that count, which is what a picture can show."""
    return [shortened(value, digits) for value in np.asarray(values).tolist()]


def shortened(value: float, digits: int = 4) -> float:
    """One value with so many digits that count."""
    if value == 0 or not math.isfinite(value):
        return 0.0
    return float(f"{value:.{digits}g}")
