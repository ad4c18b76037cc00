"""Tables with some of their features or samples only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import Array, SampleBlocks, is_blocks

from ._errors import TableError
from .reading._names import unknown_name
from .reading._table import Table


def without_features(table: Table, patterns: Sequence[str]) -> Table:
    """Return a table without the features that are named or match a pattern.

    Parameters
    ----------
    table : Table
        In memory, with names of features.
    patterns : sequence of str
        Names, or shell patterns such as ``"AFFX*"``. A name is never taken for a pattern.

    Returns
    -------
    table : Table

    Raises
    ------
    TableError
        If a pattern matches no feature, with the most similar names, or if no feature is left.

    Examples
    --------
    >>> import numpy as np
    >>> from perturbfs.datasets import Table, without_features
    >>> names = np.array(["age", "AFFX-1", "AFFX-2"], dtype=object)
    >>> table = without_features(Table(X=np.eye(3), feature_names=names), ["AFFX*"])
    >>> table.feature_names.tolist(), table.X.shape
    (['age'], (3, 1))
    """
    if not patterns:
        return table
    if table.feature_names is None or is_blocks(table.X):
        why = "have no names" if table.feature_names is None else "are read in blocks"
        raise TableError(
            f"The features of {table.source or 'the table'} {why}, so exclude={patterns[0]!r} "
            "cannot be left out. Remove it from the file."
        )
    names = [str(name) for name in table.feature_names]
    is_left_out = np.zeros(len(names), dtype=bool)
    for pattern in patterns:
        matches = [name == pattern for name in names]
        if not any(matches):
            matches = [fnmatchcase(name, pattern) for name in names]
        if not any(matches):
            raise unknown_name(pattern, names, what="exclude")
        is_left_out |= matches
    if is_left_out.all():
        raise TableError(f"exclude leaves none of the {len(names)} features. Leave out fewer.")
    kept = np.flatnonzero(~is_left_out)
    smaller = replace(
        table,
        X=table.X[:, kept],
        feature_names=table.feature_names[kept],
        dropped=(*table.dropped, *_describe(patterns, int(is_left_out.sum()))),
    )
    return _recount_missing(smaller)


def _describe(patterns: Sequence[str], n_left_out: int) -> list[tuple[str, str]]:
    features = "1 feature" if n_left_out == 1 else f"{n_left_out:,} features"
    return [(features, f"excluded by {', '.join(map(repr, patterns))}")]


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
    return _recount_missing(smaller)


def _recount_missing(table: Table) -> Table:
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
