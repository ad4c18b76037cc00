"""`perturbfs datasets`, and data sets by their names."""

import json
from pathlib import Path

import numpy as np
import pytest

from perturbfs import load_selection

SHARED = Path(__file__).resolve().parents[3] / "shared" / "datasets"
NAMES = [
    "lsvt",
    "madelon",
    "colon",
    "lung",
    "lymphoma",
    "glioma",
    "leukemia",
    "allaml",
    "leukemia_golub",
    "lung_ad_normal_1000",
    "prostate_singh",
    "riboflavin",
    "gasoline",
    "tox_171",
    "warppie10p",
    "yale",
    "lung_discrete",
    "pcmac",
    "pixraw10p",
    "wheat",
    "liver_toxicity",
]


@pytest.fixture(scope="module")
def shared():
    if not SHARED.is_dir():
        pytest.skip("the developers' data sets are not here")
    return {"PERTURBFS_DATA": SHARED}


def test_all_sets_are_listed_as_not_on_disk(run, tmp_path):
    done = run("datasets", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    words = [line.split() for line in done.stdout.splitlines()]
    rows = [line for line in words if line and line[0] in NAMES]
    assert [row[0] for row in rows] == NAMES
    assert all("no" in row and "yes" not in row for row in rows)
    assert "perturbfs select colon --out result" in done.stdout
    assert "lung_ad_normal_1000: The 1000 genes of the FS-SVM comparison cannot" in done.stdout


def test_json_says_what_is_on_disk(run, tmp_path):
    (tmp_path / "colon.mat").write_bytes(b"not verified here")
    done = run("datasets", "--json", cwd=tmp_path, env={"PERTURBFS_DATA": tmp_path})
    assert (done.returncode, done.stderr) == (0, "")
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert list(rows) == NAMES
    assert [name for name, row in rows.items() if row["on_disk"]] == ["colon"]
    assert rows["colon"]["shape"] == [62, 2000]


def test_a_data_set_is_selected_from_by_its_name(run, shared, tmp_path):
    args = ("colon", "--n-features", "5", "--splits", "2", "--out", "result")
    done = run("select", *args, cwd=tmp_path, env=shared)
    assert (done.returncode, done.stderr) == (0, "")
    found = load_selection(tmp_path / "result" / "selection.json")
    assert (found.data["n_samples"], found.data["n_features"]) == (62, 2000)
    assert found.data["classes"] == {"-1": 40, "1": 22}
    assert len(found.features) == 5


def test_the_example_of_fetch_works_where_the_set_is_on_disk(run, shared, tmp_path):
    done = run("datasets", "fetch", "colon", cwd=tmp_path, env=shared)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"colon is at {SHARED / 'colon.mat'}." in done.stdout.replace("\n", "")
    assert "Terms:" in done.stdout


def test_a_file_of_ones_own_is_used_with_a_warning(run, tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([-1, 1], [40, 22])
    np.savetxt(
        tmp_path / "colon.csv",
        np.column_stack([rng.choice([-2, 0, 2], (62, 2000)), y]),
        fmt="%d",
        delimiter=",",
    )
    args = ("colon", "--n-features", "5", "--splits", "2", "--out", "result")
    done = run("select", *args, cwd=tmp_path, env={"PERTURBFS_DATA": tmp_path})
    assert done.returncode == 0
    said = " ".join(done.stderr.split())
    assert "differs from that of the catalogue. Its values differ too, so results" in said


def test_a_file_of_another_table_is_not_used(run, tmp_path):
    (tmp_path / "colon.mat").write_bytes(b"something else")
    args = ("colon", "--n-features", "5", "--out", "result")
    done = run("select", *args, cwd=tmp_path, env={"PERTURBFS_DATA": tmp_path})
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not the data set 'colon', or is damaged" in done.stderr
    assert not (tmp_path / "result").exists()


@pytest.mark.parametrize("command", [("select", "colom"), ("datasets", "fetch", "colom")])
def test_an_unknown_name_is_refused_with_the_nearest(command, run, tmp_path):
    done = run(*command, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "'colom'" in done.stderr
    assert "colon" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_directory_of_data_is_refused_in_a_sentence(run, tmp_path):
    done = run("datasets", cwd=tmp_path, env={"PERTURBFS_DATA": tmp_path / "nowhere"})
    assert done.returncode == 1
    assert "PERTURBFS_DATA" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_target_makes_no_sense_for_a_set_with_its_own(run, shared, tmp_path):
    args = ("colon", "--target", "nonsense", "--n-features", "5", "--splits", "2", "--out", "r")
    done = run("select", *args, cwd=tmp_path, env=shared)
    assert "target" in done.stderr
