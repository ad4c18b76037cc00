"""The table that every reader returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs._support.names import Task


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of samples by features, with an outcome.

    Attributes
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        float64, or float32 where the file holds single precision; sparse ones are CSR or CSC.
    y : array of shape (n_samples,) or None
        Text or integers for classes, float64 for a quantity, and for a survival a structured
        array with the fields event and time.
    feature_names, sample_names : array of str or None
        None where the file has none.
    task : {"classification", "regression", "survival"} or None
        None without `y`.
    target_name : str or None
        None without `y`, or where the file does not name its outcome.
    source : str
        Path of the file.
    dropped : tuple of (name, reason)
        What the file holds that is neither in `X` nor in `y`, and why.
    n_missing : int
        Number of entries of `X` that are NaN.
    missing_features : tuple of str
        Features with at least one NaN.
    notes : tuple of str
        Sentences on how the file was read, such as how many cells of text are missing values.
    origins : array of str of shape (n_features,) or None
        The name of the table that each feature comes from, where `join_tables` joined several
        tables of the same samples. None otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table
    >>> table = Table(X=np.eye(2), y=np.array(["a", "b"]), task="classification")
    >>> table.n_samples, table.n_features
    (2, 2)
    """

    X: Any
    y: NDArray[Any] | None = None
    feature_names: NDArray[np.object_] | None = None
    sample_names: NDArray[np.object_] | None = None
    task: Task | None = None
    target_name: str | None = None
    source: str = ""
    dropped: tuple[tuple[str, str], ...] = ()
    n_missing: int = 0
    missing_features: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    origins: NDArray[np.object_] | None = None

    @property
    def n_samples(self) -> int:
        """Number of rows of `X`."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns of `X`."""
        return int(self.X.shape[1])
