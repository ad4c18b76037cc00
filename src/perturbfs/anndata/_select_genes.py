"""`select_genes`: select genes of an AnnData object and write them into it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from perturbfs._support.names import BLOCK_METHODS, METHODS, Size
from perturbfs.arrays import DEFAULT_MEMORY, is_blocks
from perturbfs.checks import describe_twins, twin_sets, twins_once
from perturbfs.datasets import Table, take_samples
from perturbfs.datasets.reading import parse_memory
from perturbfs.evaluation import make_selector
from perturbfs.exceptions import DataWarning
from perturbfs.results import select_features
from perturbfs.scoring import fit_selector

from ._cells import Cells, find_cells
from ._matrix import Matrix, find_matrix
from ._write import Found, write_genes


@twins_once(was_given=True)  # warned of here, in the words of this function
def select_genes(
    adata: Any,
    groupby: str,
    *,
    n_genes: Size = "auto",
    groups: Iterable[str] | None = None,
    donor_key: str | None = None,
    layer: str | None = None,
    use_raw: bool | None = None,
    method: str = "robust",
    estimate: bool = True,
    n_splits: int | None = None,
    key_added: str = "perturbfs",
    memory: str | int = DEFAULT_MEMORY,
    n_jobs: int | None = None,
    random_state: int | None = 0,
    copy: bool = False,
) -> Any:
    """Select a few genes that together tell the classes of cells apart.

    Values are used as they are, so pass normalized values and their logarithms.

    Parameters
    ----------
    adata : AnnData
        Its matrix may be dense, sparse or in a file (``backed="r"``). It is never made dense as
        a whole, unless `method` is one that needs a dense matrix or the matrix is small.
    groupby : str
        Column of ``adata.obs`` with the class of each cell: categories or text.
    n_genes : int or "auto", default="auto"
        Number of genes. With ``"auto"`` the method chooses it.
    groups : iterable of str, default=None
        Categories of `groupby` to tell apart. Cells of other categories take no part, also not
        as the rest that scanpy compares with. None or ``"all"`` takes all categories. For cells
        that belong together see `donor_key`.
    donor_key : str, default=None
        Column of ``adata.obs`` with the donor, patient or animal of each cell. Cells of one
        donor are never on both sides of a split, neither when the number of genes is chosen nor
        in the estimate. Without it, cells of one donor make the estimate too good.
    layer : str, default=None
        Layer to use instead of X.
    use_raw : bool, default=None
        Whether to use ``adata.raw``. None uses it if it is there and no layer is named, as
        ``scanpy.tl.rank_genes_groups`` does.
    method : str, default="robust"
        One of the methods of ``perturbfs select``.
    estimate : bool, default=True
        Whether to estimate how well the genes predict the classes of cells that were not used,
        as ``perturbfs select`` does: the selection is repeated in random splits. It takes
        several times as long as the selection.
    n_splits : int, default=None
        Number of splits of the estimate. None is ten with fewer than 200 cells, else five.
    key_added : str, default="perturbfs"
        Where the result is written; what is there is overwritten.
    memory : str or int, default=2 GiB
        Memory that reading a matrix in a file may take, such as ``"500MB"``.
    n_jobs : int, default=None
        Splits in parallel.
    random_state : int or None, default=0
        For the splits of the estimate.
    copy : bool, default=False
        Whether to write into a copy of adata and return it.

    Returns
    -------
    adata : AnnData or None
        The copy, or None if adata was changed in place. These fields are written:

        ``.var[key_added]`` : bool
            Whether the gene was selected.
        ``.var[key_added + "_rank"]`` : float
            1 for the most relevant gene; NaN for genes that were not selected.
        ``.var[key_added + "_score"]`` : float
            Absolute cosine of the angle between gene and classes, also of genes that were not
            selected. Other methods give their own score, or NaN.
        ``.var[key_added + "_group"]`` : category
            The selected gene that stands for this one; NaN if none does. Any gene of a group
            would do about as well.
        ``.uns[key_added]`` : dict
            ``params``, ``estimate``, ``versions``, and what `get_df`, `markers_by_class` and
            `plot_genes` show.

        With raw, the columns are also written to ``adata.raw.var``.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from perturbfs.anndata import get_df, select_genes
    >>> from perturbfs.datasets import make_wide_classification
    >>> data = make_wide_classification(n_features=100, random_state=0)
    >>> adata = anndata.AnnData(
    ...     data.X,
    ...     obs=pd.DataFrame({"type": np.where(data.y == "class 1", "B cell", "T cell")},
    ...                      index=[f"cell{i}" for i in range(len(data.y))]),
    ...     var=pd.DataFrame(index=[f"gene{j}" for j in range(100)]),
    ... )
    >>> select_genes(adata, "type", n_genes=3)
    >>> int(adata.var["perturbfs"].sum()), adata.uns["perturbfs"]["estimate"]["metric"]
    (3, 'balanced_accuracy')
    >>> get_df(adata)["rank"].tolist()
    [1, 2, 3]
    """
    limit = parse_memory(memory)
    _check_object(adata, copy=copy)
    cells = find_cells(adata, groupby, groups=groups, donor_key=donor_key)
    matrix = find_matrix(adata, layer=layer, use_raw=use_raw, memory=limit)
    _check_request(matrix, method, n_genes)
    table = _table_of(adata, matrix, cells, groupby)
    _warn_of_twins(table, cells)
    settings = _Settings(method, n_genes, n_splits, n_jobs, random_state)
    found = _with_estimate(table, cells, settings) if estimate else _alone(table, cells, settings)
    params = {
        "groupby": groupby,
        "groups": cells.order,
        "donor_key": donor_key,
        "layer": layer,
        "use_raw": matrix.is_raw,
        "method": method,
        "n_genes": n_genes,
        "random_state": random_state,
    }
    written = adata.copy() if copy else adata
    write_genes(written, key_added, found, table, cells, params=params, is_raw=matrix.is_raw)
    return written if copy else None


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings of a selection of genes."""

    method: str
    n_genes: Size
    n_splits: int | None
    n_jobs: int | None
    random_state: int | None


