"""The outcome: by name, by position, from a second file; its task; the orientation."""

from pathlib import Path

import numpy as np
import pytest

from perturbfs.datasets import TableError, read_table

SAMPLES = "id,a,b\ns1,1,2\ns2,3,4\ns3,5,6\n"
GENES = "gene,s1,s2,s3\na,1,3,5\nb,2,4,6\n"
X = [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize("target", ["b", 2, -1, np.int64(2)])
def test_a_target_is_found_by_name_and_by_position_in_the_file(write, target):
    table = read_table(write(SAMPLES), target=target)
    np.testing.assert_array_equal(table.X, [[1], [3], [5]])
    assert list(table.y) == [2, 4, 6]
    assert table.target_name == "b"


def test_a_target_in_the_middle_leaves_the_others_in_order(write):
    table = read_table(write("a,y,b\n1,u,2\n3,v,4\n"), target="y")
    np.testing.assert_array_equal(table.X, [[1, 2], [3, 4]])
    assert list(table.feature_names) == ["a", "b"]


def test_an_unknown_target_is_answered_with_the_nearest_names(write):
    path = write("Diagnosis,age,stage\na,1,2\nb,3,4\n")
    with pytest.raises(TableError, match=r"target='diagnose' was not found\. Did you mean 'Diagn"):
        read_table(path, target="diagnose")
    with pytest.raises(TableError, match="no such file"):
        read_table(path, target="labels/y.csv")
    with pytest.raises(TableError, match="target=7 is not one of the 3 positions"):
        read_table(path, target=7)


def test_a_target_by_name_needs_names(write):
    with pytest.raises(TableError, match="the file has no names"):
        read_table(write("1,2\n3,4\n"), target="y")


def test_target_and_index_must_differ(write):
    with pytest.raises(TableError, match="both as target and as index"):
        read_table(write(SAMPLES), target="a", index="a")


@pytest.mark.parametrize("entry", ["", "NA", "?"])
def test_a_missing_target_names_its_samples(write, entry):
    path = write(f"id,a,y\ns1,1,x\ns2,2,{entry}\n")
    with pytest.raises(TableError, match="missing or infinite for 1 of 2 samples: 's2'"):
        read_table(path, target="y", missing="allow")


def test_none_is_a_class_and_not_missing(write):
    path = write("a,y\n1,none\n2,mild\n3,none\n")
    assert list(read_table(path, target="y").y) == ["none", "mild", "none"]


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (["a", "b"], "classification"),
        (["1", "x"], "classification"),
        (["True", "False"], "classification"),
        ([0.0, 1.0], "classification"),
        ([0.5, 1.0], "regression"),
        (list(map(float, range(30))), "regression"),
        (list(map(float, range(20))), "classification"),
        (list(map(float, list(range(30)) * 3)), "classification"),
        # As the disease progression of the diabetes data: many values, a third of them once.
        (list(range(60)) + list(range(40)) * 2, "regression"),
    ],
)
def test_the_task_follows_from_the_values(tmp_path, y, task):
    path = tmp_path / "table.npz"
    np.savez(path, X=np.ones((len(y), 2)), y=np.array(y))
    assert read_table(path).task == task


def test_the_task_can_be_set(write):
    path = write("a,y\n1,1\n2,2\n3,3\n")
    table = read_table(path, target="y", task="regression")
    assert table.task == "regression"
    assert table.y.dtype == np.float64
    with pytest.raises(TableError, match="has text: 'x'"):
        read_table(write("a,y\n1,1\n2,x\n"), target="y", task="regression")
    with pytest.raises(TableError, match=r"fractions such as 1\.5"):
        read_table(write("a,y\n1,1\n2,1.5\n"), target="y", task="classification")
    with pytest.raises(TableError, match="task='ranking' is not known"):
        read_table(path, target="y", task="ranking")
    with pytest.raises(TableError, match="without a target"):
        read_table(path, task="regression")


@pytest.mark.parametrize("table", [SAMPLES, GENES], ids=["samples in rows", "genes in rows"])
@pytest.mark.parametrize("labels", ["id,y\ns3,n\ns1,t\ns2,t\n", "s3,n\ns1,t\ns2,t\n"])
def test_labels_of_another_file_are_joined_on_names_in_any_order(write, table, labels):
    read = read_table(write(table), target=write(labels, "labels.csv"))
    np.testing.assert_array_equal(read.X, X)
    assert list(read.feature_names) == ["a", "b"]
    assert list(read.sample_names) == ["s1", "s2", "s3"]
    assert list(read.y) == ["t", "t", "n"]


def test_one_column_of_a_larger_file_can_hold_the_labels(write):
    labels = write("sex,id,grade,age\nf,s1,2,30\nm,s2,1,40\nf,s3,2,50\n", "clinic.csv")
    table = read_table(write(SAMPLES), target=f"{labels}:grade")
    assert list(table.y) == [2, 1, 2]
    assert table.target_name == "grade"
    with pytest.raises(TableError, match=r"3 columns that could be the target: 'sex', 'grade'"):
        read_table(write(SAMPLES), target=str(labels))
    with pytest.raises(TableError, match="Did you mean 'grade'"):
        read_table(write(SAMPLES), target=f"{labels}:grades")


