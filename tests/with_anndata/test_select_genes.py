"""`select_genes`: what it selects, writes and refuses."""

import numpy as np
import pytest
import scipy.sparse

from perturbfs import RobustSelector, evaluate
from perturbfs.exceptions import DataWarning, StorageWarning
from perturbfs.robust import _table
from perturbfs.scoring import _splits

anndata = pytest.importorskip("anndata")
pandas = pytest.importorskip("pandas")

from made_cells import N_CELLS, N_GENES, TYPES, as_csc, as_csr, make_cells  # noqa: E402

from perturbfs.anndata import get_df, select_genes  # noqa: E402


def selected(adata, key="perturbfs"):
    return adata.var_names[adata.var[key]].tolist()


def on_disk(adata, path, mode="r"):
    adata.write_h5ad(path)
    return anndata.read_h5ad(path, backed=mode)


@pytest.fixture(scope="module")
def chosen():
    """Genes that the selector chooses from the plain array."""
    adata = make_cells()
    selector = RobustSelector(4).fit(adata.X, adata.obs["type"].astype(str).to_numpy())
    return adata.var_names[selector.support_].tolist()


def test_genes_are_those_of_the_selector_with_rank_score_and_group():
    adata = make_cells()
    y = adata.obs["type"].astype(str).to_numpy()
    selector = RobustSelector(4).fit(adata.X, y)
    assert select_genes(adata, "type", n_genes=4, estimate=False) is None
    var = adata.var
    np.testing.assert_array_equal(var["perturbfs"], selector.support_)
    ranks = var["perturbfs_rank"].to_numpy()
    np.testing.assert_array_equal(ranks[selector.path_[:4]], [1, 2, 3, 4])
    assert np.isnan(ranks[~selector.support_]).all()
    cosines = np.abs(np.cos(np.radians(selector.angle_to_target_)))
    np.testing.assert_allclose(var["perturbfs_score"], cosines)
    for index, members in selector.groups_.items():
        assert set(var["perturbfs_group"].iloc[members]) <= {adata.var_names[index]} | set(
            selected(adata)
        )
    assert var["perturbfs_group"].notna().sum() >= 4


@pytest.mark.parametrize("matrix", [np.asarray, as_csr, as_csc], ids=["dense", "csr", "csc"])
@pytest.mark.parametrize("place", ["memory", "file", "file in blocks"])
@pytest.mark.filterwarnings("ignore::perturbfs.exceptions.StorageWarning")
def test_every_kind_of_matrix_gives_the_same_genes(matrix, place, chosen, tmp_path, monkeypatch):
    adata = make_cells(matrix)
    if place != "memory":
        adata = on_disk(adata, tmp_path / "cells.h5ad")
    if place == "file in blocks":
        monkeypatch.setattr("perturbfs.anndata._matrix.SPARSE_SHARE", 10**9)
        monkeypatch.setattr(_table, "PREPARED_SHARE", 10**9)
    select_genes(adata, "type", n_genes=4, estimate=False)
    assert selected(adata) == chosen


@pytest.mark.parametrize("matrix", [as_csr, as_csc])
@pytest.mark.parametrize("is_backed", [False, True])
def test_a_sparse_matrix_is_never_made_dense_as_a_whole(matrix, is_backed, tmp_path, monkeypatch):
    adata = make_cells(matrix)
    adata = on_disk(adata, tmp_path / "cells.h5ad") if is_backed else adata
    monkeypatch.setattr(_table, "LARGE_SPARSE_BYTES", 0)
    monkeypatch.setattr("perturbfs.results._select.MOST_DENSE_BYTES", 0)
    monkeypatch.setattr("perturbfs.arrays._blocks.MIN_BLOCK_WIDTH", 8)
    monkeypatch.setattr("perturbfs.arrays._blocks.BLOCK_BYTES", 8)
    widths = []
    for kind in {type(make(np.eye(2))) for make in (as_csr, as_csc)} | {
        scipy.sparse.csr_array,
        scipy.sparse.csc_array,
    }:
        whole = kind.toarray

        def watched(self, *args, whole=whole, **kwargs):
            widths.append(self.shape[1] if self.shape[0] > 2 else 0)
            return whole(self, *args, **kwargs)

        monkeypatch.setattr(kind, "toarray", watched)
        monkeypatch.setattr(kind, "todense", _refuse)
    # Near-identical cells are looked for among the first thousand, which here are all.
    monkeypatch.setattr("perturbfs.anndata._select_genes.twin_sets", lambda *_: [])
    monkeypatch.setattr("perturbfs.results._select.warn_of_twins", lambda *_, **__: None)
    monkeypatch.setattr("perturbfs.evaluation._evaluate.warn_of_twins", lambda *_, **__: None)
    select_genes(adata, "type", n_genes=4, n_splits=2)
    assert widths
    assert max(widths) < N_GENES
    assert "all_features" not in adata.uns["perturbfs"]["estimate"]


