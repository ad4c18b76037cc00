"""A file at a glance: size, names, and what may be the outcome."""

import gzip

import numpy as np
import pytest

from perturbfs.datasets import TableError, read_table
from perturbfs.datasets.reading import outline_file

CSV = "sample,a,dx,b,state\nS1,1,x,2.5,tumor\nS2,2,y,,normal\nS3,3,x,1.5,tumor\nS4,3,z,1,tumor\n"


def outline(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return outline_file(path)


def test_columns_names_and_gaps_are_counted(tmp_path):
    found = outline(tmp_path / "a.csv", CSV)
    assert (found.n_rows, found.n_columns, found.n_text_columns, found.n_missing) == (4, 5, 3, 1)
    assert found.names == ("sample", "a", "dx", "b", "state")
    assert (found.names_column, found.row_names) == ("sample", ("S1", "S2", "S3"))


def test_likely_outcomes_come_first_with_their_values(tmp_path):
    found = outline(tmp_path / "a.csv.gz", gzip.compress(CSV.encode()))
    assert [each.target for each in found.candidates] == ["state", "dx", "a"]
    assert found.candidates[1].n_distinct == 3
    assert found.candidates[1].examples == ("x", "y", "z")
    assert found.candidates[2].examples == ("1", "2", "3")


@pytest.mark.parametrize("place", range(3))
def test_every_candidate_is_a_target_that_can_be_read(place, tmp_path):
    text = CSV.replace(",,", ",0,")
    candidate = outline(tmp_path / "a.csv", text).candidates[place]
    table = read_table(tmp_path / "a.csv", target=candidate.target, drop_text=True)
    assert np.unique(table.y).size == candidate.n_distinct


def test_a_row_of_text_may_be_the_outcome(tmp_path):
    found = outline(tmp_path / "a.csv", "gene,S1,S2,S3\ng1,1,2,3\ng2,4,5,6\nstate,x,y,x\n")
    first = found.candidates[0]
    assert (first.target, first.place, first.n_distinct) == ("state", "row", 2)
    assert read_table(tmp_path / "a.csv", target="state").X.shape == (3, 2)


def test_columns_without_names_go_by_position(tmp_path):
    found = outline(tmp_path / "a.csv", "1.5,2,0\n2.5,1,1\n3.5,1,1\n")
    assert [each.target for each in found.candidates] == ["2", "0"]
    assert not found.has_targets
    assert found.names == ()


def test_a_constant_column_is_no_outcome(tmp_path):
    found = outline(tmp_path / "a.csv", "a,b,state\n1,2,x\n3,4,x\n")
    assert "state" not in [each.target for each in found.candidates]


def test_arrays_say_what_their_outcome_is(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.ones((4, 3)), y=[0, 1, 0, 1], notes=np.zeros(9))
    found = outline_file(tmp_path / "a.npz")
    assert (found.n_rows, found.n_columns, found.has_targets) == (4, 3, False)
    first, second = found.candidates
    assert (first.target, first.place, first.n_distinct) == ("", "file", 2)
    assert (second.target, second.place, second.n_distinct) == ("notes", "variable", None)


def test_a_matrix_alone_offers_its_last_and_first_column(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[1.0, np.nan, 0], [2, 3, 1]]))
    found = outline_file(tmp_path / "a.npy")
    assert [each.target for each in found.candidates] == ["2", "0"]
    assert found.n_missing == 1


def test_many_text_columns_are_counted_from_one_more_reading(tmp_path):
    names = ",".join(f"t{j}" for j in range(30))
    rows = "".join(f"{','.join(f'v{i}' for _ in range(30))},{i}\n" for i in range(3))
    found = outline(tmp_path / "a.csv", f"{names},n\n{rows}")
    assert found.n_text_columns == 30
    assert len(found.candidates) == 12
    assert {each.n_distinct for each in found.candidates} == {3}


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "is empty"), ("a,b\n1\n", "line 2 has 1 fields"), ("\x00\x01", "looks like binary")],
)
def test_what_cannot_be_read_is_refused_as_ever(content, message, tmp_path):
    with pytest.raises(TableError, match=message):
        outline(tmp_path / "a.csv", content)
