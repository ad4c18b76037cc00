"""`perturbfs evaluate`: several methods on the same splits."""

import json

import pytest

ARGS = ("--target", "state", "--n-features", "2,3", "--splits", "2")


@pytest.fixture(scope="module")
def evaluated(run, small_csv, tmp_path_factory):
    cwd = tmp_path_factory.mktemp("evaluated")
    done = run("evaluate", small_csv, *ARGS, "--json", "--out", "comparison", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done, cwd / "comparison"


def test_json_alone_is_on_standard_output(evaluated):
    done, folder = evaluated
    assert done.stdout == (folder / "evaluation.json").read_text(encoding="utf-8")
    assert "Written to comparison" in done.stderr


def test_every_method_and_size_stands_beside_all_features_and_guessing(evaluated):
    summary = json.loads(evaluated[0].stdout)["summary"]
    assert [(row["method"], row["requested"]) for row in summary] == [
        ("paper", 2),
        ("paper", 3),
        ("random", 2),
        ("random", 3),
        ("all features", "all"),
        ("guessing", "all"),
    ]
    assert all(row["low"] <= row["mean"] <= row["high"] for row in summary)
    assert summary[-1]["mean"] == 0.5
    assert [row["stability"] is None for row in summary] == [False] * 4 + [True] * 2


def test_single_scores_have_the_means_of_the_summary(evaluated, read_rows):
    rows = read_rows(evaluated[1] / "scores.csv")
    assert rows[0][:6] == [
        "method",
        "requested",
        "n_features",
        "classifier",
        "split",
        "balanced_accuracy",
    ]
    mine = [float(row[5]) for row in rows[1:] if row[:2] == ["paper", "3"]]
    expected = json.loads(evaluated[0].stdout)["summary"][1]
    assert {row[4] for row in rows[1:]} == {"0", "1"}
    assert sum(mine) / len(mine) == pytest.approx(expected["mean"], rel=1e-12)


def test_the_same_seed_gives_the_same_scores(evaluated, run, small_csv, read_rows, tmp_path):
    done = run("evaluate", small_csv, *ARGS, "--out", "again", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    again, first = (read_rows(p / "scores.csv") for p in (tmp_path / "again", evaluated[1]))
    # The last column is the time taken.
    assert [row[:-1] for row in again] == [row[:-1] for row in first]
    assert "Written to again: scores.csv, evaluation.json." in done.stdout


def test_missing_values_are_filled_inside_the_splits(run, small_csv, tmp_path):
    lines = small_csv.read_text(encoding="utf-8").splitlines()
    fields = lines[4].split(",")
    lines[4] = ",".join([fields[0], "", *fields[2:]])
    (tmp_path / "holes.csv").write_text("\n".join(lines), encoding="utf-8")
    args = ("holes.csv", *ARGS, "--methods", "random", "--out", "e")
    filled = run("evaluate", *args, "--impute", "median", "--quiet", cwd=tmp_path)
    assert (filled.returncode, filled.stdout, filled.stderr) == (0, "", "")
    data = json.loads((tmp_path / "e" / "evaluation.json").read_text(encoding="utf-8"))["data"]
    assert (data["n_missing"], data["impute"]) == (1, "median")


def test_an_existing_comparison_is_not_overwritten(evaluated, run, small_csv):
    folder = evaluated[1]
    before = (folder / "scores.csv").read_bytes()
    done = run("evaluate", small_csv, *ARGS, "--out", folder, cwd=folder.parent)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert (folder / "scores.csv").read_bytes() == before


def test_the_directory_is_named_as_it_is(run, small_csv, tmp_path):
    args = (*ARGS, "--methods", "random", "--out", "run[old]")
    done = run("evaluate", small_csv, *args, cwd=tmp_path)
    assert done.returncode == 0
    assert "Written to run[old]:" in done.stdout
