"""`perturbfs evaluate --groups`: samples of a patient stay together; the column is no feature."""

import json
from dataclasses import replace

import numpy as np
import pytest

from perturbfs.cli._options import Layout, Reading
from perturbfs.cli._tables import read_with_columns
from perturbfs.datasets import TableError

PATIENTS = np.repeat(np.arange(20), 2)
READING = Reading(target="state", layout=Layout())


def read(path, column, **changes):
    table, found = read_with_columns(path, replace(READING, **changes), {"groups": column})
    return table, found["groups"]


def add_column(lines, name, values):
    return [f"{line},{value}" for line, value in zip(lines, [name, *values], strict=True)]


@pytest.fixture
def grouped(small_csv, tmp_path):
    """Write the small table with a column of patients."""

    def write(values, name="subject", **others):
        lines = add_column(small_csv.read_text(encoding="utf-8").splitlines(), name, values)
        for other, entries in others.items():
            lines = add_column(lines, other, entries)
        path = tmp_path / "grouped.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        return str(path)

    return write


@pytest.mark.parametrize("kind", ["number", "text"])
def test_the_groups_are_read_and_are_no_feature(grouped, kind):
    values = [f"P{p}" for p in PATIENTS] if kind == "text" else PATIENTS.tolist()
    table, groups = read(grouped(values), "subject")
    assert groups.values.tolist() == values
    assert "subject" not in table.feature_names
    assert (table.X.shape, table.target_name) == ((40, 60), "state")
    assert ("subject", "keeps samples together") in table.dropped


def test_a_column_can_be_named_by_its_position(grouped):
    table, groups = read(grouped(PATIENTS.tolist()), "-1")
    assert groups.values.tolist() == PATIENTS.tolist()
    assert "subject" not in table.feature_names


def test_other_text_is_refused_as_without_groups_unless_it_may_be_dropped(grouped):
    path = grouped([f"P{p}" for p in PATIENTS], site=["x", "y"] * 20)
    with pytest.raises(TableError, match="hold text"):
        read(path, "subject")
    table, _ = read(path, "subject", drop_text=True)
    assert table.n_features == 60


def test_a_column_that_custom_takes_for_sample_names_can_hold_the_groups(grouped):
    # A column called patient is taken for the names of the samples where nothing says otherwise.
    path = grouped(PATIENTS.tolist(), name="patient")
    table, groups = read(path, "patient")
    assert groups.values.tolist() == PATIENTS.tolist()
    assert "patient" not in table.feature_names


def test_groups_can_come_from_a_second_file(small, small_csv, tmp_path):
    rows = zip(small.samples, PATIENTS.tolist(), strict=True)
    text = "sample,subject\n" + "\n".join(f"{name},{patient}" for name, patient in rows)
    (tmp_path / "patients.csv").write_text(text, encoding="utf-8")
    groups = read(str(small_csv), f"{tmp_path}/patients.csv:subject")[1]
    assert groups.values.tolist() == PATIENTS.tolist()


def test_missing_groups_are_refused(grouped):
    path = grouped(["", *PATIENTS[1:].tolist()])
    with pytest.raises(
        TableError, match=r"--groups subject: .*missing or infinite for 1 of 40 samples"
    ):
        read(path, "subject")


def test_a_column_of_groups_without_a_header_is_refused(tmp_path):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal((40, 3)).round(3), PATIENTS, PATIENTS % 2])
    path = str(tmp_path / "bare.csv")
    np.savetxt(path, X, delimiter=",", fmt="%g")
    with pytest.raises(TableError, match="without a header"):
        read(path, "3", target="-1")


def test_groups_are_kept_together_and_shown(grouped, run, tmp_path):
    path = grouped([f"P{p}" for p in PATIENTS])
    args = ("--target", "state", "--groups", "subject", "--methods", "anova", "--splits", "2")
    done = run("evaluate", path, *args, "--n-features", "3", "--out", "e", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "No value of subject (20 values) is on both sides of a split." in " ".join(
        done.stdout.split()
    )
    found = json.loads((tmp_path / "e" / "evaluation.json").read_text(encoding="utf-8"))
    assert (found["groups"], found["n_groups"], found["data"]["n_features"]) == ("subject", 20, 60)


def test_data_sets_have_no_groups(run, tmp_path):
    done = run("evaluate", "colon", "--groups", "subject", cwd=tmp_path)
    assert done.returncode == 2
    assert "--groups is for files" in done.stderr
