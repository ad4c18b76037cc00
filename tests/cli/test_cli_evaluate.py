"""`perturbfs evaluate`: several methods on the same splits."""

import json

import pytest

ARGS = ("--target", "state", "--n-features", "2,3", "--splits", "2")
FILES = {"scores.csv", "summary.csv", "planned.csv", "comparison.csv", "evaluation.json"}
FILES.add("report.html")


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
        ("robust", 2),
        ("robust", 3),
        ("paper", 2),
        ("paper", 3),
        ("mrmr", 2),
        ("mrmr", 3),
        ("random", 2),
        ("random", 3),
        ("all features", "all"),
        ("guessing", "all"),
    ]
    assert all(row["low"] <= row["mean"] <= row["high"] for row in summary)
    assert summary[-1]["mean"] == 0.5
    assert [row["stability"] is None for row in summary] == [False] * 8 + [True] * 2


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
    mine = [float(row[5]) for row in rows[1:] if row[:2] == ["robust", "3"]]
    expected = json.loads(evaluated[0].stdout)["summary"][1]
    assert {row[4] for row in rows[1:]} == {"0", "1"}
    assert sum(mine) / len(mine) == pytest.approx(expected["mean"], rel=1e-12)


def test_the_same_seed_gives_the_same_scores(evaluated, run, small_csv, read_rows, tmp_path):
    done = run("evaluate", small_csv, *ARGS, "--out", "again", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    again, first = (read_rows(p / "scores.csv") for p in (tmp_path / "again", evaluated[1]))
    # The last column is the time taken.
    assert [row[:-1] for row in again] == [row[:-1] for row in first]
    assert "Written to again: scores.csv (every score), summary.csv (the means)" in done.stdout
    assert {path.name for path in (tmp_path / "again").iterdir()} == FILES


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


def test_pairs_are_tested_at_every_size_and_over_all(evaluated, read_rows):
    header, *rows = read_rows(evaluated[1] / "comparison.csv")
    assert header[:4] == ["requested", "first", "second", "difference"]
    pairs = {(row[0], frozenset(row[1:3])) for row in rows}
    # Four methods and all features have ten pairs at two sizes and over both.
    assert len(pairs) == len(rows) == 30
    assert {size for size, _ in pairs} == {"2", "3", "every size"}
    assert all(float(row[3]) >= 0 for row in rows)


def test_every_method_is_compared_with_guessing_random_and_all_features(evaluated, read_rows):
    header, *rows = read_rows(evaluated[1] / "planned.csv")
    assert header[:4] == ["requested", "method", "against", "difference"]
    # Four methods against three, at two sizes and over both.
    assert len({tuple(row[:3]) for row in rows}) == len(rows) == 36
    assert {row[2] for row in rows} == {"guessing", "random", "all_features"}
    shown = " ".join(evaluated[0].stderr.split())
    assert "On new samples, " in shown
    assert "Difference from guessing, as many random features and all features" in shown


def test_the_summary_as_a_table_has_the_means_of_the_json(evaluated, read_rows):
    header, *rows = read_rows(evaluated[1] / "summary.csv")
    expected = json.loads(evaluated[0].stdout)["summary"]
    means = [float(row[header.index("mean")]) for row in rows]
    assert means == pytest.approx([row["mean"] for row in expected])


def test_the_page_is_rebuilt_from_the_saved_results(evaluated, run, tmp_path):
    folder = tmp_path / "copy"
    folder.mkdir()
    text = (evaluated[1] / "evaluation.json").read_text(encoding="utf-8")
    (folder / "evaluation.json").write_text(text, encoding="utf-8")
    done = run("report", folder, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "report.html").read_bytes() == (evaluated[1] / "report.html").read_bytes()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "has no schema_version"),
        ('{"schema_version": 99}', "has schema_version 99, but this perturbfs reads 1 to 2"),
        ('{"schema_version": 1}', "methods is missing"),
    ],
)
def test_a_page_of_something_else_is_refused(run, tmp_path, content, message):
    (tmp_path / "evaluation.json").write_text(content, encoding="utf-8")
    done = run("report", ".", cwd=tmp_path)
    assert done.returncode == 1
    assert message in done.stderr
    assert "perturbfs evaluate" in done.stderr
    assert not (tmp_path / "report.html").exists()


