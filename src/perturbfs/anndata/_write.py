"""Write a selection into an AnnData object, in values that .h5ad files can hold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.arrays import Array
from perturbfs.checks import choice_order, choice_scores
from perturbfs.datasets import Table
from perturbfs.exceptions import DataWarning
from perturbfs.results import (
    SelectedFeature,
    describe_features,
    find_copies,
    take_features,
    versions,
)

from ._cells import Cells

BETWEEN = ", "  # names of the genes that a gene stands for


@dataclass(frozen=True, slots=True)
class Found:
    """A fitted selector, and its estimate if there is one."""

    selector: Any
    estimate: dict[str, Any] | None


def write_genes(
    adata: Any,
    key: str,
    found: Found,
    table: Table,
    cells: Cells,
    *,
    params: Mapping[str, Any],
    is_raw: bool,
) -> None:
    """Write the columns of ``adata.var`` (and raw) and ``adata.uns[key]``.

    Parameters
    ----------
    adata : AnnData
    key : str
    found : Found
    table : Table
        The cells that took part; its features are the genes of the matrix.
    cells : Cells
    params : mapping
        What the caller asked for.
    is_raw : bool
        Whether the genes are those of ``adata.raw``.
    """
    order = [int(index) for index in choice_order(found.selector)]
    values = take_features(table.X, order)
    genes = describe_features(found.selector, table.feature_names, find_copies(values))
    columns = _columns(found.selector, table.feature_names, genes, key)
    _write_columns(adata, columns, key, is_raw=is_raw)
    means, shares = _by_class(values, cells)
    adata.uns[key] = _plain(
        {
            "params": params,
            "genes": _frame(genes, values, means, cells.order),
            "classes": np.array(cells.order, dtype=object),
            "n_cells": np.array([np.sum(cells.classes == name) for name in cells.order]),
            "means": means,
            "shares": shares,
            "estimate": _short(found.estimate),
            "versions": {**versions(), "anndata": version("anndata")},
        }
    )


def _columns(selector: Any, names: Any, genes: tuple[SelectedFeature, ...], key: str) -> Any:
    """Return one row per gene of the matrix: whether selected, rank, score, group."""
    pandas = _pandas()
    n_genes = len(names)
    rank, group = np.full(n_genes, np.nan), np.full(n_genes, -1)
    groups = getattr(selector, "groups_", {})
    for place, gene in enumerate(genes):
        rank[gene.index] = gene.rank
        members = np.array([int(each) for each in groups.get(gene.index, ())], dtype=int)
        group[members[group[members] < 0]] = place  # the first one stands for it
    group[[gene.index for gene in genes]] = range(len(genes))
    scores = choice_scores(selector)
    return pandas.DataFrame(
        {
            key: ~np.isnan(rank),
            f"{key}_rank": rank,
            f"{key}_score": np.nan if scores is None else np.asarray(scores, dtype=np.float64),
            f"{key}_group": pandas.Categorical.from_codes(
                group, categories=[str(gene.name) for gene in genes]
            ),
        },
        index=names,
    )


def _write_columns(adata: Any, columns: Any, key: str, *, is_raw: bool) -> None:
    var = columns
    if is_raw:
        for name in columns:
            adata.raw.var[name] = columns[name].to_numpy()
        var = columns.reindex([str(name) for name in adata.var_names])
        hidden = sorted(set(columns.index[columns[key]]) - set(var.index))
        var[key] = var[key].eq(True)
        if hidden:
            warnings.warn(
                f"{len(hidden)} of {int(columns[key].sum())} selected genes are in adata.raw "
                f"only, so adata.var[{key!r}] does not mark them: {', '.join(hidden[:5])}. "
                f"adata.raw.var[{key!r}] marks all; use_raw=False selects among the genes of X.",
                DataWarning,
                stacklevel=5,
            )
    for name in var:
        series = var[name]
        adata.var[name] = series.array if series.dtype == "category" else series.to_numpy()


def _by_class(values: Array, cells: Cells) -> tuple[Array, Array]:
    """Return the mean of each selected gene in each class, and the share of cells above 0."""
    members = [values[cells.classes == name] for name in cells.order]
    means = np.array([each.mean(axis=0) for each in members]).T
    shares = np.array([(each > 0).mean(axis=0) for each in members]).T
    return means, shares


def _frame(
    genes: tuple[SelectedFeature, ...], values: Array, means: Array, classes: list[str]
) -> Any:
    """Return one row per selected gene."""
    highest = np.argmax(means, axis=1)
    return _pandas().DataFrame(
        {
            "rank": [gene.rank for gene in genes],
            "score": [np.nan if gene.score is None else gene.score for gene in genes],
            "marker_of": [classes[place] for place in highest],
            "stands_for": [BETWEEN.join(map(str, gene.stands_for)) for gene in genes],
            "copy_of": ["" if gene.copy_of is None else str(gene.copy_of) for gene in genes],
            "deviation": values.std(axis=0),
        },
        index=[str(gene.name) for gene in genes],
    )


def _short(estimate: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return an estimate without the tests, which its verdict tells."""
    if estimate is None:
        return None
    return {name: value for name, value in estimate.items() if name != "comparisons"}


def _plain(value: Any) -> Any:
    """Return nested values without None, which older files cannot hold, and lists as arrays."""
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        is_text = any(isinstance(each, str) for each in value)
        return np.array(value, dtype=object if is_text else None)
    return value


def _pandas() -> Any:
    return import_extra("pandas", extra="anndata", needed_by="select_genes")
