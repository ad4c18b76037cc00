"""Read a table whose features are in columns or in rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from perturbfs.datasets import Table, TableError

from ._options import Layout


def read_either_way(
    read: Callable[[Layout], Table],
    layout: Layout,
    n_found: Callable[[Table], int],
    *,
    enough: int,
) -> Table:
    """Read a table with features in columns or in rows, whichever has more of the names sought.

    Parameters
    ----------
    read : callable
        Reads the table in a layout.
    layout : Layout
        If it says where the features are, that is taken.
    n_found : callable
        Returns how many of the names sought a table has.
    enough : int
        With so many names, the other way is not tried.

    Returns
    -------
    table : Table
    """
    if layout.features_in_rows is not None:
        return read(layout)
    in_rows = replace(layout, features_in_rows=True)
    try:
        table = read(layout)
        n_straight = n_found(table)
    except TableError:
        return read(in_rows)
    if table.feature_names is None or n_straight >= max(enough, 1):
        return table
    try:
        turned = read(in_rows)
    except TableError:
        if n_straight:
            return table
        raise
    return turned if n_found(turned) > n_straight else table
