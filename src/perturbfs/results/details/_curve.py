"""Score against number of features, as the selector saw it when it chose the number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import short


def describe_curve(selector: Any) -> dict[str, Any] | None:
    """Inner scores by number of features; None where the number was given.

    Parameters
    ----------
    selector : fitted selector

    Returns
    -------
    curve : dict or None
        ``n_features``, ``score`` and ``standard_error`` (lists), ``chosen`` and ``best``
        (numbers of features) and ``rule``.

    Examples
    --------
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification
    >>> from perturbfs.results import describe_curve
    >>> data = make_wide_classification(40, 60, random_state=0)
    >>> curve = describe_curve(RobustSelector(max_features=4).fit(data.X, data.y))
    >>> curve["n_features"], curve["rule"]
    ([1, 2, 3, 4], 'one_se')
    >>> describe_curve(RobustSelector(3).fit(data.X, data.y)) is None
    True
    """
    candidates = [each for each in getattr(selector, "candidates_", ()) if np.isfinite(each.score)]
    if len(candidates) < 2:
        return None
    # Different k can give subsets of one size; the picture needs one point a size.
    by_size: dict[int, Any] = {}
    for each in candidates:
        known = by_size.get(each.n_features)
        if known is None or each.score > known.score:
            by_size[each.n_features] = each
    points = [by_size[size] for size in sorted(by_size)]
    best = max(points, key=lambda each: (each.score, -each.n_features))
    return {
        "n_features": [each.n_features for each in points],
        "score": short(np.array([each.score for each in points])),
        "standard_error": short(np.array([each.standard_error for each in points])),
        "chosen": int(np.sum(selector.get_support())),
        "best": best.n_features,
        "rule": str(getattr(selector, "rule", "")),
    }