def _refuse(*_, **__):
    raise AssertionError("a sparse matrix was made dense")


def test_a_file_of_samples_in_rows_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("perturbfs.anndata._matrix.SPARSE_SHARE", 10**9)
    monkeypatch.setattr("perturbfs.arrays.files._store.READ_SHARE", 10**9)
    monkeypatch.setattr("perturbfs.arrays.files._store.FEWEST_AT_ONCE", 8)
    adata = on_disk(make_cells(as_csr), tmp_path / "cells.h5ad")
    with pytest.warns(StorageWarning, match="CSC"):
        select_genes(adata, "type", n_genes=4, estimate=False)


def test_the_estimate_is_that_of_select_features():
    from perturbfs.datasets import Table
    from perturbfs.results import select_features

    adata = make_cells()
    select_genes(adata, "type", n_genes=3, n_splits=3, random_state=1)
    y = adata.obs["type"].astype(str).to_numpy()
    table = Table(X=adata.X, y=y, task="classification")
    result = select_features(table, method="robust", n_features=3, n_splits=3, random_state=1)
    kept = adata.uns["perturbfs"]["estimate"]
    assert kept["selected"] == result.selection.estimate["selected"]
    assert kept["verdict"] == result.selection.estimate["verdict"]


def test_without_an_estimate_there_is_none():
    adata = make_cells()
    select_genes(adata, "type", n_genes=3, estimate=False)
    assert "estimate" not in adata.uns["perturbfs"]


