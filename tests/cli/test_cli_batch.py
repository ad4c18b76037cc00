"""`--batch`: its column is no feature, it is scored alone, and what cannot work is refused."""

import json

import numpy as np
import pytest

from perturbfs.cli._options import Layout, Reading
from perturbfs.cli._tables import read_with_columns

QUICK = ("--method", "anova", "--n-features", "2", "--splits", "2", "--no-details")


@pytest.fixture
def batched(small, small_csv, tmp_path):
    """Write the small table with a column of sites, by default unrelated to the state."""

    def write(sites=None, patients=None):
        lines = small_csv.read_text(encoding="utf-8").splitlines()
        columns = {"site": sites, "patient_nr": patients}
        if sites is None:
            columns["site"] = [("Basel", "Bern")[place // 2 % 2] for place in range(40)]
        for name, values in columns.items():
            if values is not None:
                new = [name, *values]
                lines = [f"{line},{value}" for line, value in zip(lines, new, strict=True)]
        path = tmp_path / "batched.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


def said(done):
    return " ".join(done.stdout.split())


def test_the_column_of_the_batch_is_no_feature_and_can_stand_beside_groups(batched):
    path = batched(patients=[f"P{place // 2}" for place in range(40)])
    reading = Reading(target="state", layout=Layout())
    table, found = read_with_columns(str(path), reading, {"groups": "patient_nr", "batch": "site"})
    assert table.n_features == 60
    assert np.unique(found["batch"].values).tolist() == ["Basel", "Bern"]
    assert len(np.unique(found["groups"].values)) == 20
    assert ("site", "is the batch of each sample") in table.dropped


def test_select_shows_what_the_batch_alone_predicts(batched, run, tmp_path):
    args = ("--target", "state", "--batch", "site", *QUICK, "--out", "r")
    done = run("select", batched(), *args, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "batches site: 2 batches; features are centered within them" in said(done)
    assert "The batch alone predicts the outcome no better than guessing" in said(done)
    assert "the batch alone 0." in said(done)
    selection = json.loads((tmp_path / "r" / "selection.json").read_text(encoding="utf-8"))
    assert selection["data"]["batch"] == {"name": "site", "n_batches": 2}
    assert "the batch alone" in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    summary = json.loads((tmp_path / "r" / "summary.json").read_text(encoding="utf-8"))
    assert "--batch site" in summary["command"]


def test_evaluate_shows_the_batch_alone_beside_guessing(batched, run, tmp_path):
    args = ("--target", "state", "--batch", "site", "--methods", "anova", "--splits", "2")
    done = run("evaluate", batched(), *args, "--n-features", "3", "--out", "e", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "e" / "evaluation.json").read_text(encoding="utf-8"))
    assert found["summary"][-1]["method"] == "the batch alone"
    assert found["batch"]["sentence"] in said(done)
    page = (tmp_path / "e" / "report.html").read_text(encoding="utf-8")
    assert "The batch alone predicts" in page


def test_check_warns_of_a_batch_that_predicts_the_outcome(batched, small, run, tmp_path):
    sites = np.where(small.y == "tumor", "Basel", "Bern")
    sites[::10] = "Bern"
    done = run(
        "check", batched(sites.tolist()), "--target", "state", "--batch", "site", cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "warning The batch alone predicts the outcome better than guessing" in said(done)


def test_a_batch_that_is_the_outcome_is_refused_but_checked(batched, small, run, tmp_path):
    path = batched([f"site of {state}" for state in small.y])
    args = ("--target", "state", "--batch", "site")
    done = run("select", path, *args, *QUICK, cwd=tmp_path)
    assert done.returncode == 1
    assert "Error: Every batch has samples of one class only." in done.stderr
    done = run("check", path, *args, cwd=tmp_path)
    assert done.returncode == 0
    assert "warning Every batch has samples of one class only." in said(done)


def test_a_table_in_blocks_has_no_batch(small, run, tmp_path):
    np.save(tmp_path / "x.npy", small.X)
    args = ("--target", "y.csv", "--batch", "b.csv", "--memory", "1GB")
    done = run("select", "x.npy", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert "--batch b.csv is for tables that are read as a whole" in done.stderr


def test_data_sets_have_no_batch(run, tmp_path):
    done = run("evaluate", "colon", "--batch", "site", cwd=tmp_path)
    assert done.returncode == 2
    assert "--batch is for files" in done.stderr
