"""The matrix of an AnnData object to select from: X, a layer or raw, in memory or in its file."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from perturbfs.arrays import (
    Array,
    enumerate_some,
    is_backed,
    is_blocks,
    is_dask_array,
    open_backed,
    refuse_bad_values,
)
from perturbfs.datasets.reading import as_floats
from perturbfs.exceptions import DataWarning

SPARSE_SHARE = 4  # memory that a sparse matrix takes when it is used, as a multiple of its size
MOST_LOOKED_AT = 100_000  # values that are looked at to recognize counts


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells by genes, and where they come from.

    Attributes
    ----------
    X : array, sparse array or ColumnStore of shape (n_cells, n_genes)
    names : array of str
        Of the genes.
    place : str
        As the user calls it, for messages: ``"adata.X"`` and the like.
    is_raw : bool
        Whether it is ``adata.raw``, which may have more genes than ``adata``.
    """

    X: Any
    names: Array
    place: str
    is_raw: bool


def find_matrix(adata: Any, *, layer: str | None, use_raw: bool | None, memory: int) -> Matrix:
    """Return the matrix that `layer` and `use_raw` name, as scanpy understands them.

    Parameters
    ----------
    adata : AnnData
    layer : str or None
    use_raw : bool or None
        None takes raw if there is one and no layer is named.
    memory : int
        Bytes that reading from a file may take.
    """
    is_raw = _uses_raw(adata, layer, use_raw)
    if is_raw:
        found, names, place = adata.raw.X, adata.raw.var_names, "adata.raw.X"
    elif layer is not None:
        found, names, place = adata.layers[layer], adata.var_names, f"adata.layers[{layer!r}]"
    else:
        found, names, place = adata.X, adata.var_names, "adata.X"
    labels = np.array([str(name) for name in names], dtype=object)
    _refuse_repeated(labels, "adata.raw" if is_raw else "adata")
    if found is None:
        raise ValueError(
            f"adata has no X. Name one of its layers: {_listed(adata.layers)}."
            if len(adata.layers)
            else "adata has neither X nor layers, so there is nothing to select from."
        )
    X = _from_file(found, labels, memory) if is_backed(found) else _in_memory(found, place)
    if not is_blocks(X):
        refuse_bad_values(X, labels)
        _warn_of_counts(X, place)
    return Matrix(X, labels, place, is_raw)


def _uses_raw(adata: Any, layer: str | None, use_raw: bool | None) -> bool:
    if layer is not None and use_raw:
        raise ValueError(
            f"layer={layer!r} and use_raw=True were given, but genes are selected from one "
            "matrix. Give one of them."
        )
    if layer is not None and layer not in adata.layers:
        raise ValueError(
            f"layer={layer!r} is not a layer of adata. It has {_listed(adata.layers)}."
        )
    if use_raw and adata.raw is None:
        raise ValueError("use_raw=True was given, but adata.raw is None. Leave it out to use X.")
    return bool(layer is None and adata.raw is not None and use_raw is not False)


def _listed(names: Any) -> str:
    return enumerate_some([repr(name) for name in names]) or "none"


def _refuse_repeated(names: Array, place: str) -> None:
    repeated = [repr(name) for name, count in Counter(names.tolist()).items() if count > 1]
    if repeated:
        raise ValueError(
            f"{place}.var_names has {len(repeated)} names that occur more than once: "
            f"{enumerate_some(repeated)}. Genes are marked by their names. Call "
            f"{place}.var_names_make_unique() first."
        )


def _from_file(X: Any, names: Array, memory: int) -> Any:
    """Return a sparse matrix in memory if its stored values fit, and else the open file."""
    group = X.group if hasattr(X, "to_memory") else None
    if group is not None:
        stored = sum(group[part].nbytes for part in ("data", "indices", "indptr"))
        if SPARSE_SHARE * stored <= memory:
            return _in_memory(X.to_memory(), "adata.X")
    return open_backed(X, feature_names=names, memory=memory)


def _in_memory(X: Any, place: str) -> Array:
    """Return a matrix as a plain array, or as a sparse one in CSR or CSC format."""
    if is_dask_array(X) or not (scipy.sparse.issparse(X) or isinstance(X, np.ndarray)):
        raise ValueError(
            f"{place} is a {type(X).__module__.partition('.')[0]} {type(X).__name__}, but a dense "
            "or sparse matrix in memory, or one of a file opened with backed='r', is needed. "
            "Use adata.to_memory(), or open the file with anndata.read_h5ad(path, backed='r')."
        )
    if not scipy.sparse.issparse(X):
        return as_floats(np.asarray(X))
    make = scipy.sparse.csc_array if X.format == "csc" else scipy.sparse.csr_array
    return as_floats(make(X))  # shares the values with the matrix, or the view, of adata


def _warn_of_counts(X: Array, place: str) -> None:
    """Warn if the values look like counts that were not normalized."""
    values = X.data if scipy.sparse.issparse(X) else X[: 1 + MOST_LOOKED_AT // X.shape[1]].ravel()
    values = values[:MOST_LOOKED_AT]
    is_counts = values.size and values.min() >= 0 and np.array_equal(values, np.rint(values))
    if is_counts and values.max() > 1:
        warnings.warn(
            f"{place} holds whole numbers, as raw counts do, and genes are selected from the "
            "values as they are. Normalize them and take logarithms first (sc.pp.normalize_total, "
            "sc.pp.log1p), or name a layer that is normalized.",
            DataWarning,
            stacklevel=5,
        )