def test_samples_without_a_label_are_refused_by_name(write):
    labels = write("id,y\ns1,t\nt9,n\n", "labels.csv")
    with pytest.raises(TableError, match=r"2 of 3 samples have no label in .*: 's2', 's3'"):
        read_table(write(SAMPLES), target=labels)


def test_labels_without_a_sample_are_counted(write):
    labels = write("id,y\ns1,t\ns2,n\ns3,t\ns4,n\ns5,n\n", "labels.csv")
    table = read_table(write(SAMPLES), target=labels)
    assert (str(labels), "2 labels without a sample") in table.dropped


def test_two_labels_for_a_sample_are_refused(write):
    labels = write("id,y\ns1,t\ns2,n\ns1,n\n", "labels.csv")
    with pytest.raises(TableError, match="two labels for sample 's1', at rows 1 and 3"):
        read_table(write(SAMPLES), target=labels)


def test_labels_without_names_are_not_joined_to_samples_with_names(write):
    with pytest.raises(TableError, match="has no sample names"):
        read_table(write(SAMPLES), target=write("y\n1\n2\n1\n", "labels.csv"))


def test_arrays_without_names_are_joined_by_order(tmp_path):
    np.save(tmp_path / "X.npy", np.array(X))
    np.save(tmp_path / "y.npy", np.array([0, 1, 0]))
    assert list(read_table(tmp_path / "X.npy", target=tmp_path / "y.npy").y) == [0, 1, 0]
    np.save(tmp_path / "y.npy", np.array([0, 1]))
    with pytest.raises(TableError, match="2 labels for 3 samples"):
        read_table(tmp_path / "X.npy", target=tmp_path / "y.npy")


def test_a_missing_file_of_labels_is_an_error(write, tmp_path):
    with pytest.raises(TableError, match="does not exist"):
        read_table(write(SAMPLES), target=Path(tmp_path, "none.csv"))


def test_a_name_may_be_longer_than_a_path_can_be(tmp_path):
    path, name = tmp_path / "table.csv", "a" * 5000
    path.write_text(f"id,f,{name}\ns1,1,u\ns2,2,v\n")
    assert read_table(path, name).y.tolist() == ["u", "v"]
    with pytest.raises(TableError, match="was not found"):
        read_table(path, f"{name}:b")


def test_a_column_comes_before_a_file_of_the_same_name(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("id,y\ns1,t\n", "b")
    assert list(read_table(write(SAMPLES), target="b").y) == [2, 4, 6]


@pytest.mark.parametrize("label", ["t,n,t", "1,0,1", "1,2,x"])
@pytest.mark.parametrize("is_last", [False, True])
def test_features_are_in_rows_where_the_target_is_a_row(write, label, is_last):
    lines = ["gene,s1,s2,s3", "a,1,3,5", "b,2,4,6"]
    lines.insert(len(lines) if is_last else 1, f"state,{label}")
    table = read_table(write("\n".join(lines)), target="state")
    np.testing.assert_array_equal(table.X, X)
    assert list(table.feature_names) == ["a", "b"]
    assert list(table.sample_names) == ["s1", "s2", "s3"]
    assert list(map(str, table.y)) == label.split(",")


@pytest.mark.parametrize("target", [0, -3])
def test_a_target_row_is_found_by_position(write, target):
    path = write("gene,s1,s2,s3\nstate,t,n,t\na,1,3,5\nb,2,4,6\n")
    table = read_table(path, target=target, features_in_rows=True)
    np.testing.assert_array_equal(table.X, X)
    assert list(table.y) == ["t", "n", "t"]


def test_the_column_of_feature_names_can_be_named(write):
    path = write("n,chosen,s1,s2\n0,state,t,n\n1,a,1,3\n2,b,2,4\n")
    table = read_table(path, target="state", index="chosen")
    assert list(table.feature_names) == ["a", "b"]
    assert list(table.sample_names) == ["n", "s1", "s2"]


def test_the_orientation_can_be_asked_for(write):
    np.testing.assert_array_equal(read_table(write(GENES), features_in_rows=True).X, X)
    by_rows = read_table(write("1,3,5\n2,4,6\n"), features_in_rows=True)
    np.testing.assert_array_equal(by_rows.X, X)
    assert by_rows.feature_names is None
    assert read_table(write(GENES), features_in_rows=False).X.shape == (2, 3)


def test_text_beside_features_in_rows_is_a_note_on_them(write):
    path = write("gene,remark,s1,s2,s3\nstate,,t,n,t\na,X,1,3,5\nb,Y,2,4,6\nc,chr7,0,0,0\n")
    with pytest.raises(TableError, match=r"columns .features are in rows. holds text: 'remark'"):
        read_table(path, target="state")
    table = read_table(path, target="state", drop_text=True)
    assert table.X.shape == (3, 3)
    assert ("remark", "text") in table.dropped


def test_arrays_are_turned_where_the_outcome_says_so(tmp_path):
    path = tmp_path / "table.npz"
    np.savez(path, X=np.array(X).T, y=np.array([0, 1, 0]))
    np.testing.assert_array_equal(read_table(path).X, X)
