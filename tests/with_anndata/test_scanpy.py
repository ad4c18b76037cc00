"""With scanpy and the cells in its package: the same matrix, and genes for its plots."""

import warnings

import numpy as np
import pytest

from perturbfs.anndata import get_df, markers_by_class, select_genes

pytest.importorskip("anndata")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of the packages that scanpy imports
    scanpy = pytest.importorskip("scanpy")
matplotlib = pytest.importorskip("matplotlib")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
# Textbook markers of the types of cells, by the names of the types in the data.
KNOWN = {"CD19+ B": "CD79A", "CD56+ NK": "GZMB"}


@pytest.fixture(scope="module")
def adata():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adata = scanpy.datasets.pbmc68k_reduced()
        select_genes(adata, "bulk_labels", n_genes=12, estimate=False)
    return adata


def test_raw_is_selected_from_as_scanpy_does(adata):
    scanpy.tl.rank_genes_groups(adata, "bulk_labels", method="t-test")
    theirs = adata.uns["rank_genes_groups"]["params"]["use_raw"]
    assert adata.uns["perturbfs"]["params"]["use_raw"] is theirs is True


def test_known_markers_are_found_for_their_types(adata):
    markers = markers_by_class(adata)
    assert sum(len(genes) for genes in markers.values()) == 12
    for name, gene in KNOWN.items():
        assert gene in markers[name]


def test_the_genes_go_into_a_dot_plot(adata):
    matplotlib.use("Agg")
    markers = markers_by_class(adata)
    plot = scanpy.pl.dotplot(adata, markers, groupby="bulk_labels", return_fig=True)
    plot.make_figure()
    genes = [gene for each in markers.values() for gene in each]
    assert plot.dot_color_df.columns.tolist() == genes
    # The colors of the plot are the means of the table.
    frame = get_df(adata).set_index("names")
    for name in plot.dot_color_df.index:
        means = plot.dot_color_df.loc[name, genes]
        np.testing.assert_allclose(means, frame.loc[genes, f"mean {name}"], rtol=1e-4)
    matplotlib.pyplot.close("all")
