"""Tables of the genes that `select_genes` wrote into an AnnData object."""

from __future__ import annotations

from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.arrays import Array, enumerate_some


def get_df(adata: Any, key: str = "perturbfs", *, group: str | None = None) -> Any:
    """Return the selected genes as a data frame.

    Parameters
    ----------
    adata : AnnData
        Given to `select_genes`.
    key : str, default="perturbfs"
        Its ``key_added``.
    group : str, default=None
        A class. The genes are then described by how they differ between this class and all
        other cells.

    Returns
    -------
    frame : pandas.DataFrame
        Without `group`, sorted by rank: ``names``, ``rank``, ``score``; ``marker_of``, the class
        with the highest mean; ``stands_for``, the genes of its group, separated by commas;
        ``copy_of``, an earlier gene of which it is a near copy; and a column ``mean CLASS`` for
        every class.

        With `group`, sorted by ``difference``: ``names``, ``rank``; ``is_marker``, whether this
        class has the highest mean; ``mean`` and ``mean_of_rest``; ``share`` and
        ``share_of_rest``, the shares of cells with a value above 0; and ``difference``, of the
        means, in standard deviations over all cells.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from perturbfs.anndata import get_df, select_genes
    >>> adata = anndata.AnnData(
    ...     np.random.default_rng(0).normal(size=(30, 4)),
    ...     obs=pd.DataFrame({"type": ["T", "B"] * 15}, index=[f"cell{i}" for i in range(30)]),
    ...     var=pd.DataFrame(index=["CD3D", "CD19", "MYC", "KIT"]),
    ... )
    >>> adata.X[::2, 0] += 5
    >>> select_genes(adata, "type", n_genes=1, estimate=False)
    >>> get_df(adata)[["names", "rank", "marker_of"]]
      names  rank marker_of
    0  CD3D     1         T
    >>> get_df(adata, group="T")[["names", "is_marker", "share_of_rest"]].round(1)
      names  is_marker  share_of_rest
    0  CD3D       True            0.3
    """
    kept = read_kept(adata, key)
    genes, classes = kept["genes"], [str(name) for name in kept["classes"]]
    pandas = import_extra("pandas", extra="anndata", needed_by="get_df")
    names = [str(name) for name in genes.index]
    if group is None:
        columns = ("rank", "score", "marker_of", "stands_for", "copy_of")
        frame = pandas.DataFrame(
            {"names": names, **{column: genes[column].to_numpy() for column in columns}}
        )
        for place, name in enumerate(classes):
            frame[f"mean {name}"] = kept["means"][:, place]
        return frame
    place = _place_of(group, classes, key)
    means, shares = (against_rest(kept[part], kept["n_cells"], place) for part in _PARTS)
    frame = pandas.DataFrame(
        {
            "names": names,
            "rank": genes["rank"].to_numpy(),
            "is_marker": np.asarray(genes["marker_of"] == classes[place]),
            "mean": means[0],
            "mean_of_rest": means[1],
            "share": shares[0],
            "share_of_rest": shares[1],
            "difference": in_deviations(means[0] - means[1], genes),
        }
    )
    return frame.sort_values("difference", ascending=False, kind="stable", ignore_index=True)


_PARTS = ("means", "shares")


def markers_by_class(adata: Any, key: str = "perturbfs") -> dict[str, list[str]]:
    """Return the selected genes by the class in which their mean is highest.

    Scanpy's plots take it in place of a list of genes.

    Parameters
    ----------
    adata : AnnData
        Given to `select_genes`.
    key : str, default="perturbfs"
        Its ``key_added``.

    Returns
    -------
    markers : dict of str to list of str
        From each class that has genes to its genes, sorted by rank. Every selected gene occurs
        once. A class without genes of its own is told from the others by theirs, and is absent.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from perturbfs.anndata import markers_by_class, select_genes
    >>> adata = anndata.AnnData(
    ...     np.random.default_rng(0).normal(size=(30, 4)),
    ...     obs=pd.DataFrame({"type": ["T", "B"] * 15}, index=[f"cell{i}" for i in range(30)]),
    ...     var=pd.DataFrame(index=["CD3D", "CD19", "MYC", "KIT"]),
    ... )
    >>> adata.X[::2, 0] += 5
    >>> select_genes(adata, "type", n_genes=1, estimate=False)
    >>> markers_by_class(adata)
    {'T': ['CD3D']}
    >>> sc.pl.dotplot(adata, markers_by_class(adata), groupby="type")  # doctest: +SKIP
    """
    kept = read_kept(adata, key)
    found: dict[str, list[str]] = {str(name): [] for name in kept["classes"]}
    for gene, name in kept["genes"]["marker_of"].items():
        found[str(name)].append(str(gene))
    return {name: genes for name, genes in found.items() if genes}


def read_kept(adata: Any, key: str) -> dict[str, Any]:
    """Return what `select_genes` wrote into ``adata.uns[key]``."""
    kept: Any = adata.uns.get(key)
    if hasattr(kept, "keys") and {"params", "genes", "classes", *_PARTS} <= set(kept.keys()):
        return dict(kept)
    known = [name for name, each in adata.uns.items() if hasattr(each, "keys") and "means" in each]
    advice = f" Known are {enumerate_some([repr(name) for name in known])}." if known else ""
    raise ValueError(
        f"adata.uns[{key!r}] has no selected genes. Call perturbfs.anndata.select_genes first, "
        f"or give its key_added as key.{advice}"
    )


def _place_of(group: str, classes: list[str], key: str) -> int:
    if str(group) not in classes:
        known = enumerate_some([repr(name) for name in classes], most=20)
        raise ValueError(
            f"group={group!r} is not a class of adata.uns[{key!r}]. Its classes are {known}."
        )
    return classes.index(str(group))


def against_rest(values: Array, n_cells: Array, place: int) -> tuple[Array, Array]:
    """Return the column of a class, and the mean of all others weighted by their cells.

    Parameters
    ----------
    values : array of shape (n_genes, n_classes)
    n_cells : array of int of shape (n_classes,)
    place : int
        Position of the class.
    """
    others = np.arange(values.shape[1]) != place
    return values[:, place], np.average(values[:, others], axis=1, weights=n_cells[others])


def in_deviations(differences: Array, genes: Any) -> Array:
    """Return differences of means in standard deviations of their genes; 0 for constant ones."""
    deviations = genes["deviation"].to_numpy()
    deviations = deviations.reshape(-1, *[1] * (differences.ndim - 1))
    return np.divide(differences, deviations, out=np.zeros_like(differences), where=deviations > 0)
