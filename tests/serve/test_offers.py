"""The outcomes that the form offers, and the one that it proposes."""

import pytest

from perturbfs.serve._offers import likely_outcome, offered_outcomes


def column(label, n_distinct, *examples, place="column"):
    return {
        "target": label,
        "label": label,
        "place": place,
        "n_distinct": n_distinct,
        "examples": list(examples),
    }


def outline(*candidates, names=(), n_rows=40, n_columns=60, row_names=(), names_column="sample"):
    return {
        "n_rows": n_rows,
        "n_columns": n_columns,
        "names": list(names),
        "row_names": list(row_names),
        "names_column": names_column,
        "candidates": list(candidates),
    }


STATE = column("state", 2, "tumor", "normal")
LAST = column("gene 59", 40, "0.1", "0.2")


@pytest.mark.parametrize(
    "name", ["class", "Diagnosis", "OUTCOME", "label", "group", "status", "type", "y", "Target"]
)
def test_a_column_with_a_usual_name_is_proposed(name):
    offers = offered_outcomes([outline(LAST, column(name, 2, "0", "1"))], None)
    assert likely_outcome(offers) == "candidate:1"


@pytest.mark.parametrize(
    ("candidates", "proposed"),
    [
        ([LAST, column("tumor stage", 3, "I", "II")], "candidate:1"),  # the only text
        ([LAST, column("disease_status", 2, "0", "1")], "candidate:1"),  # the name as a word
        ([column("sex", 2, "f", "m"), column("site", 3, "a", "b")], ""),  # two of text
        ([LAST], ""),
        ([LAST, column("remark", 40, "fine", "very fine")], ""),  # every entry differs
        ([LAST, column("label", 40, "S1", "S2")], ""),  # names of the samples
        ([column("sex", 2, "f", "m"), column("class", 2, "a", "b")], "candidate:1"),
        ([column("y", 40, "0.3", "0.7"), column("sex", 2, "f", "m")], "candidate:0"),
        ([column("", 2, "a", "b", place="file"), LAST], "candidate:0"),
        ([column("cell_type", None, place="variable")], ""),
    ],
)
def test_the_likely_outcome_is_proposed_or_none(candidates, proposed):
    assert likely_outcome(offered_outcomes([outline(*candidates)], None)) == proposed


def test_the_only_column_of_a_second_file_is_proposed():
    table = outline(STATE, LAST)
    labels = outline(column("stage", 2, "0", "1"), n_columns=2)
    offers = offered_outcomes([table, labels], "labels.csv")
    assert [offer.value for offer in offers] == ["labels", "candidate:0", "candidate:1"]
    assert likely_outcome(offers) == "labels"


def test_one_of_four_columns_of_a_second_file_is_proposed_by_its_name():
    columns = [column("age", 30, "40", "50"), column("sex", 2, "f", "m")]
    columns += [column("diagnosis", 2, "ill", "well")]
    offers = offered_outcomes([outline(LAST), outline(*columns, n_columns=4)], "labels.csv")
    assert [offer.value for offer in offers][:3] == ["labels:0", "labels:1", "labels:2"]
    assert likely_outcome(offers) == "labels:2"
    assert offers[2].label == "Second file labels.csv, column diagnosis"


def test_samples_in_columns_are_not_offered():
    table = outline(
        column("S1", 40, "0.1", "0.2"), column("S2", 40, "0.1", "0.2"), names=["gene", "S1", "S2"]
    )
    labels = outline(column("stage", 2, "0", "1"), n_columns=2, row_names=["S1", "S2"])
    offers = offered_outcomes([table, labels], "labels.csv")
    assert [offer.value for offer in offers] == ["labels"]
