"""`--time` and `--event`: a survival outcome on the command line."""

import csv
import json

import numpy as np
import pytest
from made_survival import make_survival

from perturbfs import load_selection
from perturbfs.cli._survival import find_events
from perturbfs.datasets import TableError
from perturbfs.results import load_summary

QUICK = ("--n-features", "3", "--splits", "3", "--jobs", "1", "--out", "result")


def write(path, **columns):
    """Write 60 samples with four features of which two change the hazard."""
    X, y = make_survival(60, 4, 2)
    columns = {
        "patient": [f"p{row}" for row in range(60)],
        "days": np.round(100 * y["time"], 2),
        "died": y["event"].astype(int),
        **{f"g{feature}": X[:, feature].round(4) for feature in range(4)},
        **columns,
    }
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def rows_of(path):
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


@pytest.fixture
def table(tmp_path):
    return write(tmp_path / "table.csv")


def test_select_writes_a_selection_with_curves(run, table, tmp_path):
    done = run("select", table, "--time", "days", "--event", "died", *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "outcome   days, died (survival)" in done.stdout
    assert "In 'died', '1' was taken as the event and '0' as censored." in done.stdout
    assert "concordance" in done.stdout
    selection = load_selection(tmp_path / "result" / "selection.json")
    assert {each.name for each in selection.features} <= {"g0", "g1", "g2", "g3"}
    summary = load_summary(tmp_path / "result" / "summary.json")
    assert "--time days --event died" in summary["command"]
    assert summary["details"]["survival"]["time_label"] == "days"
    assert summary["features"][0]["direction"].startswith("rises with the risk")
    rows = rows_of(tmp_path / "result" / "selected.csv")
    assert rows[0][-2:] == ["time", "event"]
    assert rows[1][-1] in "01"
    page = (tmp_path / "result" / "report.html").read_text(encoding="utf-8")
    assert "Kaplan-Meier" in page


def test_the_event_may_be_text_in_a_second_file(run, table, tmp_path):
    lines = [line.split(",") for line in table.read_text(encoding="utf-8").split()]
    status = [f"{row[0]},{('alive', 'dead')[int(row[2])]}" for row in lines[1:]]
    (tmp_path / "status.csv").write_text("\n".join(["patient,status", *status[::-1]]))
    options = ("--event", "status.csv", "--exclude", "died", "--no-details")
    done = run("select", table, "--time", "days", *options, *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'dead' was taken as the event and 'alive' as censored" in done.stdout
    rows = rows_of(tmp_path / "result" / "selected.csv")
    assert [row[-1] for row in rows[1:]] == [row[2] for row in lines[1:]]


def test_samples_without_time_or_event_can_be_left_out(run, tmp_path):
    _, y = make_survival(60, 4, 2)
    days, died = (100 * y["time"]).round(2).astype(str), y["event"].astype(int).astype(str)
    days[3], died[5] = "", ""
    path = write(tmp_path / "gaps.csv", days=days, died=died)
    options = ("--time", "days", "--event", "died", "--no-details", *QUICK)
    done = run("select", path, *options, cwd=tmp_path)
    assert done.returncode == 1
    assert "is missing or infinite for 1 of 60 samples: 'p" in done.stderr
    done = run("select", path, *options, "--unlabelled", "drop", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "result" / "selected.csv")[1:]
    assert len(rows) == 58
    for row in rows:
        place = int(row[0][1:])
        assert row[-2:] == [str(float(days[place])), died[place]]


def test_samples_without_names_are_not_left_out(run, table, tmp_path):
    lines = [line.partition(",")[2] for line in table.read_text(encoding="utf-8").split()]
    (tmp_path / "bare.csv").write_text("\n".join(lines), encoding="utf-8")
    options = ("--time", "days", "--event", "died", "--no-details", *QUICK)
    done = run("select", "bare.csv", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("select", "bare.csv", *options, "--force", "--unlabelled", "drop", cwd=tmp_path)
    assert "which of them have both a time and an event" in done.stderr


def test_groups_go_with_a_survival(run, tmp_path):
    path = write(tmp_path / "groups.csv", family=[f"f{row // 2}" for row in range(60)])
    options = ("--time", "days", "--event", "died", "--groups", "family", "--no-details")
    done = run("select", path, *options, *QUICK, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "family: 30 groups" in done.stdout


def test_evaluate_compares_robust_with_random_and_all_features(run, table, tmp_path):
    done = run(
        *("evaluate", table, "--time", "days", "--event", "died", "--n-features", "2"),
        *("--splits", "3", "--out", "result"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "result" / "evaluation.json").read_text(encoding="utf-8"))
    assert (document["metric"], document["methods"]) == ("concordance", ["robust"])
    assert document["predictors"] == ["cox"]


def test_check_names_copies_of_the_time_and_of_the_event(run, table, tmp_path):
    _, y = make_survival(60, 4, 2)
    path = write(tmp_path / "leak.csv", months=100 * y["time"].round(4) / 30, dead=1 * y["event"])
    done = run("check", path, "--time", "days", "--event", "died", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'months'" in done.stdout
    assert "'dead' is a copy of the outcome" in done.stdout


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--time", "days"], 2, "--time days was given without --event"),
        (["--event", "died"], 2, "--event died was given without --time"),
        (["--event-value", "1"], 2, "--event-value 1 was given without --event"),
        (
            ["--time", "days", "--event", "died", "--target", "g0"],
            2,
            "--target g0 and --time days",
        ),
        (
            ["--time", "days", "--event", "died", "--task", "regression"],
            2,
            "--task regression and",
        ),
        (["--time", "days", "--event", "died", "--method", "mrmr"], 2, "the method mrmr does not"),
        (["--time", "days", "--event", "dead"], 1, "--event dead was not found. Did you mean"),
        (["--time", "day", "--event", "died"], 1, "--time day was not found. Did you mean"),
        (["--time", "days", "--event", "g0"], 1, "which does not say in which samples"),
        (["--time", "g0", "--event", "died"], 1, "survival times are negative"),
        (
            ["--time", "days", "--event", "died", "--event-value", "2"],
            1,
            "--event-value 2 does not",
        ),
        (["--time", "days", "--event", "died", "--memory", "1GB"], 2, "tables that are read as a"),
        (["--time", "days", "--event", "died", "--min-class-size", "3"], 1, "has no classes"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_a_sentence(
    run, table, tmp_path, options, code, words
):
    done = run("select", table, *options, "--out", "result", cwd=tmp_path)
    assert done.returncode == code
    assert words in done.stderr
    assert done.stderr.startswith("Error: ")
    assert not (tmp_path / "result").exists()


def test_no_event_and_text_as_time_are_refused(run, tmp_path):
    path = write(tmp_path / "none.csv", died=["alive"] * 60, when=["late"] * 60)
    done = run("select", path, "--time", "days", "--event", "died", "--drop-text", cwd=tmp_path)
    assert "None of the 60 samples has the event" in done.stderr
    done = run("select", path, "--time", "when", "--event", "died", "--drop-text", cwd=tmp_path)
    assert "--time when needs numbers, but the column 'when' holds 'late'" in done.stderr


def test_a_data_set_by_name_has_its_own_outcome(run, tmp_path):
    done = run("select", "colon", "--time", "days", "--event", "died", cwd=tmp_path)
    assert "is a data set whose outcome is known" in done.stderr


@pytest.mark.parametrize(
    ("values", "event"),
    [
        ([1, 0, 1], "1"),
        ([1.0, 0.0, 1.0], "1"),
        (["TRUE", "FALSE", "TRUE"], "TRUE"),
        (["Dead", "Alive", "Dead"], "Dead"),
        (["1:DECEASED", "0:LIVING", "1:DECEASED"], "1:DECEASED"),
        (["1:Recurred", "0:DiseaseFree", "1:Recurred"], "1:Recurred"),
        (["yes", "no", "yes"], "yes"),
    ],
)
def test_usual_values_of_the_event_are_known(values, event):
    found, note = find_events(np.array(values), name="status")
    assert found.tolist() == [True, False, True]
    assert note.startswith(f"In 'status', '{event}' was taken as the event and ")


@pytest.mark.parametrize(
    "values", [[1, 2, 2], ["a", "b", "b"], ["dead", "alive", "lost"], [1, 1, 2]]
)
def test_unclear_values_of_the_event_are_asked_for(values):
    with pytest.raises(TableError, match="--event-value"):
        find_events(np.array(values), name="status")
    found, _ = find_events(np.array(values), name="status", value=str(values[-1]))
    assert found.tolist() == [each == values[-1] for each in values]
