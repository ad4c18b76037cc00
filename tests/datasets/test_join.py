"""Several tables of the same samples become one, matched by the names of the samples."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from perturbfs.datasets import Table, TableError, _join, join_tables, open_table, take_samples

NAMES = [f"S-{i:02d}" for i in range(12)]


def make_table(n_features, *, y=False, seed=0, prefix="f", samples=NAMES):
    rng = np.random.default_rng(seed)
    classes = np.where(np.arange(len(samples)) % 2, "ill", "healthy")
    return Table(
        X=rng.standard_normal((len(samples), n_features)),
        y=classes if y else None,
        feature_names=np.array([f"{prefix}{j}" for j in range(n_features)], dtype=object),
        sample_names=np.array(samples, dtype=object),
        task="classification" if y else None,
        target_name="state" if y else None,
    )


def renamed(table, spell):
    return replace(table, sample_names=np.array(list(map(spell, NAMES)), dtype=object))


@pytest.fixture
def genes():
    return make_table(3, y=True)


@pytest.fixture
def methylation():
    return make_table(2, seed=1, prefix="cg")


@pytest.mark.parametrize("seed", range(3))
def test_a_table_that_was_split_and_shuffled_is_put_together_again(seed):
    whole, rng = make_table(7, y=True), np.random.default_rng(seed)
    order = rng.permutation(7)
    parts = {}
    for name, features in (("a", order[:2]), ("b", order[2:5]), ("c", order[5:])):
        part = replace(whole, X=whole.X[:, features], feature_names=whole.feature_names[features])
        part = part if name == "b" else replace(part, y=None, task=None, target_name=None)
        parts[name] = part if name == "a" else take_samples(part, rng.permutation(12))
    joined = join_tables(parts)
    np.testing.assert_array_equal(joined.X, whole.X[:, order])
    assert joined.feature_names.tolist() == whole.feature_names[order].tolist()
    assert joined.sample_names.tolist() == NAMES
    assert joined.y.tolist() == whole.y.tolist()
    assert (joined.task, joined.target_name) == ("classification", "state")
    assert joined.origins.tolist() == ["a"] * 2 + ["b"] * 3 + ["c"] * 2
    assert joined.notes == ()


def test_samples_that_a_table_lacks_are_left_out_with_a_count_and_their_names(genes, methylation):
    joined = join_tables(
        {"genes": genes, "methylation": take_samples(methylation, np.array([11, 3, 5, 0, 1, 2]))}
    )
    assert joined.sample_names.tolist() == ["S-00", "S-01", "S-02", "S-03", "S-05", "S-11"]
    np.testing.assert_array_equal(joined.X[-1], [*genes.X[11], *methylation.X[11]])
    [note] = joined.notes
    assert note == (
        "6 of 12 samples of genes are not in all tables and were left out: 'S-04', 'S-06', "
        "'S-07', 'S-08', 'S-09', 'S-10'."
    )


def test_too_few_shared_samples_are_refused_with_names_of_each_side(genes, methylation):
    other = renamed(methylation, lambda name: name.replace("S", "X") if name > "S-04" else name)
    with pytest.raises(TableError) as caught:
        join_tables({"genes": genes, "methylation": other})
    said = str(caught.value)
    assert said.startswith("Only 5 of the 12 samples of genes, the smallest table, can be found")
    assert "genes has 'S-05', 'S-06', 'S-07' and 4 more, and methylation has 'X-05'" in said
    enough = renamed(methylation, lambda name: name.replace("S", "X") if name > "S-05" else name)
    assert join_tables({"genes": genes, "methylation": enough}).n_samples == 6


@pytest.mark.parametrize("spell", [str.lower, lambda n: f" {n} ", lambda n: n.replace("-", ".")])
def test_names_in_another_spelling_are_a_hint_and_match_only_when_asked(genes, methylation, spell):
    tables = {"genes": genes, "methylation": renamed(methylation, spell)}
    with pytest.raises(TableError, match=r"^None of .* such as 'S-00' and .*--match-names loose"):
        join_tables(tables)
    assert join_tables(tables, match_names="loose").n_samples == 12


def test_one_name_in_another_spelling_is_named_among_those_left_out(genes, methylation):
    other = renamed(methylation, lambda name: "s.03" if name == "S-03" else name)
    notes = join_tables({"genes": genes, "methylation": other}).notes
    assert len(notes) == 2
    assert all("1 name differs from another table in case" in note for note in notes)
    assert "such as 'S-03' and 's.03'" in notes[0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sample_names": None}, r"has no names of samples.*--index"),
        ({"sample_names": np.array(["S-00", *NAMES[:11]], dtype=object)}, r"'S-00'.*--index"),
        (
            {"sample_names": np.array(["", *NAMES[1:]], dtype=object)},
            "1 sample of methylation has no name",
        ),
    ],
)
def test_tables_without_a_name_for_each_sample_are_refused(genes, methylation, change, said):
    with pytest.raises(TableError, match=said):
        join_tables({"genes": genes, "methylation": replace(methylation, **change)})


def test_names_that_become_equal_when_spelling_is_ignored_are_refused(genes, methylation):
    other = renamed(methylation, lambda name: "s00" if name == "S-01" else name)
    with pytest.raises(TableError, match=r"methylation: the sample names 'S-00' and 's00'"):
        join_tables({"genes": genes, "methylation": other}, match_names="loose")


def test_equal_names_of_features_get_the_name_of_their_table_and_others_stay(genes):
    other = make_table(2, seed=1)
    joined = join_tables({"genes": genes, "methylation": other})
    assert joined.feature_names.tolist() == [
        "genes: f0",
        "genes: f1",
        "f2",
        "methylation: f0",
        "methylation: f1",
    ]


def test_features_without_names_are_numbered_in_their_table(genes, methylation):
    joined = join_tables({"genes": genes, "methylation": replace(methylation, feature_names=None)})
    assert joined.feature_names.tolist()[3:] == [
        "methylation: feature 1",
        "methylation: feature 2",
    ]


def test_a_feature_called_as_the_outcome_of_another_table_is_refused(genes, methylation):
    names = np.array(["cg0", "state"], dtype=object)
    with pytest.raises(TableError, match=r"methylation has a feature called 'state'.*exclude="):
        join_tables({"genes": genes, "methylation": replace(methylation, feature_names=names)})


def test_equal_outcomes_are_one_and_different_ones_are_refused(genes, methylation):
    again = replace(methylation, y=genes.y, task=genes.task, target_name="group")
    joined = join_tables({"genes": genes, "methylation": take_samples(again, np.arange(12)[::-1])})
    assert joined.y.tolist() == genes.y.tolist()
    wrong = replace(again, y=np.where(np.arange(12) == 3, "healthy", genes.y))
    with pytest.raises(
        TableError, match=r"differ for 1 of 12 samples: ill and healthy for 'S-03'"
    ):
        join_tables({"genes": genes, "methylation": wrong})


def test_tables_without_an_outcome_are_joined_without_one(methylation):
    joined = join_tables({"a": make_table(1), "b": methylation})
    assert (joined.y, joined.task) == (None, None)


def test_missing_values_are_counted_among_the_samples_that_stay(genes):
    other = make_table(2, seed=1)
    other.X[[0, 4], 1] = np.nan
    other = replace(other, n_missing=2, missing_features=("f1",))
    joined = join_tables({"genes": take_samples(genes, np.arange(1, 12)), "methylation": other})
    assert (joined.n_missing, joined.missing_features) == (1, ("methylation: f1",))


def as_sparse(table):
    return replace(table, X=scipy.sparse.csc_array(np.where(table.X > 0, table.X, 0)))


def test_sparse_tables_stay_sparse_and_one_beside_a_dense_table_becomes_dense(genes, methylation):
    both = join_tables({"a": as_sparse(genes), "b": as_sparse(methylation)})
    assert both.X.format == "csr"
    dense = np.hstack([np.maximum(genes.X, 0), np.maximum(methylation.X, 0)])
    np.testing.assert_array_equal(both.X.toarray(), dense)
    mixed = join_tables({"a": genes, "b": as_sparse(methylation)})
    np.testing.assert_array_equal(mixed.X, np.hstack([genes.X, dense[:, 3:]]))


def test_a_sparse_table_too_large_to_be_dense_is_refused(genes, methylation, monkeypatch):
    monkeypatch.setattr(_join, "usable_memory", lambda _: 100)
    with pytest.raises(TableError, match=r"b would have to be made dense.*480 B.*100 B"):
        join_tables({"a": genes, "b": as_sparse(methylation)})


def test_a_table_that_is_read_in_blocks_is_refused(genes, tmp_path):
    np.save(tmp_path / "large.npy", np.zeros((12, 4)))
    with pytest.raises(TableError, match="large is read in blocks"):
        join_tables({"genes": genes, "large": open_table(tmp_path / "large.npy")})


def test_a_table_with_features_in_rows_is_recognized_by_its_names(genes, methylation):
    turned = Table(
        X=methylation.X.T,
        feature_names=methylation.sample_names,
        sample_names=methylation.feature_names,
    )
    with pytest.raises(TableError, match="features of methylation have the names of the samples"):
        join_tables({"genes": genes, "methylation": turned})


def test_one_table_is_not_joined(genes):
    with pytest.raises(TableError, match="1 table was given, and two or more are needed"):
        join_tables({"genes": genes})
    with pytest.raises(TableError, match="match_names='fuzzy' is not known"):
        join_tables({"genes": genes, "b": genes}, match_names="fuzzy")
