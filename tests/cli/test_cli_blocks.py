"""Tables that stay on disk, and clusters, on the command line."""

import json
from contextlib import nullcontext

import numpy as np
import pytest

import perturbfs.cli._cluster as cluster_options
import perturbfs.cli._disk as disk
from perturbfs.cli import app
from perturbfs.datasets import make_wide_classification
from perturbfs.exceptions import ClusterError

zarr = pytest.importorskip("zarr")


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A Zarr store and its labels, in the directory the commands run in."""
    data = make_wide_classification(60, 400, random_state=0)
    store = zarr.open_array(
        tmp_path / "data.zarr", mode="w", shape=data.X.shape, chunks=(60, 50), dtype="float64"
    )
    store[:] = data.X
    (tmp_path / "labels.csv").write_text("outcome\n" + "\n".join(map(str, data.y)) + "\n")
    np.savetxt(tmp_path / "table.csv", data.X, delimiter=",")
    monkeypatch.chdir(tmp_path)
    return data


def run(*options):
    with pytest.raises(SystemExit) as ended:
        app(["select", "data.zarr", "--target", "labels.csv", "--splits", "2", *options])
    return ended.value.code


def test_a_table_on_disk_is_selected_from(table, tmp_path, capsys):
    assert run("--n-features", "4", "--out", "result") == 0
    said = capsys.readouterr().out
    assert "with at most 2.0 GB of memory" in said
    selection = json.loads((tmp_path / "result/selection.json").read_text())
    assert len(selection["features"]) == 4
    assert selection["estimate"]["all_features"] is None
    assert not list(tmp_path.glob("*perturbfs-*"))
    app(["report", "result", "--quiet"], standalone_mode=False)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--scheduler", "tcp://host:1", "--workers", "2"], "Give one of them"),
        (["--method", "mrmr"], "Use one of robust, paper"),
        (["--index", "0"], "--index is for tables that are read as a whole"),
        (["--exclude", "g*"], "--exclude is for tables that are read as a whole"),
    ],
)
def test_wrong_use_is_said_before_anything_is_read(table, capsys, options, said):
    assert run(*options) == 2
    assert said in capsys.readouterr().err


def test_groups_and_small_classes_of_a_table_on_disk(table, tmp_path, capsys):
    labels = ["lone", *map(str, table.y[1:])]
    (tmp_path / "labels.csv").write_text("outcome\n" + "\n".join(labels) + "\n")
    patients = [f"P{sample // 2}" for sample in range(60)]
    (tmp_path / "patients.csv").write_text("patient\n" + "\n".join(patients) + "\n")
    options = ("--groups", "patients.csv", "--n-features", "4", "--out", "result")
    assert run(*options) == 1
    assert "Class 'lone' has 1 sample" in capsys.readouterr().err
    assert run(*options, "--min-class-size", "2") == 0
    selection = json.loads((tmp_path / "result/selection.json").read_text())
    assert selection["data"]["n_samples"] == 59
    assert selection["data"]["groups"] == {"name": "patient", "n_groups": 30}
    assert len((tmp_path / "result/selected.csv").read_text().splitlines()) == 60


def test_filling_missing_values_is_refused(table, capsys):
    assert run("--impute", "median") == 1
    assert "can only be filled in a table in memory" in " ".join(capsys.readouterr().err.split())


def test_a_lost_cluster_is_one_sentence_and_leaves_nothing(table, tmp_path, monkeypatch, capsys):
    def lose(store):
        raise ClusterError("The connection to the dask cluster was lost.")

    monkeypatch.setattr(cluster_options, "open_cluster", lambda *_, **__: nullcontext(object()))
    monkeypatch.setattr(cluster_options, "_silence_logs", lambda: None)
    monkeypatch.setattr(disk.DaskBlocks, "of_store", lose)
    assert run("--workers", "2", "--out", "result") == 1
    assert capsys.readouterr().err == "Error: The connection to the dask cluster was lost.\n"
    assert not (tmp_path / "result").exists()
