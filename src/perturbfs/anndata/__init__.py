"""Select genes of AnnData objects, in the habits of scanpy.

`select_genes` writes into ``adata.var`` and ``adata.uns``; `get_df`, `markers_by_class` and
`plot_genes` read what it wrote. Files are read by `perturbfs.datasets.read_table`.
"""

from ._frames import get_df, markers_by_class
from ._plot import plot_genes
from ._select_genes import select_genes

__all__ = ["get_df", "markers_by_class", "plot_genes", "select_genes"]
