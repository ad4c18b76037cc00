"""Layout of text: names, sample names, missing values, text among numbers."""

import csv
import tracemalloc

import numpy as np
import pytest

from perturbfs.datasets import TableError, read_table
from perturbfs.datasets.reading._cells import CellFormat
from perturbfs.datasets.reading._layout import find_delimiter

AWKWARD = ["a,b", 'say "x"', "naïve β-actin", " lead", "=1+1", "@cmd", "two\nlines", "1", "x;y"]


def test_awkward_feature_names_survive(tmp_path):
    path = tmp_path / "table.csv"
    with path.open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow(["sample", *AWKWARD])
        writer.writerows([[f"s{i}", *range(len(AWKWARD))] for i in range(3)])
    table = read_table(path)
    assert list(table.feature_names) == AWKWARD
    np.testing.assert_array_equal(table.X[1], range(len(AWKWARD)))


def test_a_byte_order_mark_is_not_part_of_the_first_name(write):
    table = read_table(write(b"\xef\xbb\xbfa,b\n1,2\n"))
    assert list(table.feature_names) == ["a", "b"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end", "\n\n"])
def test_line_ends_and_blank_lines_change_nothing(write, end, last):
    content = "a,b\n\n1,2\n3,4" + (last if last != "end" else "\n")
    table = read_table(write(content.replace("\n", end)))
    np.testing.assert_array_equal(table.X, [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("1,2\n3,4\n", None),
        ("a,b\n3,4\n", ["a", "b"]),
        (",0,1\ns1,1.5,2\ns2,3,4\n", ["0", "1"]),
        ("id,1100,1102\n7,0.5,0.6\n8,0.1,0.2\n", ["1100", "1102"]),
        ("NA,2\n3,4\n", None),
        (",2.5\n3,4\n", None),
    ],
)
def test_names_in_the_first_line_are_found(write, content, names):
    table = read_table(write(content), missing="allow")
    assert (None if table.feature_names is None else list(table.feature_names)) == names


def test_a_header_can_be_forced_and_denied(write):
    path = write("2019,2020\n1,2\n3,4\n")
    assert read_table(path).n_samples == 3
    table = read_table(path, header=True)
    assert list(table.feature_names) == ["2019", "2020"]
    with pytest.raises(TableError, match="1 cell of 1 feature holds text such as 'b'"):
        read_table(write("a,b\n1,2\n3,4\n"), header=False)


@pytest.mark.parametrize(
    ("lines", "suffix", "delimiter"),
    [
        (["a,b", "1,2"], ".csv", ","),
        (["a;b", "1,5;2,5"], ".csv", ";"),
        (["1,3-diene\tx", "1\t2", "3\t4"], ".tsv", "\t"),
        (['"a,b";c;d', "1;2;3"], ".csv", ";"),
        (["only", "1"], ".csv", ","),
        (["a b", "1 2"], ".csv", ","),
    ],
)
def test_the_delimiter_cuts_all_lines_alike(lines, suffix, delimiter):
    assert find_delimiter(lines, suffix) == delimiter


@pytest.mark.parametrize(
    ("content", "index", "samples"),
    [
        ("x,a\np,1\nq,2\n", None, ["p", "q"]),
        ("Sample ID,a\n10,1\n11,2\n", None, ["10", "11"]),
        ("a,patient_id\n1,7\n2,7\n", None, ["7", "7"]),
        ("x,y\n1,2\n3,4\n", None, None),
        ("x,y\n1,2\n3,4\n", "y", ["2", "4"]),
        ("x,y\n1,2\n3,4\n", -2, ["1", "3"]),
        ("id,y\n1,2\n3,4\n", False, None),
    ],
)
def test_sample_names_are_found_or_named(write, content, index, samples):
    table = read_table(write(content), index=index)
    assert (None if table.sample_names is None else list(table.sample_names)) == samples


def test_a_sample_name_with_an_underscore_is_not_taken_for_a_number(write):
    table = read_table(write("name,a\n1_1,0.5\n1_2,0.25\n"))
    assert list(table.sample_names) == ["1_1", "1_2"]


def test_a_repeated_first_column_of_text_is_text_and_not_names(write):
    path = write("kind,a\nx,1\nx,2\ny,3\n")
    with pytest.raises(
        TableError, match=r"1 of 2 features holds text: 'kind', such as 'x'.*drop_text"
    ):
        read_table(path)
    assert read_table(path, target="kind").sample_names is None


def test_text_is_dropped_when_asked(write):
    path = write("a,sex,b,site\n1,f,2,A\n3,m,4,3\n5,f,6,B\n")
    with pytest.raises(TableError, match="2 of 4 features hold text: 'sex', 'site'"):
        read_table(path)
    table = read_table(path, drop_text=True)
    np.testing.assert_array_equal(table.X, [[1, 2], [3, 4], [5, 6]])
    assert table.dropped == (("sex", "text"), ("site", "text"))


def test_missing_values_are_counted_and_named(write):
    path = write("a,b,c\n1,NA,3\n,?,4\nnull,2,n/a\n")
    with pytest.raises(
        TableError, match=r"5 values are missing, in 3 of 3 features: 'a', 'b'"
    ) as e:
        read_table(path)
    assert "--impute median or --impute knn" in str(e.value)
    assert "missing='allow' and an imputer inside a Pipeline" in str(e.value)
    table = read_table(path, missing="allow")
    assert (table.n_missing, table.missing_features) == (5, ("a", "b", "c"))
    assert np.isnan(table.X).sum() == 5


def test_only_ten_of_many_features_with_missing_values_are_named(write):
    names = ",".join(f"f{i}" for i in range(14))
    with pytest.raises(TableError, match="'f9' and 4 more"):
        read_table(write(f"{names}\n{'NA,' * 13}NA\n{'1,' * 13}1\n"))


def test_infinite_values_are_refused(write):
    with pytest.raises(TableError, match="infinite values: 'b'"):
        read_table(write("a,b\n1,2\n3,inf\n"))


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (" 1.5 ", 1.5),
        ("-3e2", -300.0),
        ("TRUE", 1.0),
        ("false", 0.0),
        ("1_000", None),
        ("x", None),
    ],
)
def test_an_entry_has_the_value_it_shows(entry, value):
    assert CellFormat().parse(entry) == value


