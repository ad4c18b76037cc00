"""Tables with some of their samples only."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array, SampleBlocks, is_blocks

from .reading._table import Table


def take_samples(table: Table, samples: Array) -> Table:
    """Return a table with some of its samples.

    Parameters
    ----------
    table : Table
    samples : array of int of shape (n_kept,)
        Positions, increasing.

    Returns
    -------
    table : Table

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, take_samples
    >>> take_samples(Table(X=np.eye(3), y=np.array(["a", "b", "a"])), [0, 2]).y.tolist()
    ['a', 'a']
    """
    X, y, names = table.X, table.y, table.sample_names
    smaller = replace(
        table,
        X=SampleBlocks(X, samples) if is_blocks(X) else X[samples],
        y=None if y is None else y[samples],
        sample_names=None if names is None else names[samples],
    )
    return recount_missing(smaller)


def recount_missing(table: Table) -> Table:
    """Return a table whose counts of missing values are those of its `X`."""
    if not table.n_missing:
        return table
    X: Any = table.X
    if scipy.sparse.issparse(X):
        stored = X.tocoo()
        missing = np.bincount(stored.col[np.isnan(stored.data)], minlength=X.shape[1])
    else:
        missing = np.isnan(X).sum(axis=0)
    places = np.flatnonzero(missing).tolist()
    names = table.feature_names
    incomplete = [f"feature {place + 1}" if names is None else names[place] for place in places]
    return replace(table, n_missing=int(missing.sum()), missing_features=tuple(incomplete))