def test_groups_leave_out_the_cells_of_other_categories():
    adata = make_cells()
    select_genes(adata, "type", n_genes=2, groups=TYPES[:2], estimate=False)
    part = make_cells()[: 2 * N_CELLS // 3].copy()
    select_genes(part, "type", n_genes=2, estimate=False)
    assert selected(adata) == selected(part)
    assert adata.uns["perturbfs"]["classes"].tolist() == ["T cell", "B/plasma"]  # as categories


def test_cells_without_a_class_may_be_left_out_by_groups():
    adata = make_cells()
    adata.obs["type"] = adata.obs["type"].astype(object)
    adata.obs.iloc[:3, 0] = None
    with pytest.raises(ValueError, match=r"3 of 72 cells have no value in adata.obs\['type'\]"):
        select_genes(adata, "type")
    select_genes(adata, "type", n_genes=2, groups=TYPES, estimate=False)
    assert adata.uns["perturbfs"]["n_cells"].sum() == N_CELLS - 3


def test_donors_reach_the_inner_splits_and_the_estimate(monkeypatch):
    adata = make_cells()
    seen = []
    known = _splits.random_group_splits

    def watched(y, groups, **options):
        seen.append(groups)
        return known(y, groups, **options)

    monkeypatch.setattr(_splits, "random_group_splits", watched)
    fits = []
    fit = RobustSelector.fit
    monkeypatch.setattr(
        RobustSelector,
        "fit",
        lambda self, X, y, groups=None: fits.append(groups) or fit(self, X, y, groups=groups),
    )
    select_genes(adata, "type", n_genes=3, n_splits=2, donor_key="donor")
    [groups] = seen
    assert groups.tolist() == adata.obs["donor"].tolist()
    assert len(fits) == 3
    assert all(each is not None for each in fits)


def test_a_layer_is_used_instead_of_x(chosen):
    adata = make_cells()
    adata.layers["lognorm"] = adata.X.copy()
    adata.X[:] = np.random.default_rng(1).normal(size=adata.X.shape)
    select_genes(adata, "type", n_genes=4, layer="lognorm", estimate=False)
    assert selected(adata) == chosen
    assert adata.uns["perturbfs"]["params"]["layer"] == "lognorm"


def test_raw_is_used_if_it_is_there_and_marked_in_both():
    adata = make_cells(with_raw=True)
    with pytest.warns(DataWarning, match=r"selected genes are in adata.raw only") as noticed:
        select_genes(adata, "type", n_genes=6, estimate=False)
    assert noticed[0].filename == __file__
    in_raw = adata.raw.var_names[adata.raw.var["perturbfs"]]
    assert len(in_raw) == 6
    assert selected(adata) == [name for name in in_raw if name in adata.var_names]
    assert len(selected(adata)) < 6
    assert adata.uns["perturbfs"]["params"]["use_raw"]
    select_genes(adata, "type", n_genes=4, use_raw=False, estimate=False, key_added="x")
    assert len(selected(adata, "x")) == 4
    assert not adata.uns["x"]["params"]["use_raw"]


def test_raw_in_a_file_is_read_too(tmp_path):
    adata = on_disk(make_cells(as_csr, with_raw=True), tmp_path / "cells.h5ad")
    with pytest.warns(DataWarning, match=r"in adata.raw only"):
        select_genes(adata, "type", n_genes=6, estimate=False)
    assert adata.raw.var["perturbfs"].sum() == 6


def test_a_copy_is_returned_and_the_object_stays_as_it_was():
    adata = make_cells()
    copy = select_genes(adata, "type", n_genes=2, estimate=False, copy=True)
    assert "perturbfs" not in adata.var
    assert len(selected(copy)) == 2


def test_an_earlier_result_is_overwritten():
    adata = make_cells()
    select_genes(adata, "type", n_genes=5, estimate=False)
    select_genes(adata, "type", n_genes=2, estimate=False)
    assert len(selected(adata)) == len(get_df(adata)) == 2


def test_the_result_survives_a_file(tmp_path):
    adata = make_cells(as_csr)
    select_genes(adata, "type", n_genes=3, n_splits=2, donor_key="donor")
    adata.write_h5ad(tmp_path / "out.h5ad")
    again = anndata.read_h5ad(tmp_path / "out.h5ad")
    pandas.testing.assert_frame_equal(get_df(again), get_df(adata))
    np.testing.assert_array_equal(again.var["perturbfs"], adata.var["perturbfs"])
    for part in ("selected", "verdict"):
        assert again.uns["perturbfs"]["estimate"][part] == adata.uns["perturbfs"]["estimate"][part]
    assert again.uns["perturbfs"]["params"]["donor_key"] == "donor"
    assert {"perturbfs", "scikit-learn", "anndata"} <= set(again.uns["perturbfs"]["versions"])


def test_counts_are_noticed():
    adata = make_cells()
    adata.X = np.rint(np.expm1(adata.X))
    with pytest.warns(DataWarning, match=r"adata.X holds whole numbers.*sc.pp.log1p") as noticed:
        select_genes(adata, "type", n_genes=2, estimate=False)
    assert noticed[0].filename == __file__


def test_repeated_cells_are_noticed_in_the_words_of_scanpy():
    rng = np.random.default_rng(0)
    donors = rng.normal(size=(30, N_GENES))
    values = np.repeat(donors, 2, axis=0) + 0.05 * rng.normal(size=(60, N_GENES))
    obs = pandas.DataFrame({"type": np.repeat(["a", "b"], 30)}, index=[f"c{i}" for i in range(60)])
    var = pandas.DataFrame(index=[f"g{j}" for j in range(N_GENES)])
    adata = anndata.AnnData(values, obs=obs, var=var)
    with pytest.warns(DataWarning, match=r"c0 and c1.*donor_key") as noticed:
        select_genes(adata, "type", n_genes=2, n_splits=2)
    assert len(noticed) == 1
    assert noticed[0].filename == __file__


REFUSED = {
    "unknown column": ({"groupby": "typ"}, r"groupby='typ' is not a column.*'type', 'donor'"),
    "numbers": ({"groupby": "depth"}, r"holds float64, but classes are needed"),
    "unknown layer": ({"layer": "x"}, r"layer='x' is not a layer of adata. It has none"),
    "layer and raw": ({"layer": "x", "use_raw": True}, r"layer='x' and use_raw=True were given"),
    "no raw": ({"use_raw": True}, r"adata.raw is None"),
    "unknown group": ({"groups": ["T cell", "?"]}, r"'\?', which no cell has.*'monocyte'"),
    "text for groups": ({"groups": "T cell"}, r"is one text, but a list"),
    "one class": ({"groups": ["T cell"]}, r"only the class 'T cell'.*at least two"),
    "no class": ({"groups": []}, r"There is no class"),
    "too many genes": (
        {"n_genes": 61},
        r"n_genes=61 was given.* has 60 genes.*1 to 60 or 'auto'",
    ),
    "no gene": ({"n_genes": 0}, r"n_genes=0 was given"),
    "a share of the genes": ({"n_genes": 0.5}, r"n_genes=0.5 was given"),
    "unknown donors": ({"donor_key": "patient"}, r"donor_key='patient' is not a column"),
    "one donor": ({"donor_key": "same"}, r"All cells have the same value in adata.obs\['same'\]"),
    "a class of one donor": (
        {"donor_key": "few"},
        r"All cells of 'B/plasma', 'T cell' come from one donor in adata.obs\['few'\].*groups",
    ),
    "missing donors": ({"donor_key": "gaps"}, r"2 of 72 cells have no value.*'gaps'"),
    "rare class": ({"groupby": "rare"}, r"1 of 2 classes .* have a single cell: 'b'"),
    "unknown method": ({"method": "best"}, r"method='best' is not known. Use one of robust"),
}


@pytest.mark.parametrize(("options", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_call_is_refused_with_what_is_allowed(options, message):
    adata = make_cells()
    adata.obs["same"] = "x"
    adata.obs["few"] = ["x"] * (N_CELLS - 12) + ["y"] * 12
    adata.obs["gaps"] = [None, None, *adata.obs["donor"][2:]]
    adata.obs["rare"] = ["b", *["a"] * (N_CELLS - 1)]
    columns = list(adata.var)
    with pytest.raises(ValueError, match=message):
        select_genes(adata, **{"groupby": "type", **options})
    assert list(adata.var) == columns
    assert "perturbfs" not in adata.uns


def test_repeated_gene_names_are_refused():
    adata = make_cells()
    adata.var_names = ["A", "A", *adata.var_names[2:]]
    with pytest.raises(ValueError, match=r"1 names that occur more than once: 'A'.*_make_unique"):
        select_genes(adata, "type")


def test_missing_values_are_refused_with_the_names_of_genes():
    adata = make_cells()
    adata.X[0, 7] = np.nan
    with pytest.raises(ValueError, match=r"1 values, in 'gene 7'"):
        select_genes(adata, "type")


def test_what_is_no_annotated_matrix_is_refused():
    with pytest.raises(ValueError, match=r"adata is a ndarray.*RobustSelector"):
        select_genes(np.eye(3), "type")


def test_an_object_without_x_or_with_a_lazy_one_is_refused():
    adata = make_cells()
    adata.layers["a"] = adata.X
    adata.X = None
    with pytest.raises(ValueError, match=r"adata has no X. Name one of its layers: 'a'"):
        select_genes(adata, "type")
    dask = pytest.importorskip("dask.array")
    adata.X = dask.from_array(adata.layers["a"])
    with pytest.raises(ValueError, match=r"adata.X is a dask Array.*to_memory"):
        select_genes(adata, "type")


def test_copies_and_views_of_a_file_are_refused(tmp_path):
    adata = on_disk(make_cells(as_csr), tmp_path / "cells.h5ad")
    with pytest.raises(ValueError, match=r"copy=True was given, but adata is in the file"):
        select_genes(adata, "type", copy=True)
    with pytest.raises(ValueError, match=r"adata is a view, whose parent is in the file"):
        select_genes(adata[:50], "type")


def test_a_method_that_reads_no_blocks_is_refused_for_a_file(tmp_path):
    adata = on_disk(make_cells(), tmp_path / "cells.h5ad")
    with pytest.raises(ValueError, match=r"method='mrmr' needs the whole matrix in memory"):
        select_genes(adata, "type", method="mrmr")


def test_another_method_selects_too():
    adata = make_cells(as_csr)
    select_genes(adata, "type", n_genes=3, method="anova", estimate=False)
    assert len(selected(adata)) == 3


def test_evaluate_refuses_the_object_at_once():
    adata = make_cells()
    with pytest.raises(ValueError, match=r"perturbfs.anndata.select_genes"):
        evaluate({"robust": RobustSelector()}, adata, adata.obs["type"])
