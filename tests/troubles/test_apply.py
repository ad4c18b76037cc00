"""`perturbfs apply` to tables of a second cohort as laboratories send them."""

import csv
from types import SimpleNamespace

import pytest
from troubles import apply_files as files
from typer.testing import CliRunner

from perturbfs.cli import app

NAMES = list(files.SELECTED)


@pytest.fixture
def apply(tmp_path):
    """Apply a selection of three genes to a file, and read what was written."""

    def run(source, *options, impute=None):
        result, out = files.write_selection(tmp_path, impute=impute), tmp_path / "out.csv"
        words = ["apply", str(result), str(source), "--out", str(out), *options]
        done = CliRunner().invoke(app, words, env={"COLUMNS": "1000"})
        rows = None
        if out.exists():
            with out.open(newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
        said = done.stdout if done.exit_code == 0 else done.stderr
        return SimpleNamespace(code=done.exit_code, said=" ".join(said.split()), rows=rows)

    return run


def expected(names=NAMES, genes=NAMES):
    columns = [files.X[:, files.GENES.index(gene)].tolist() for gene in genes]
    rows = zip(files.SAMPLES, *columns, strict=True)
    return [["sample", *names], *([str(cell) for cell in row] for row in rows)]


@pytest.mark.parametrize("corner", ["gene", "", "ID_REF", "my genes"])
def test_genes_are_found_in_rows(apply, tmp_path, corner):
    done = apply(files.write_genes_in_rows(tmp_path, corner))
    assert done.rows == expected(), done.said
    assert "4 samples, 3 features, written to" in done.said


def test_genes_are_found_in_columns(apply, tmp_path):
    assert apply(files.write_genes_in_columns(tmp_path)).rows == expected()


def test_an_outcome_of_text_below_the_genes_does_not_matter(apply, tmp_path):
    done = apply(files.write_genes_in_rows_with_the_outcome(tmp_path))
    assert done.rows == expected(), done.said


def test_a_repeated_gene_in_rows_gives_the_error_about_it(apply, tmp_path):
    done = apply(files.write_repeated_genes_in_rows(tmp_path))
    assert done.code == 1
    assert "'ACTB'" in done.said
    assert "missing" not in done.said


@pytest.mark.parametrize(
    "write",
    [
        files.write_respelled_genes,
        files.write_respelled_genes_in_rows,
        files.write_names_as_r_does,
    ],
)
def test_names_that_differ_in_case_blanks_or_punctuation_are_matched_on_request(
    apply, tmp_path, write
):
    source = write(tmp_path)
    refused = apply(source)
    assert refused.code == 1
    assert "differ only in case, blanks or punctuation" in refused.said
    assert "Pass --match-names loose to take these." in refused.said
    assert "for 'TP53'" in refused.said
    (tmp_path / "result" / "selection.json").unlink()
    (tmp_path / "result").rmdir()
    done = apply(source, "--match-names", "loose")
    assert done.rows == expected(), done.said
    assert "Names that differ only in case, blanks or punctuation were matched:" in done.said


def test_missing_values_are_filled_with_the_medians_if_the_selection_imputed(apply, tmp_path):
    done = apply(files.write_missing_values(tmp_path), impute="median")
    whole = expected()
    whole[1][1] = whole[2][1] = "1.5"
    whole[4][3] = "3.5"
    assert done.rows == whole
    assert (
        "3 missing values were filled with medians of the table that the selection was made on: "
        "'TP53' (2), 'KRAS' (1)." in done.said
    )


def test_missing_values_are_counted_and_left_empty_otherwise(apply, tmp_path):
    done = apply(files.write_missing_values(tmp_path))
    assert [row[1] for row in done.rows[1:3]] == ["", ""]
    assert "3 missing values were left empty: 'TP53' (2), 'KRAS' (1)." in done.said


def test_a_missing_feature_gives_an_error_that_offers_a_stand_in(apply, tmp_path):
    done = apply(files.write_without(tmp_path, "TP53", "MYC"))
    assert done.code == 1
    assert "2 of 3 selected features are missing from" in done.said
    assert "'TP53', 'MYC'." in done.said
    assert "'MDM2' for 'TP53'. Pass --stand-ins to take these instead." in done.said
    assert "For 1 of them it has no other feature of the same group." in done.said
    assert done.rows is None


def test_stand_ins_are_taken_on_request_and_named_in_the_header(apply, tmp_path):
    done = apply(files.write_without(tmp_path, "TP53"), "--stand-ins")
    assert done.rows == expected(["MDM2 (for TP53)", "MYC", "KRAS"], ["MDM2", "MYC", "KRAS"])
    assert "MDM2 (for TP53)" in done.said
    assert "train the model again" in done.said


def test_a_stand_in_is_taken_once(apply, tmp_path):
    done = apply(files.write_without(tmp_path, "TP53", "KRAS", "MDM2"), "--stand-ins")
    assert done.code == 1
    assert "'CDKN1A' for 'TP53'" in done.said
    assert "'CDKN1A' for 'KRAS'" not in done.said


def test_text_in_a_selected_feature_is_named(apply, tmp_path):
    done = apply(files.write_text_in_a_selected_gene(tmp_path))
    assert done.code == 1
    assert "'MYC' of the new table holds text" in done.said


def test_other_names_are_shown(apply, tmp_path):
    done = apply(files.write_other_names(tmp_path))
    assert done.code == 1
    assert "3 of 3 selected features are missing" in done.said
    assert "'1000_at', '1001_at', '1002_at', …" in done.said


def test_a_folder_without_a_selection_is_named(tmp_path):
    source = files.write_genes_in_columns(tmp_path)
    words = ["apply", str(tmp_path), str(source), "--out", str(tmp_path / "out.csv")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert "Pass the folder that perturbfs select wrote" in done.stderr
