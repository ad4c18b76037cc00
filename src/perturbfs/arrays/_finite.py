"""Errors for values that are not finite, with the names of the features that hold them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse

from ._block import Block
from ._blocks import FeatureBlocks
from ._devices import namespace_of, to_host
from ._namespace import Array


def refuse_bad_values(X: Array, names: Array | None, *, first: int = 0) -> None:
    """Raise an error if X holds NaN or infinity.

    Parameters
    ----------
    X : array or scipy.sparse matrix of shape (n_samples, n_features)
    names : array of str or None
        Of the features.
    first : int
        Position of the first feature, to refer to features without names.
    """
    found = _count_bad(X)
    if found is not None:
        _refuse([(first, *found)], names)


def refuse_bad_blocks(blocks: FeatureBlocks) -> None:
    """Raise an error if blocks of features hold NaN or infinity; only counts leave the device."""
    found = [(span.start, *each) for span, each in blocks.map(_count_bad_of_block) if each]
    _refuse(found, None)


def _count_bad_of_block(block: Block) -> tuple[Array, bool] | None:
    return _count_bad(block.dense())


def _count_bad(X: Array) -> tuple[Array, bool] | None:
    """Return how many values of each feature are not finite, and whether any is NaN."""
    values = X.data if scipy.sparse.issparse(X) else X
    xp = namespace_of(values)
    with np.errstate(over="ignore", invalid="ignore"):
        if bool(xp.isfinite(xp.sum(values))):
            return None
    if scipy.sparse.issparse(X):
        stored = scipy.sparse.coo_array(X)
        is_bad = ~np.isfinite(stored.data)
        counts = np.bincount(stored.coords[1][is_bad], minlength=X.shape[1])
    else:
        counts = xp.sum(xp.astype(~xp.isfinite(values), xp.int64), axis=0)
    return to_host(counts), bool(xp.any(xp.isnan(values)))


def _refuse(found: Sequence[tuple[int, Array, bool]], names: Array | None) -> None:
    """Raise an error if any count is positive.

    Each entry of `found` is the position of a first feature, the counts from there on, and
    whether there is any NaN.
    """
    n_bad = sum(int(counts.sum()) for _, counts, _ in found)
    if not n_bad:
        return
    labels = [
        f"column {start + j}" if names is None else repr(str(names[j]))
        for start, counts, _ in found
        for j in np.flatnonzero(counts)
    ]
    kind = "NaN" if any(has_nan for *_, has_nan in found) else "infinity"
    advice = {
        "NaN": "Impute them first, inside a Pipeline so that nothing leaks (SimpleImputer, "
        "KNNImputer).",
        "infinity": "Replace inf by a number, or drop the samples or features that hold it.",
    }[kind]
    raise ValueError(f"X contains {kind}: {n_bad} values, in {enumerate_some(labels)}. {advice}")


def enumerate_some(labels: Sequence[str], most: int = 5) -> str:
    """Return the first labels, and the number of the others."""
    rest = len(labels) - most
    return ", ".join(labels[:most]) + (f" and {rest} more" if rest > 0 else "")
