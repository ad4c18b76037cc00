"""The cells that take part, their classes and their donors, from columns of ``adata.obs``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from perturbfs.arrays import Array, enumerate_some

FEWEST = 2  # cells of a class: one to train on and one to test


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells that take part.

    Attributes
    ----------
    kept : array of int of shape (n_cells,)
        Their positions in adata.
    classes : array of str of shape (n_cells,)
    order : list of str
        The classes, in the order of their categories.
    donors : array of shape (n_cells,) or None
    """

    kept: Array
    classes: Array
    order: list[str]
    donors: Array | None


def find_cells(
    adata: Any, groupby: str, *, groups: Iterable[str] | None, donor_key: str | None
) -> Cells:
    """Return the cells of some categories, or of all.

    Parameters
    ----------
    adata : AnnData
    groupby : str
        Column of ``adata.obs`` with the classes.
    groups : iterable of str, "all" or None
        Categories that take part.
    donor_key : str or None
        Column of ``adata.obs`` with the donors.
    """
    column = _column(adata, groupby, "groupby")
    kind = column.dtype.kind
    if kind not in "OSUb":
        raise ValueError(
            f"adata.obs[{groupby!r}] holds {column.dtype}, but classes are needed: categories or "
            f"text. If the numbers are classes, use adata.obs[{groupby!r}] = "
            f"adata.obs[{groupby!r}].astype(str).astype('category')."
        )
    is_known = np.asarray(column.notna())
    labels = np.array([str(value) for value in column], dtype=str)
    # A class that no cell has is left out.
    present = set(labels[is_known].tolist())
    categories = column.cat.categories if hasattr(column, "cat") else sorted(present)
    order = [name for name in map(str, categories) if name in present]
    is_all = groups is None or (isinstance(groups, str) and groups == "all")
    wanted = None if is_all else _named(groups or (), order, groupby)
    if wanted is not None:
        is_known &= np.isin(labels, wanted)
        order = [name for name in order if name in wanted]
    elif not is_known.all():
        raise ValueError(
            f"{int((~is_known).sum())} of {len(labels)} cells have no value in "
            f"adata.obs[{groupby!r}]. Leave them out with "
            f"adata[adata.obs[{groupby!r}].notna()].copy(), or name the categories that take part "
            "with groups."
        )
    kept = np.flatnonzero(is_known)
    _check_classes(labels[kept], order, groupby)
    donors = None if donor_key is None else _donors(adata, donor_key, kept, labels[kept])
    return Cells(kept, labels[kept], order, donors)


def _column(adata: Any, name: str, parameter: str) -> Any:
    if name not in adata.obs:
        known = enumerate_some([repr(each) for each in adata.obs.columns], most=20)
        raise ValueError(
            f"{parameter}={name!r} is not a column of adata.obs. It has {known or 'no columns'}."
        )
    return adata.obs[name]


def _named(groups: Iterable[str], order: list[str], groupby: str) -> list[str]:
    if isinstance(groups, str):
        raise ValueError(
            f"groups={groups!r} is one text, but a list of categories is needed, such as "
            f"{order[:2]}."
        )
    wanted = [str(name) for name in groups]
    unknown = [repr(name) for name in wanted if name not in order]
    if unknown:
        raise ValueError(
            f"groups names {enumerate_some(unknown)}, which no cell has in "
            f"adata.obs[{groupby!r}]. Its categories are "
            f"{enumerate_some([repr(name) for name in order], most=20)}."
        )
    return wanted


def _check_classes(labels: Array, order: list[str], groupby: str) -> None:
    if len(order) < FEWEST:
        only = f"only the class {order[0]!r}" if order else "no class"
        raise ValueError(
            f"There is {only} in adata.obs[{groupby!r}] among the cells that take part, but genes "
            "are selected to tell classes apart, so at least two are needed. Choose another "
            "column or more groups."
        )
    rare = [repr(name) for name in order if np.sum(labels == name) < FEWEST]
    if rare:
        raise ValueError(
            f"{len(rare)} of {len(order)} classes in adata.obs[{groupby!r}] have a single cell: "
            f"{enumerate_some(rare)}. Each needs at least {FEWEST}, one to train on and one to "
            "test. Name the other classes with groups, or merge the rare ones."
        )


def _donors(adata: Any, donor_key: str, kept: Array, classes: Array) -> Array:
    column = _column(adata, donor_key, "donor_key").iloc[kept]
    n_missing = int(column.isna().sum())
    if n_missing:
        raise ValueError(
            f"{n_missing} of {len(kept)} cells have no value in adata.obs[{donor_key!r}], but "
            "the donor of every cell is needed. Fill in the donors, or leave these cells out."
        )
    donors = np.array([str(value) for value in column], dtype=str)
    if len(np.unique(donors)) < FEWEST:
        raise ValueError(
            f"All cells have the same value in adata.obs[{donor_key!r}], but at least two donors "
            "are needed, one to train on and one to test. Leave donor_key out if they are unknown."
        )
    alone = [
        repr(name)
        for name in np.unique(classes).tolist()
        if len(np.unique(donors[classes == name])) < FEWEST
    ]
    if alone:
        raise ValueError(
            f"All cells of {enumerate_some(alone)} come from one donor in "
            f"adata.obs[{donor_key!r}], but every class needs at least {FEWEST} donors, one to "
            "train on and one to test. Name the other classes with groups, or merge this class "
            "with another."
        )
    return donors
