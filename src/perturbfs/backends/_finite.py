"""Refusing values that are not finite, with the features that hold them."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from ._namespace import Array


def refuse_bad_values(X: Array, names: Array | None, *, first: int = 0) -> None:
    """Raise where X holds NaN or infinity.

    Parameters
    ----------
    X : array or scipy.sparse matrix of shape (n_samples, n_features)
    names : array of str or None
        Of the features.
    first : int
        Position of the first feature, for those without names.
    """
    values = X.data if scipy.sparse.issparse(X) else X
    with np.errstate(over="ignore", invalid="ignore"):
        may_be_bad = not np.isfinite(np.sum(values))
    if may_be_bad and not np.all(np.isfinite(values)):
        raise ValueError(_describe_bad_values(X, names, first))


def _describe_bad_values(X: Array, names: Array | None, first: int) -> str:
    dense = scipy.sparse.coo_array(X) if scipy.sparse.issparse(X) else None
    values = X if dense is None else dense.data
    is_bad = ~np.isfinite(values)
    kind = "NaN" if np.any(np.isnan(values)) else "infinity"
    columns = np.unique(np.nonzero(is_bad)[-1] if dense is None else dense.coords[1][is_bad])
    labels = [f"column {first + j}" if names is None else repr(str(names[j])) for j in columns]
    advice = (
        "Impute them first, inside a Pipeline so that nothing leaks (SimpleImputer, KNNImputer)."
        if kind == "NaN"
        else "Replace inf by a number, or drop the samples or features that hold it."
    )
    return f"X contains {kind}: {int(is_bad.sum())} values, in {enumerate_some(labels)}. {advice}"


def enumerate_some(labels: list[str], most: int = 5) -> str:
    """The first labels, and how many more there are."""
    rest = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {rest} more" if rest > 0 else "")
