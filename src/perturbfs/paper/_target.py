"""The outcome as the columns that least squares is asked to fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perturbfs.arrays import Array
from perturbfs.checks import outcome_columns


@dataclass(frozen=True, slots=True)
class Target:
    """The outcome as orthonormal columns; what least squares sees of it."""

    columns: Array  # (n_samples, n_columns), orthonormal
    scale: float  # coefficients of the outcome as given = scale * those of `columns`


def code_target(y: Array, *, coding: str = "codes", scaling: str = "unit") -> Target:
    """Turn an outcome into the columns that the features are compared with.

    Parameters
    ----------
    y : array of shape (n_samples,)
        Numbers or class labels, more than one distinct value.
    coding : {"codes", "indicators"}
        ``"codes"`` takes numbers as they are, as the paper does, and numbers any other labels
        1, 2, ... in sorted order. ``"indicators"`` makes one column a class, so that nothing
        depends on how the classes are numbered.
    scaling : {"unit", "minmax"}
        ``"minmax"`` maps codes to [0, 1] first, as in the paper's algorithm box.

    Returns
    -------
    target : Target
    """
    labels, positions = np.unique(np.asarray(y), return_inverse=True)
    if coding == "indicators":
        # Class columns have no sample in common, so scaling them makes them orthonormal and
        # every length and angle below depends on their span alone.
        columns = outcome_columns(np.asarray(y), task="classification")
        return Target(columns / np.linalg.vector_norm(columns, axis=0), 1.0)
    if np.issubdtype(labels.dtype, np.number) or np.issubdtype(labels.dtype, np.bool_):
        codes: Array = np.asarray(y, dtype=np.float64)
    else:
        codes = 1.0 + positions
    if scaling == "minmax":
        codes = (codes - codes.min()) / (codes.max() - codes.min())
    largest = float(np.max(np.abs(codes)))  # keeps the squares of huge and tiny values in range
    norm = float(np.linalg.vector_norm(codes / largest))
    return Target((codes / largest / norm)[:, None], largest * norm)