def _check_object(adata: Any, *, copy: bool) -> None:
    """Refuse what is no AnnData object, or one that the result cannot be written to."""
    if not all(hasattr(adata, part) for part in ("X", "obs", "var", "uns")):
        raise ValueError(
            f"adata is a {type(adata).__name__}, but an AnnData object is needed. For an array or "
            "a frame use perturbfs.RobustSelector."
        )
    if adata.isbacked and (copy or adata.is_view):
        what = "copy=True was given, but adata" if copy else "adata is a view, whose parent"
        raise ValueError(
            f"{what} is in the file {adata.filename}, so a copy of it would be a new file. Pass "
            "the object that read_h5ad returned without copy, restrict the cells with groups, or "
            "load it with adata.to_memory() first."
        )


def _check_request(matrix: Matrix, method: str, n_genes: Size) -> None:
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known. Use one of {', '.join(METHODS)}.")
    if is_blocks(matrix.X) and method not in BLOCK_METHODS:
        raise ValueError(
            f"method={method!r} needs the whole matrix in memory, but {matrix.place} is read from "
            f"its file in blocks. Use one of {', '.join(BLOCK_METHODS)}, or adata.to_memory()."
        )
    if isinstance(n_genes, str) and n_genes == "auto":
        return
    n_all, is_whole = len(matrix.names), isinstance(n_genes, Integral)
    if not is_whole or isinstance(n_genes, bool) or not 1 <= n_genes <= n_all:
        raise ValueError(
            f"n_genes={n_genes!r} was given, but {matrix.place} has {n_all} genes, so a whole "
            f"number from 1 to {n_all} or 'auto' is needed."
        )


def _table_of(adata: Any, matrix: Matrix, cells: Cells, groupby: str) -> Table:
    """Return the matrix with all cells as a table, without the cells that take no part."""
    in_file = is_blocks(matrix.X)
    whole = Table(
        X=matrix.X,
        feature_names=matrix.names,
        sample_names=adata.obs_names.to_numpy(dtype=object),
        target_name=groupby,
        source=matrix.X.reader.source if in_file else "",
    )
    table = whole if len(cells.kept) == whole.n_samples else take_samples(whole, cells.kept)
    return Table(
        X=table.X,
        y=cells.classes,
        feature_names=table.feature_names,
        sample_names=table.sample_names,
        task="classification",
        target_name=groupby,
        source=table.source,
    )


def _warn_of_twins(table: Table, cells: Cells) -> None:
    sets = [] if cells.donors is not None else twin_sets(table.X, cells.classes)
    if sets:
        names: Any = table.sample_names
        warnings.warn(
            f"{sum(map(len, sets))} of {table.n_samples} cells are nearly identical to another "
            f"cell: {'; '.join(describe_twins(sets, names)[:3])}. If they come from "
            "the same donor or were measured twice, the estimate is far too good unless no split "
            "separates them. Name the column of the donors with donor_key.",
            DataWarning,
            stacklevel=4,
        )


def _with_estimate(table: Table, cells: Cells, settings: _Settings) -> Found:
    result = select_features(
        table,
        method=settings.method,
        n_features=settings.n_genes,
        groups=cells.donors,
        n_splits=settings.n_splits,
        n_jobs=settings.n_jobs,
        random_state=settings.random_state,
    )
    return Found(result.selector, result.selection.estimate)


def _alone(table: Table, cells: Cells, settings: _Settings) -> Found:
    """Select without the estimate."""
    selector = make_selector(settings.method, settings.n_genes, random_state=settings.random_state)
    if "n_jobs" in selector.get_params():
        selector.set_params(n_jobs=settings.n_jobs)
    fit_selector(selector, table.X, table.y, task="classification", groups=cells.donors)
    return Found(selector, None)
