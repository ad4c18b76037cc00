"""A real file is read as it is meant, or answered with one sentence that helps."""

import numpy as np
import pytest
from troubles import reading_files as files

from perturbfs.datasets import TableError, read_table
from perturbfs.datasets.reading import outline_file

X = files.values()


def assert_is_the_table(table, features=None):
    np.testing.assert_allclose(table.X, X)
    assert list(table.feature_names) == (features or files.FEATURES)
    assert list(table.sample_names) == files.SAMPLES
    assert list(table.y) == files.CLASSES


def noted(table, *words):
    assert any(all(word in note for word in words) for note in table.notes), table.notes


def test_text_for_missing_values_is_read_as_missing_and_counted(tmp_path):
    table = read_table(files.write_tokens(tmp_path), target="state", missing="allow")
    assert table.n_features == files.N_FEATURES
    assert table.n_missing == 18
    is_known = ~np.isnan(table.X)
    np.testing.assert_array_equal(table.X[is_known], X[is_known])
    noted(table, "18 cells of 18 features hold text such as 'n.d.'", "missing values")


def test_missing_values_as_text_are_an_error_that_shows_them(tmp_path):
    with pytest.raises(TableError, match=r"18 values are missing.*such as 'n\.d\.'.*--impute"):
        read_table(files.write_tokens(tmp_path), target="state")


def test_a_remark_among_numbers_is_a_missing_value(tmp_path):
    table = read_table(files.write_remarks(tmp_path), target="state", missing="allow")
    assert table.n_missing == 2
    noted(table, "2 cells of 1 feature hold text such as 'repeat' and 'spilled'")


def test_a_number_can_stand_for_a_missing_value(tmp_path):
    path = files.write_codes(tmp_path)
    assert read_table(path, target="state").n_missing == 0
    table = read_table(path, target="state", missing="allow", na="-99")
    assert (table.n_missing, table.missing_features) == (3, ("g5", "g6"))
    noted(table, "3 cells with -99 were read as missing values")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_decimal_commas_are_found(tmp_path, delimiter):
    table = read_table(files.write_decimal_commas(tmp_path, delimiter), target="state")
    assert_is_the_table(table)
    noted(table, "decimal comma")


def test_a_decimal_comma_far_below_is_found(tmp_path):
    table = read_table(files.write_late_commas(tmp_path), target="state")
    assert table.X[49].tolist() == [69, 2.5]
    noted(table, "decimal comma")


@pytest.mark.parametrize("marks", [(",", "."), (".", ","), ("'", "."), ("\u00a0", ",")])
def test_thousands_separators_are_found(tmp_path, marks):
    table = read_table(files.write_thousands(tmp_path, *marks), target="state")
    np.testing.assert_allclose(table.X, 1000 * X)
    noted(table, "between thousands")


def test_numbers_that_can_be_read_in_two_ways_are_asked_about(tmp_path):
    path = files.write_ambiguous(tmp_path)
    with pytest.raises(TableError, match=r"'1,234' can be read in two ways.*--decimal"):
        read_table(path)
    assert read_table(path, decimal=",").X[0, 0] == 1.234
    assert read_table(path, thousands=",").X[0, 0] == 1234


def test_most_of_a_table_is_not_dropped_without_a_further_word(tmp_path):
    path = files.write_text_columns(tmp_path)
    with pytest.raises(TableError) as error:
        read_table(path, target="state", drop_text=True)
    message = str(error.value)
    assert "40 of 40 features hold text: 'g0'" in message
    assert "'g9' and 30 more" in message
    assert "--drop-all-text" in message
    with pytest.raises(TableError, match="0 features are left"):
        read_table(path, target="state", drop_text="all")


@pytest.mark.parametrize(
    "write",
    [
        files.write_comments,
        files.write_separator_line,
        files.write_titles,
        files.write_units,
        files.write_text_as_xls,
    ],
)
def test_lines_that_do_not_belong_to_the_table_are_skipped(tmp_path, write):
    assert_is_the_table(read_table(write(tmp_path), target="state"))


def test_skipped_rows_are_noted(tmp_path):
    noted(read_table(files.write_titles(tmp_path), target="state"), "'Table S1. Expression'")
    noted(read_table(files.write_units(tmp_path), target="state"), "'mg/l'", "units")