def test_methods_that_cannot_are_shown_with_their_reason(run, small_csv, tmp_path, read_rows):
    args = ("--target", "state", "--splits", "2", "--methods", "random,anova")
    done = run("evaluate", small_csv, *args, "--n-features", "auto,3,80", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    why = "no score, because it could not select in 2 of 2 splits:"
    assert f"anova, 80 features: {why}" in shown
    assert "Over all numbers of features" in shown
    folder = tmp_path / "perturbfs-evaluation"
    found = json.loads((folder / "evaluation.json").read_text(encoding="utf-8"))
    refused = {(row["method"], row["requested"]) for row in found["refusals"]}
    assert refused == {("random", 80), ("anova", 80)}
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "--n-features 80, but the table has 60 features" in page
    assert {row[1] for row in read_rows(folder / "scores.csv")[1:]} == {"auto", "3", "all"}


def test_where_no_method_can_the_reason_is_the_error(run, small_csv, tmp_path):
    args = ("--target", "state", "--methods", "anova", "--n-features", "80")
    done = run("evaluate", small_csv, *args, cwd=tmp_path)
    assert done.returncode == 1
    assert "'anova' with 80 features: --n-features 80, but the table has 60" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_predictors_and_scores_are_chosen_by_name(run, small_csv, tmp_path):
    args = (*ARGS, "--methods", "anova", "--predictors", "svm, logistic", "--scoring", "roc_auc")
    done = run("evaluate", small_csv, *args, "--out", "e", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "e" / "evaluation.json").read_text(encoding="utf-8"))
    assert (found["metric"], found["predictors"]) == ("roc_auc", ["svm", "logistic"])
    assert list(found["summary"][0]["by_predictor"]) == ["svm", "logistic"]
    assert "ROC AUC" in done.stdout


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("--predictors", "tree,svc"), "--predictors got 'svc', but one of tree, svm", 2),
        (("--predictors", "ridge"), "'ridge' is not known for classification", 1),
        (("--scoring", "rocauc"), "--scoring rocauc is not known. Use a name", 1),
        (("--min-class-size", "1"), "--min-class-size", 2),
        (("--min-class-size", "30"), "--min-class-size 30 leaves no classes, but at least 2", 1),
        (("--groups", "patiant"), "--groups patiant was not found", 1),
    ],
)
def test_options_that_do_not_fit_are_refused(run, small_csv, tmp_path, options, message, code):
    done = run("evaluate", small_csv, *ARGS, "--methods", "random", *options, cwd=tmp_path)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_small_classes_are_left_out_and_named_everywhere(run, small_csv, tmp_path):
    text = small_csv.read_text(encoding="utf-8").replace("normal", "rare", 1)
    (tmp_path / "rare.csv").write_text(text, encoding="utf-8")
    args = ("rare.csv", *ARGS, "--methods", "anova", "--out", "e")
    refused = run("evaluate", *args, cwd=tmp_path)
    assert refused.returncode == 1
    assert "Class 'rare' has 1 sample" in refused.stderr
    assert "--min-class-size 2" in refused.stderr
    done = run("evaluate", *args, "--min-class-size", "2", cwd=tmp_path)
    assert done.returncode == 0
    sentence = "Class rare was left out: it has 1 sample, and at least 2 are required."
    assert sentence in " ".join(done.stdout.split())
    assert sentence in (tmp_path / "e" / "report.html").read_text(encoding="utf-8")
    found = json.loads((tmp_path / "e" / "evaluation.json").read_text(encoding="utf-8"))
    assert found["left_out"] == {"rare": 1}
