"""The number of features that a selector is asked for."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from perturbfs._support.compat import Interval, RealNotInt, StrOptions

# What the parameter `n_features_to_select` of both selectors may be.
NUMBER: list[Any] = [
    None,
    StrOptions({"auto"}),
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0, 1, closed="right"),
]


def resolve_number(n_features_to_select: Any, n_features: int) -> int | None:
    """Return the number of features asked for, or None if the selector chooses it.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None
        A fraction is a share of all features, rounded down, but at least one feature.
    n_features : int
        Number of all features.

    Returns
    -------
    number : int or None
    """
    if n_features_to_select is None or isinstance(n_features_to_select, str):
        return None
    if isinstance(n_features_to_select, Integral):
        return int(n_features_to_select)
    return max(1, int(n_features_to_select * n_features))
