"""Several files of the same samples are joined; what was selected is found again in new files."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from perturbfs.cli import _new_tables
from perturbfs.cli._command import WrongUseError
from perturbfs.cli._options import Layout, Reading
from perturbfs.cli._several import name_tables, read_several
from perturbfs.cli._tables import write_rows
from perturbfs.datasets import TableError, read_table
from perturbfs.results import load_selection, load_summary

QUICK = ("--n-features", "6", "--splits", "2", "--no-details")
N_GENES = 35


@pytest.fixture(scope="module")
def several(small, tmp_path_factory):
    """The small table in two files, in another order and without some samples, and in one file.

    The outcome is in the first one. Both have a feature called shared.
    """
    folder = tmp_path_factory.mktemp("several")
    shuffled = np.random.default_rng(0).permutation(40)[:36]
    first = [i for i in range(40) if i != 7]
    genes, sites = [*small.names[: N_GENES - 1], "shared"], ["shared", *small.names[N_GENES + 1 :]]

    def write(name, rows, features, columns, *, with_outcome=True):
        header = ["sample", *features, *(["state"] if with_outcome else [])]
        write_rows(
            folder / name,
            header,
            (
                [small.samples[i], *small.X[i, columns], *([small.y[i]] if with_outcome else [])]
                for i in rows
            ),
        )

    write("genes.csv", first, genes, slice(0, N_GENES))
    write("sites.csv", shuffled, sites, slice(N_GENES, 60), with_outcome=False)
    columns = zip(sites, small.X[shuffled, N_GENES:].T.tolist(), strict=True)
    write_rows(
        folder / "sites_in_rows.csv",
        ["site", *(small.samples[i] for i in shuffled)],
        ([name, *values] for name, values in columns),
    )
    both = [i for i in first if i in shuffled]
    joined = [*genes[:-1], "genes: shared", "sites: shared", *sites[1:]]
    write("joined.csv", both, joined, slice(0, 60))
    labels = ([name, label] for name, label in zip(small.samples, small.y, strict=True))
    write_rows(folder / "labels.csv", ["sample", "state"], labels)
    patients = ([name, f"P{i // 2}"] for i, name in enumerate(small.samples))
    write_rows(folder / "patients.csv", ["sample", "patient"], patients)
    whole = read_table(folder / "joined.csv", target="state")
    return SimpleNamespace(
        folder=folder,
        whole=whole,
        genes=str(folder / "genes.csv"),
        sites=str(folder / "sites.csv"),
        sites_in_rows=str(folder / "sites_in_rows.csv"),
        joined=str(folder / "joined.csv"),
        labels=str(folder / "labels.csv"),
        patients=str(folder / "patients.csv"),
    )


def reading(target="state", **options):
    return Reading(target=target, layout=Layout(), **options)


def assert_is_whole(table, whole):
    """Whether a table holds what the file with all features does, in any order of samples."""
    order = np.argsort(table.sample_names.tolist())
    assert table.sample_names[order].tolist() == whole.sample_names.tolist()
    assert table.y[order].tolist() == whole.y.tolist()
    places = [table.feature_names.tolist().index(name) for name in whole.feature_names]
    np.testing.assert_array_equal(table.X[order][:, places], whole.X)


@pytest.fixture(scope="module")
def chosen(several, run):
    """The selections of the two files and of the joined one."""
    done = {}
    for name, files in (("two", [several.genes, several.sites]), ("one", [several.joined])):
        out = several.folder / name
        done[name] = run(
            "select", *files, "--target", "state", *QUICK, "--out", out, cwd=several.folder
        )
        assert done[name].returncode == 0, done[name].stderr
    return SimpleNamespace(
        done=done["two"], two=several.folder / "two", one=several.folder / "one"
    )


def test_the_selection_of_two_files_is_that_of_the_joined_table(chosen):
    two, one = (load_selection(folder / "selection.json") for folder in (chosen.two, chosen.one))
    assert [(each.name, each.index) for each in two.features] == [
        (each.name, each.index) for each in one.features
    ]
    assert two.estimate == one.estimate
    assert two.data["fingerprint"] == one.data["fingerprint"]


def test_the_numbers_of_each_table_are_reported_everywhere(chosen, read_rows):
    selection = load_selection(chosen.two / "selection.json")
    n_genes = sum(each.index < N_GENES for each in selection.features)
    numbers = [
        {"name": "genes", "n_features": N_GENES, "n_selected": n_genes},
        {"name": "sites", "n_features": 60 - N_GENES, "n_selected": 6 - n_genes},
    ]
    assert selection.data["origins"] == numbers
    assert load_summary(chosen.two / "summary.json")["origins"] == numbers
    origins = ["genes" if each.index < N_GENES else "sites" for each in selection.features]
    assert [each.origin for each in selection.features] == origins
    assert [row[-1] for row in read_rows(chosen.two / "features.csv")] == ["origin", *origins]
    said = " ".join(chosen.done.stdout.split())
    assert f"{n_genes} of {N_GENES} features of genes, {6 - n_genes} of 25 features" in said
    assert "are not in all tables and were left out" in said
    page = (chosen.two / "report.html").read_text("utf-8")
    assert f'<td class="number">{n_genes}</td><td class="number" data-value="{N_GENES}">' in page
    assert page.count('<span class="origin c2">genes</span>') == n_genes + 1


def test_a_selection_of_one_table_says_nothing_of_origins(chosen):
    for name in ("selection.json", "summary.json", "features.csv"):
        assert "origin" not in (chosen.one / name).read_text("utf-8")
    assert "Origin of the features" not in (chosen.one / "report.html").read_text("utf-8")


def test_the_command_on_the_page_names_all_files(several, chosen):
    command = load_summary(chosen.two / "summary.json")["command"]
    assert command.startswith(f"perturbfs select {several.genes} {several.sites} ")


@pytest.mark.parametrize(
    ("files", "target"),
    [
        (["genes", "sites"], "state"),
        (["sites", "genes"], "state"),
        (["sites_in_rows", "genes"], "state"),
        (["genes", "sites_in_rows"], "-1"),
        (["genes", "sites"], "labels"),
        (["sites_in_rows", "genes"], "labels:state"),
    ],
)
def test_the_outcome_is_in_any_file_or_in_its_own_and_features_are_in_rows_or_columns(
    several, files, target, tmp_path
):
    target = target.replace("labels", several.labels)
    paths = [getattr(several, name) for name in files]
    if "labels" in target:  # the genes without their outcome
        lines = (several.folder / "genes.csv").read_text("utf-8").splitlines()
        bare = tmp_path / "genes.csv"
        bare.write_text("\n".join(line.rpartition(",")[0] for line in lines), "utf-8")
        paths = [str(bare) if path == several.genes else path for path in paths]
    if "sites_in_rows" in files:
        renamed = tmp_path / "sites.csv"
        renamed.write_bytes((several.folder / "sites_in_rows.csv").read_bytes())
        paths = [str(renamed) if path == several.sites_in_rows else path for path in paths]
    table, found = read_several(paths, reading(target))
    assert found == {}
    assert_is_whole(table, several.whole)


@pytest.mark.parametrize("files", [["genes", "sites"], ["sites", "genes"]])
def test_groups_come_from_one_of_the_files_and_are_no_feature_of_any(several, files, tmp_path):
    for name in ("genes", "sites"):  # both files have the column
        lines = (several.folder / f"{name}.csv").read_text("utf-8").splitlines()
        plates = [str(ord(line[2]) % 5) for line in lines[1:]]
        text = "\n".join(
            f"{line},{plate}" for line, plate in zip(lines, ["plate", *plates], strict=True)
        )
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    paths = [str(tmp_path / f"{name}.csv") for name in files]
    table, found = read_several(paths, reading(), {"groups": "plate"})
    groups = found["groups"]
    assert_is_whole(table, several.whole)
    assert groups.name == "plate"
    assert groups.values.tolist() == [ord(name[2]) % 5 for name in table.sample_names]
    assert ("plate", "keeps samples together") in table.dropped


def test_groups_and_batches_come_from_a_file_of_their_own(several):
    files, column = [several.sites, several.genes], f"{several.patients}:patient"
    table, found = read_several(files, reading(), {"groups": column, "batch": column})
    expected = [f"P{int(name[1:]) // 2}" for name in table.sample_names]
    assert found["groups"].values.tolist() == found["batch"].values.tolist() == expected
    assert ("patient", "is the batch of each sample") in table.dropped


def test_groups_are_found_under_names_in_another_spelling(several, tmp_path):
    text = (several.folder / "sites.csv").read_text("utf-8").replace("\nS", "\ns.")
    lines = text.splitlines()
    plates = ["plate", *(str(ord(line[3]) % 5) for line in lines[1:])]
    text = "\n".join(f"{line},{plate}" for line, plate in zip(lines, plates, strict=True))
    (tmp_path / "sites.csv").write_text(text, "utf-8")
    files = [several.genes, str(tmp_path / "sites.csv")]
    table, found = read_several(files, reading(match_names="loose"), {"groups": "plate"})
    groups = found["groups"]
    assert_is_whole(table, several.whole)
    assert groups.values.tolist() == [ord(name[2]) % 5 for name in table.sample_names]
    with pytest.raises(TableError, match=r"such as 's\.\d\d' and 'S\d\d'.*--match-names loose"):
        read_several(files, reading())


def test_features_in_rows_are_found_under_names_in_another_spelling(several, tmp_path):
    text = (several.folder / "sites_in_rows.csv").read_text("utf-8").replace(",S", ",s.")
    (tmp_path / "sites.csv").write_text(text, "utf-8")
    files = [several.genes, str(tmp_path / "sites.csv")]
    assert_is_whole(read_several(files, reading(match_names="loose"))[0], several.whole)


def test_a_second_column_of_the_outcome_is_no_feature(several, tmp_path):
    text = (several.folder / "genes.csv").read_text("utf-8").replace("shared", "other")
    (tmp_path / "again.csv").write_text(text, "utf-8")
    table, _ = read_several([several.genes, str(tmp_path / "again.csv")], reading())
    assert "state" not in {name.rpartition(": ")[2] for name in table.feature_names}
    assert table.n_features == 2 * N_GENES
    lines = text.splitlines()
    flip = {"normal": "tumor", "tumor": "normal"}
    start, _, label = lines[4].rpartition(",")
    lines[4] = f"{start},{flip[label]}"
    (tmp_path / "again.csv").write_text("\n".join(lines), "utf-8")
    with pytest.raises(TableError, match=r"outcomes of genes .* differ for 1 of 39 samples"):
        read_several([several.genes, str(tmp_path / "again.csv")], reading())


def test_a_feature_to_leave_out_need_not_be_in_every_file(several):
    files = [several.genes, several.sites]
    table, _ = read_several(files, reading(exclude=["gene 00", "gene 5*"]))
    assert table.n_features == 49
    one, _ = read_several(files, reading(exclude=["sites: shared", "genes: gene 0*"]))
    assert one.feature_names.tolist()[24:26] == ["shared", "gene 36"]
    with pytest.raises(TableError, match=r"--exclude 'gene 99' was not found in any of the files"):
        read_several(files, reading(exclude=["gene 00", "gene 99"]))


def test_a_target_that_no_file_has_is_refused_with_both_files(several):
    with pytest.raises(TableError) as caught:
        read_several([several.sites, several.genes], reading("stat"))
    assert f"{several.sites}: target='stat' was not found" in str(caught.value)
    assert "Did you mean 'state'?" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["sites.csv", "--memory", "2GB"], "none of them can be read in blocks"),
        (["sites.zarr"], "none of them can be read in blocks"),
        (["genes.csv"], "genes.csv is given twice"),
        (["nowhere.csv"], "nowhere.csv does not exist"),
        (["colon"], "colon does not exist. Several tables are read from files"),
    ],
)
def test_wrong_files_are_refused_in_a_sentence(several, run, options, said):
    done = run(
        "select", "genes.csv", *options, "--target", "state", "--out", "no", cwd=several.folder
    )
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (several.folder / "no").exists()


def test_files_of_the_same_name_are_called_by_their_folders(tmp_path):
    names = name_tables([str(tmp_path / "a" / "x.csv"), str(tmp_path / "b" / "x.tsv")])
    assert list(names) == ["a/x", "b/x"]


def test_check_says_which_samples_are_left_out(several, run):
    done = run("check", several.genes, several.sites, "--target", "state", cwd=several.folder)
    said = " ".join(done.stdout.split())
    assert "1 of 36 samples of sites is not in all tables and was left out: 'S07'." in said


def test_check_looks_at_all_files(several, run):
    options = ("--target", "state", "--groups", f"{several.patients}:patient", "--json")
    done = run("check", several.genes, several.sites, *options, cwd=several.folder)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["n_features"] == 60
    assert document["source"] == f"{several.genes} and {several.sites}"


def test_evaluate_compares_methods_on_all_files(several, run, tmp_path):
    options = ("--methods", "anova", "--n-features", "3", "--splits", "2", "--predictors", "3nn")
    done = run(
        *("evaluate", several.genes, several.sites, "--target", "state", *options),
        *("--out", tmp_path / "out"),
        cwd=several.folder,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads((tmp_path / "out" / "evaluation.json").read_text("utf-8"))["data"]
    assert [each["n_features"] for each in data["origins"]] == [N_GENES, 60 - N_GENES]


def apply(run, chosen, *files, cwd):
    out = cwd / "applied.csv"
    done = run("apply", chosen.two, *files, "--out", out, "--force", cwd=cwd)
    return done, out


@pytest.mark.parametrize(
    "files",
    [["genes", "sites"], ["sites", "genes"], ["genes", "sites_in_rows"], ["joined"]],
)
def test_apply_finds_the_features_in_two_files_or_in_one(
    several, chosen, run, read_rows, files, tmp_path
):
    done, out = apply(run, chosen, *(getattr(several, name) for name in files), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    header, *rows = read_rows(out)
    assert header[1:] == [row[1] for row in read_rows(chosen.two / "features.csv")[1:]]
    found = {row[0]: list(map(float, row[1:])) for row in rows}
    places = [several.whole.feature_names.tolist().index(name) for name in header[1:]]
    expected = several.whole.X[:, places].tolist()
    for name, values in zip(several.whole.sample_names, expected, strict=True):
        assert found[name] == values


def made_selection(chosen, **names):
    """The selection with features of given names, by the table that they come from."""
    selection = load_selection(chosen.two / "selection.json")
    pairs = [(name, origin) for origin, listed in names.items() for name in listed]
    features = tuple(
        _new_tables.replace(each, name=name, origin=origin, stands_for=())
        for each, (name, origin) in zip(selection.features, pairs, strict=False)
    )
    return _new_tables.replace(selection, features=features)


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ({"genes": ["genes: shared"], "sites": ["gene 50"]}, ["genes: shared", "gene 50"]),
        # It was in one table only then, and is in both now.
        ({"genes": ["gene 00"], "sites": ["shared"]}, ["gene 00", "shared"]),
    ],
)
def test_features_with_the_same_name_in_two_tables_are_not_confused(
    several, chosen, selected, expected
):
    selection = made_selection(chosen, **selected)
    table = _new_tables.read_new(
        selection, [several.genes, several.sites], Reading(layout=Layout())
    )
    names = table.feature_names.tolist()
    own = {"genes: shared": "genes: shared", "shared": "sites: shared"}
    for name in expected:
        values = dict(zip(table.sample_names, table.X[:, names.index(name)], strict=True))
        place = several.whole.feature_names.tolist().index(own.get(name, name))
        assert [values[each] for each in several.whole.sample_names] == (
            several.whole.X[:, place].tolist()
        )


def test_a_feature_is_not_taken_from_the_other_table(several, chosen, tmp_path):
    selection = made_selection(chosen, genes=["shared"], sites=["gene 50"])
    text = (several.folder / "genes.csv").read_text("utf-8").replace("shared", "lost")
    (tmp_path / "genes.csv").write_text(text, "utf-8")
    files = [str(tmp_path / "genes.csv"), several.sites]
    table = _new_tables.read_new(selection, files, Reading(layout=Layout()))
    assert "shared" not in table.feature_names
    assert "sites: shared" in table.feature_names


def test_a_file_without_selected_features_is_not_needed(several, chosen):
    selection = made_selection(chosen, genes=["gene 00", "genes: shared"])
    for files in ([several.genes], [several.genes, "nowhere.csv"]):
        table = _new_tables.read_new(selection, files, Reading(layout=Layout()))
        assert {"gene 00", "genes: shared"} <= set(table.feature_names)
        assert table.n_samples == 39


def test_a_wrong_number_of_files_is_refused_with_the_names_of_the_tables(
    several, chosen, run, tmp_path
):
    files = (several.genes, several.sites, several.joined)
    done, out = apply(run, chosen, *files, cwd=tmp_path)
    assert done.returncode == 2
    assert "3 files were given, but the selection was made on 2 tables: genes, sites." in (
        done.stderr
    )
    assert not out.exists()


def test_apply_says_which_file_was_taken_for_which_table(several, chosen, run, tmp_path):
    done, _ = apply(run, chosen, several.sites_in_rows, several.genes, cwd=tmp_path)
    said = "".join(done.stdout.split())
    assert f"{several.genes}wastakenforgenes." in said
    assert f"{several.sites_in_rows}wastakenforsites." in said


def test_a_survival_outcome_is_for_one_table(several):
    with pytest.raises(WrongUseError, match="for one table, but 2 were given"):
        read_several(
            [several.genes, several.sites], reading(target=None, time="days", event="died")
        )
