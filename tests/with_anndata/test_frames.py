"""Tables and the plot of selected genes, compared with means computed from the cells."""

import numpy as np
import pytest

pytest.importorskip("anndata")
pytest.importorskip("pandas")

from made_cells import TYPES, as_csr, make_cells

from perturbfs.anndata import get_df, markers_by_class, plot_genes, select_genes


@pytest.fixture(scope="module")
def adata():
    adata = make_cells(as_csr)
    select_genes(adata, "type", n_genes=6, estimate=False)
    return adata


def test_the_frame_has_ranks_markers_and_means(adata):
    frame = get_df(adata)
    assert frame["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    cells = adata.to_df()
    for row in frame.to_dict("records"):
        means = {name: cells.loc[adata.obs["type"] == name, row["names"]].mean() for name in TYPES}
        for name in TYPES:
            assert row[f"mean {name}"] == pytest.approx(means[name], rel=1e-5)
        assert row["marker_of"] == max(means, key=means.get)
        # Genes 3 i to 3 i + 2 were made as markers of type i.
        assert row["marker_of"] == TYPES[int(row["names"].split()[1]) // 3]


def test_the_frame_of_a_class_compares_it_with_all_other_cells(adata):
    frame = get_df(adata, group="T cell")
    cells, is_in = adata.to_df(), adata.obs["type"] == "T cell"
    for row in frame.to_dict("records"):
        values = cells[row["names"]]
        assert row["mean"] == pytest.approx(values[is_in].mean(), rel=1e-5)
        assert row["mean_of_rest"] == pytest.approx(values[~is_in].mean(), rel=1e-5)
        assert row["share_of_rest"] == pytest.approx((values[~is_in] > 0).mean())
        expected = (values[is_in].mean() - values[~is_in].mean()) / values.std(ddof=0)
        assert row["difference"] == pytest.approx(expected, rel=1e-4)
    assert frame["difference"].is_monotonic_decreasing
    assert frame["is_marker"].sum() == len(markers_by_class(adata)["T cell"])


def test_every_gene_is_a_marker_of_one_class(adata):
    markers = markers_by_class(adata)
    genes = [gene for each in markers.values() for gene in each]
    assert sorted(genes) == sorted(get_df(adata)["names"])
    assert set(markers) <= set(TYPES)


def test_a_class_without_a_gene_of_its_own_is_absent():
    adata = make_cells()
    select_genes(adata, "type", n_genes=1, estimate=False)
    assert len(markers_by_class(adata)) == 1


@pytest.mark.parametrize("read", [get_df, markers_by_class, plot_genes])
def test_a_wrong_key_names_the_known_ones(adata, read):
    with pytest.raises(ValueError, match=r"adata.uns\['genes'\] has no selected.*'perturbfs'"):
        read(adata, "genes")


def test_what_others_wrote_is_no_selection(adata):
    other = make_cells()
    other.uns["rank_genes_groups"] = {"params": {}}
    with pytest.raises(ValueError, match=r"Call perturbfs\.anndata\.select_genes first"):
        get_df(other, "rank_genes_groups")


def test_an_unknown_class_names_the_known_ones(adata):
    with pytest.raises(ValueError, match=r"group='B' is not a class.*'T cell', 'B/plasma'"):
        get_df(adata, group="B")


def test_the_plot_has_a_row_per_class_and_genes_in_blocks(adata):
    pytest.importorskip("matplotlib").use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = plot_genes(adata)
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows == list(TYPES[::-1])  # the order of the categories
    shades = np.asarray(ax.images[0].get_array())
    assert shades.shape == (3, 6)
    highest = np.argmax(shades, axis=0)
    assert (np.diff(highest) >= 0).all()
    frame = get_df(adata).set_index("names")
    for place, label in enumerate(ax.get_xticklabels()):
        rank, _, name = label.get_text().partition(". ")
        assert frame.loc[name, "rank"] == int(rank)
        cells = adata.to_df()[name]
        inside = cells[adata.obs["type"] == TYPES[2]].mean()
        expected = (inside - cells.mean()) / cells.std(ddof=0)
        assert shades[0, place] == pytest.approx(expected, rel=1e-4)
    pyplot.close("all")