@pytest.mark.parametrize("entry", ["", " ", "NA", "n/a", "NaN", "null", "None", "?", ".", "<NA>"])
def test_an_entry_says_that_it_is_missing(entry):
    assert np.isnan(CellFormat().parse(entry))


def test_a_row_is_converted_as_each_of_its_entries_would_be():
    rng = np.random.default_rng(0)
    entries = np.array(["1.25", "-7", "NA", "", "x", "1_0", "true", "1e-300", "nan"])
    suspects = set()
    for _ in range(200):
        fields = rng.choice(entries, size=12).tolist()
        values, text, _ = CellFormat().parse_row(fields, suspects)
        expected = [CellFormat().parse(entry) for entry in fields]
        np.testing.assert_array_equal(values, [np.nan if v is None else v for v in expected])
        assert sorted(text) == [place for place, v in enumerate(expected) if v is None]


def test_numbers_are_read_to_the_last_digit(write):
    values = np.random.default_rng(0).normal(size=(20, 50))
    lines = [",".join(map(repr, row)) for row in values.tolist()]
    np.testing.assert_array_equal(read_table(write("\n".join(lines))).X, values)


def test_a_wide_table_takes_less_than_four_times_its_size_in_memory(tmp_path):
    path = tmp_path / "wide.csv"
    line = ",".join(["1.23456"] * 5000)
    path.write_text("\n".join(f"s{i},{line}" for i in range(80)))
    tracemalloc.start()
    try:
        table = read_table(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.X.shape == (80, 5000)
    assert peak < 4 * path.stat().st_size