def test_rows_can_be_skipped_by_number(tmp_path):
    path = files.write_titles(tmp_path)
    assert_is_the_table(read_table(path, target="state", skip_rows=2))
    with pytest.raises(TableError, match="fewer than 99 lines"):
        read_table(path, skip_rows=99)


def test_a_header_that_is_a_comment_is_found(tmp_path):
    path = files.write_header_in_comment(tmp_path)
    assert_is_the_table(read_table(path, target=files.save_labels(tmp_path)))


def test_a_series_matrix_of_geo_has_its_own_outcomes(tmp_path):
    path = files.write_series_matrix(tmp_path)
    table = read_table(path, target="disease")
    assert_is_the_table(table)
    noted(table, "series matrix of GEO", "'disease'")
    assert read_table(path, target="age").task == "classification"
    assert read_table(path, target="age", task="regression").y[0] == 40
    with pytest.raises(TableError, match="target='disaese' was not found"):
        read_table(path, target="disaese")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8-sig"])
def test_text_is_read_in_every_usual_encoding(tmp_path, encoding):
    table = read_table(files.write_encoding(tmp_path, encoding), target="state")
    assert_is_the_table(table, ["naïve T-Zellen µg", *files.FEATURES[1:]])
    if encoding != "utf-8-sig":
        noted(table, "read as")


@pytest.mark.parametrize("name", ["r.txt", "r.csv"])
def test_a_table_as_r_writes_it_is_read(tmp_path, name):
    table = read_table(files.write_r_table(tmp_path, name), target="state")
    assert_is_the_table(table, ["my gene", *files.FEATURES[1:]])


@pytest.mark.parametrize("where", ["header", "rows", "both"])
def test_trailing_commas_and_rows_of_commas_change_nothing(tmp_path, where):
    assert_is_the_table(read_table(files.write_trailing_commas(tmp_path, where), target="state"))


def test_repeated_names_are_counted_and_the_way_out_is_named(tmp_path):
    path, labels = files.write_duplicates(tmp_path), files.save_labels(tmp_path)
    with pytest.raises(TableError) as error:
        read_table(path, target=labels)
    message = str(error.value)
    assert "15 names of features occur more than once: 'g0' (2 times)" in message
    assert "'g9' (2 times) and 5 more" in message
    assert "--duplicates first" in message


@pytest.mark.parametrize(
    ("how", "n_features", "first"),
    [
        ("first", 40, X[:, 0]),
        ("mean", 40, (X[:, 0] + np.arange(files.N_SAMPLES)) / 2),
        ("rename", 55, X[:, 0]),
    ],
)
def test_repeated_names_are_made_unique(tmp_path, how, n_features, first):
    path, labels = files.write_duplicates(tmp_path), files.save_labels(tmp_path)
    table = read_table(path, target=labels, duplicates=how)
    assert table.n_features == n_features == len(set(table.feature_names))
    np.testing.assert_allclose(table.X[:, 0], first)
    noted(table, "15 names of features occurred more than once")


def test_samples_without_a_label_are_left_out_if_so_asked(tmp_path):
    path = files.write_missing_labels(tmp_path)
    with pytest.raises(TableError, match=r"2 of 12 samples: 'S-01', 'S-04'.*--unlabelled drop"):
        read_table(path, target="state")
    table = read_table(path, target="state", unlabelled="drop")
    assert table.X.shape == (10, files.N_FEATURES)
    assert "S-01" not in table.sample_names
    noted(table, "2 of 12 samples have no outcome and were left out")


def test_samples_that_a_second_file_lacks_are_left_out_if_so_asked(tmp_path):
    path = files.save(tmp_path / "genes.csv", files.as_gene_rows())
    labels = files.save_labels(tmp_path, files.SAMPLES[:9])
    with pytest.raises(TableError, match="--unlabelled drop"):
        read_table(path, target=labels)
    table = read_table(path, target=labels, unlabelled="drop")
    np.testing.assert_allclose(table.X, X[:9])


