"""A plot of the selected genes by class."""

from __future__ import annotations

from typing import Any

import numpy as np

from perturbfs.report import figures

from ._frames import in_deviations, read_kept


def plot_genes(adata: Any, key: str = "perturbfs", *, ax: Any = None) -> Any:
    """Plot the mean of each selected gene in each class.

    Means are shown in standard deviations from the mean of all cells. Genes stand beside those
    whose mean is highest in the same class, so that the blocks of high values form a diagonal;
    the number before a name is its rank.

    Parameters
    ----------
    adata : AnnData
        Given to `select_genes`.
    key : str, default="perturbfs"
        Its ``key_added``.
    ax : matplotlib axes, optional

    Returns
    -------
    ax : matplotlib axes

    Examples
    --------
    >>> plot_genes(adata)  # doctest: +SKIP
    """
    kept = read_kept(adata, key)
    genes, means, classes = kept["genes"], kept["means"], [str(name) for name in kept["classes"]]
    overall = np.average(means, axis=1, weights=kept["n_cells"])
    values = in_deviations(means - overall[:, None], genes)
    place_of = {name: place for place, name in enumerate(classes)}
    blocks = np.array([place_of[str(name)] for name in genes["marker_of"]])
    order = np.lexsort((genes["rank"].to_numpy(), blocks))
    names = [f"{genes['rank'].iloc[place]}. {genes.index[place]}" for place in order]
    return figures.draw_means(values[order].T, classes, names, ax=ax)
