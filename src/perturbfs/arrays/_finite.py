"""Refusing values that are not finite, with the features that hold them."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from ._blocks import Block, FeatureBlocks
from ._devices import namespace_of, to_host
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
    return _message(kind, int(is_bad.sum()), labels)


def refuse_bad_blocks(blocks: FeatureBlocks) -> None:
    """Raise where blocks of features hold NaN or infinity; nothing of them is moved."""
    n_bad, has_nan, labels = 0, False, []
    for span, found in blocks.map(_find_bad):
        if found is not None:
            counts, holds_nan = found
            n_bad, has_nan = n_bad + int(counts.sum()), has_nan or holds_nan
            labels += [f"column {span.start + j}" for j in np.flatnonzero(counts)]
    if n_bad:
        raise ValueError(_message("NaN" if has_nan else "infinity", n_bad, labels))


def _find_bad(block: Block) -> tuple[Array, bool] | None:
    """How many values of each feature are not finite, and whether there are NaN among them."""
    values = block.dense()
    xp = namespace_of(values)
    if bool(xp.isfinite(xp.sum(values))):
        return None
    counts = xp.sum(xp.astype(~xp.isfinite(values), xp.int64), axis=0)
    return to_host(counts), bool(xp.any(xp.isnan(values)))


def _message(kind: str, n_bad: int, labels: list[str]) -> str:
    advice = (
        "Impute them first, inside a Pipeline so that nothing leaks (SimpleImputer, KNNImputer)."
        if kind == "NaN"
        else "Replace inf by a number, or drop the samples or features that hold it."
    )
    return f"X contains {kind}: {n_bad} values, in {enumerate_some(labels)}. {advice}"


def enumerate_some(labels: list[str], most: int = 5) -> str:
    """The first labels, and how many more there are."""
    rest = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {rest} more" if rest > 0 else "")