@pytest.mark.parametrize("change", [str.lower, lambda s: s.replace("-", "."), lambda s: f" {s} x"])
def test_names_that_differ_in_case_or_blanks_are_matched_on_request(tmp_path, change):
    path = files.save(tmp_path / "genes.csv", files.as_gene_rows())
    names = [change(name) for name in files.SAMPLES]
    labels = files.save_labels(tmp_path, names)
    if names[0].endswith("x"):
        with pytest.raises(TableError, match="The names there look like"):
            read_table(path, target=labels, match_names="loose")
        return
    with pytest.raises(
        TableError, match=r"12 of these names.*such as 'S-00'.*--match-names loose"
    ):
        read_table(path, target=labels)
    assert_is_the_table(read_table(path, target=labels, match_names="loose"))


def test_features_are_excluded_by_name_and_by_pattern(tmp_path):
    path = files.save(tmp_path / "table.csv", files.as_rows())
    table = read_table(path, target="state", exclude=["g0", "g1?"])
    assert table.n_features == 29
    assert ("g0", "excluded") in table.dropped
    with pytest.raises(TableError, match="exclude='gene' was not found"):
        read_table(path, target="state", exclude="gene")


def test_a_column_of_text_can_be_excluded(tmp_path):
    rows = [[*row, "note"] for row in files.as_rows()]
    table = read_table(files.save(tmp_path / "table.csv", rows), target="state", exclude="note")
    assert_is_the_table(table)


def test_counts_of_rna_are_read_without_what_describes_the_genes(tmp_path):
    path, labels = files.write_counts(tmp_path), files.save_labels(tmp_path)
    table = read_table(path, target=labels)
    assert_is_the_table(table)
    assert ("Length", "describes the features") in table.dropped
    assert ("__no_feature", "counts reads that belong to no feature") in table.dropped


def test_the_minus_sign_of_word_processors_is_a_minus(tmp_path):
    table = read_table(files.write_minus_signs(tmp_path), target="state")
    assert table.n_missing == 0
    assert (table.X < 0).any()


def test_gene_names_that_excel_has_turned_into_dates_are_noted(tmp_path):
    table = read_table(files.write_dates_for_genes(tmp_path), target="state")
    noted(table, "3 features have a date for a name, such as '2-Sep'")


def test_a_title_in_a_workbook_is_skipped(tmp_path):
    pytest.importorskip("python_calamine")
    path = files.write_titled_workbook(tmp_path)
    assert_is_the_table(read_table(path, target="state"))
    assert_is_the_table(read_table(path, target="state", skip_rows=1))


def test_the_sheet_with_the_table_is_found_or_chosen(tmp_path):
    pytest.importorskip("python_calamine")
    path = files.write_second_sheet(tmp_path)
    table = read_table(path, target="state")
    assert_is_the_table(table)
    noted(table, "3 sheets. 'Expression' was read", "--sheet")
    assert read_table(path, target="state", sheet="More").n_samples == 3
    assert read_table(path, target="state", sheet="2").n_samples == 3
    with pytest.raises(TableError, match=r"sheet='Expresion' is not.*'README', 'Expression'"):
        read_table(path, sheet="Expresion")


def test_whole_numbers_with_many_values_are_a_quantity(tmp_path):
    table = read_table(files.write_whole_numbers(tmp_path), target="progression")
    assert table.task == "regression"
    path = files.save(
        tmp_path / "ages.csv", [["a", "age"], *([str(i), str(20 + i % 60)] for i in range(600))]
    )
    table = read_table(path, target="age")
    assert table.task == "classification"
    noted(table, "60 different whole numbers", "--task regression")


def test_an_outcome_with_a_few_tokens_stays_a_quantity(tmp_path):
    rows = [["a", "bmi"], *([str(i), "n.d." if i == 3 else f"{20 + i / 7:.3f}"] for i in range(9))]
    path = files.save(tmp_path / "bmi.csv", rows)
    with pytest.raises(TableError, match="the target is missing or infinite for 1 of 9 samples"):
        read_table(path, target="bmi")
    assert read_table(path, target="bmi", unlabelled="drop").task == "regression"


def test_the_outline_counts_the_whole_file(tmp_path):
    found = outline_file(files.write_tokens(tmp_path))
    assert (found.n_text_columns, found.n_missing) == (2, 18)
    assert "18 cells of 18 features" in found.notes[-1]


def test_the_outline_names_no_sample_as_an_outcome(tmp_path):
    path = files.save(tmp_path / "genes.csv", files.as_gene_rows())
    assert outline_file(path).candidates == ()
    found = outline_file(files.write_series_matrix(tmp_path)).candidates
    assert [each.target for each in found] == ["title", "disease"]
