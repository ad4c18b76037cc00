"""`perturbfs check` and `check_table` on files that mislead: one finding each, with advice."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from troubles import check_files as files
from typer.testing import CliRunner

from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs.baselines import AnovaSelector
from perturbfs.cli import app
from perturbfs.datasets import Table, check_table, load_dataset, read_table
from perturbfs.exceptions import DataWarning
from perturbfs.results import select_features

CATALOGUE = ["lsvt", "madelon", "colon", "lung", "lymphoma", "glioma", "leukemia", "allaml"]
CATALOGUE += ["leukemia_golub", "lung_ad_normal_1000", "prostate_singh", "riboflavin", "gasoline"]
# Trouble, kind of the finding, severity, what its message and its advice say.
CASES = [
    ("outcome_copy", "outcome_copy", "warning", "'diagnosis_code' is a copy", "--exclude"),
    ("threshold", "perfect_predictor", "warning", "'risk' predicts the outcome perfectly", "der"),
    ("follow_up", "later", "warning", "'follow-up (months)' is, by its name", "'follow-up (mon"),
    ("same_order", "perfect_predictor", "warning", "'m7' predicts", "--exclude m7"),
    (
        "identifier",
        "identifier",
        "warning",
        "predicts the outcome with an AUC of 1.00",
        "--exclude nr",
    ),
    ("random_numbers", "identifier", "warning", "'nr' looks like an identifier: it", "nr. If"),
    ("codes_by_class", "identifier", "warning", "'code' looks like an ident", "--exclude code"),
    ("nearly_copied", "perfect_predictor", "warning", "nearly perfectly", "--exclude score"),
    ("date", "date", "warning", "'taken' looks like a date", "--exclude taken"),
    ("one_copied_sample", "twins", "warning", "2 of 60 samples", "entered twice"),
    ("labels_in_two_spellings", "labels", "warning", "'Ill' (6 samples)", "same label"),
    ("small_classes", "small_classes", "warning", "rare (2) and unusual (4)", "-class-size 8"),
    ("many_numbers_as_classes", "many_classes", "warning", "25 classes", "--task regression"),
    ("constants", "constant", "note", "10 never vary and 5 have the same", "not selected"),
    ("batches", "batch", "warning", "'p' separates the samples", "--batch p"),
    ("batches_in_order", "batch", "warning", "up to S34 and those from S35", "--groups"),
    ("one_class", "one_value", "warning", "'ill' in all 60 samples", "another column"),
    ("missing", "missing", "note", "1 feature has no value", "--impute"),
    ("missing_by_class", "missing_by_class", "warning", "'dose' has values in some", "away"),
    ("few_values", "few_values", "note", "only 3 values", "--task classification"),
    ("repeated_sample_names", "groups", "warning", "20 different names", "--groups sample"),
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run_command(*words):
        return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "100"})

    return run_command


def check_file(path, **options):
    return check_table(read_table(path, target="state", missing="allow", **options))


@pytest.mark.parametrize(
    ("trouble", "kind", "severity", "says", "advises"), CASES, ids=[case[0] for case in CASES]
)
def test_a_trouble_is_found_and_has_advice(tmp_path, trouble, kind, severity, says, advises):
    path = getattr(files, f"write_{trouble}")(tmp_path)
    found = [each for each in check_file(path) if each.kind == kind]
    assert len(found) == 1, check_file(path)
    assert found[0].severity == severity
    assert says in found[0].message
    assert advises in found[0].advice
    assert json.loads(json.dumps(asdict(found[0])))["kind"] == kind


def test_a_clean_table_has_no_finding(tmp_path):
    assert check_file(files.write_clean(tmp_path)) == ()


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3, 0.5])
def test_replicates_are_found_and_named(tmp_path, noise):
    path = files.write_replicates(tmp_path, noise=noise)
    [finding] = check_file(path)
    assert finding.kind == "twins"
    assert finding.message.startswith("72 of 72 samples are nearly identical")
    assert finding.names[:2] == ("S00, S01 and S02", "S03, S04 and S05")
    assert "14 more sets" in finding.message
    assert "--groups" in finding.advice


def test_replicates_in_groups_are_no_finding(tmp_path):
    table = read_table(files.write_replicates(tmp_path), target="state")
    assert check_table(table, groups=np.repeat(np.arange(24), 3)) == ()
    wrong = np.repeat(np.arange(24), 3)
    wrong[2] = 23
    [finding] = check_table(table, groups=wrong)
    assert "of another group" in finding.message


def test_a_column_of_patients_is_taken_for_groups(tmp_path):
    path = files.write_replicates(tmp_path, name_column="donor")
    found = {each.kind: each for each in check_file(path)}
    assert found["groups"].names == ("donor",)
    assert "--groups donor" in found["groups"].advice


@pytest.mark.parametrize("name", CATALOGUE)
def test_real_data_give_no_false_alarm(developers_data, name):
    data = load_dataset(name)
    table = Table(X=data.X, y=data.y, feature_names=data.feature_names, task=data.task)
    found = check_table(table)
    # Three sets do have classes with fewer than eight samples.
    assert {each.kind for each in found} <= {"small_classes"}
    assert bool(found) == (name in ("lung", "lymphoma", "glioma"))


def test_the_most_serious_finding_comes_first(tmp_path):
    X, labels, _ = files._clean()
    X = np.column_stack([X, labels == "ill", np.zeros((len(X), 20))])
    kinds = [each.kind for each in check_table(Table(X=X, y=labels, task="classification"))]
    assert kinds == ["outcome_copy", "constant"]


def test_no_more_than_ten_names_are_kept(tmp_path):
    X, labels, _ = files._clean(n_features=4000)
    X[:, 100:] = 0
    [finding] = check_table(Table(X=X, y=labels, task="classification"))
    assert len(finding.names) == 10
    assert len(finding.message) < 200


def replicates():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((24, 40)), 3, axis=0)
    y = np.repeat(rng.permutation(np.repeat([0, 1], 12)), 3)
    return X + 0.1 * rng.standard_normal(X.shape), y, np.repeat(np.arange(24), 3)


TWINS = "72 of 72 samples are nearly identical to another sample: rows 0, 1 and 2; 3, 4 and 5"


def test_evaluate_warns_once_of_near_identical_samples_without_groups():
    X, y, groups = replicates()
    selectors = {"anova": AnovaSelector(), "robust": RobustSelector(max_features=4)}
    with pytest.warns(DataWarning, match=TWINS) as caught:
        evaluate(selectors, X, y, n_features=["auto"], n_splits=2)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    evaluate({"anova": AnovaSelector()}, X, y, n_features=[3], n_splits=2, groups=groups)


@pytest.mark.parametrize(
    "selector",
    [RobustSelector(max_features=4), PerturbationSelector(n_repeats=1, max_features=4)],
    ids=["robust", "paper"],
)
def test_a_selector_that_chooses_the_number_warns_of_near_identical_samples(selector):
    X, y, _ = replicates()
    with pytest.warns(DataWarning, match=TWINS) as caught:
        selector.fit(X, y)
    assert caught[0].filename == __file__


def test_select_features_warns_once_of_near_identical_samples():
    X, y, _ = replicates()
    table = Table(X=X, y=y, task="classification")
    with pytest.warns(DataWarning, match=TWINS) as caught:
        select_features(table, method="robust", n_splits=2)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_selector_with_a_number_has_no_inner_splits_and_does_not_warn():
    X, y, _ = replicates()
    RobustSelector(3).fit(X, y)


def test_check_prints_findings_and_nothing_else(run, tmp_path):
    path = files.write_replicates(tmp_path, name_column="patient_nr")
    done = run("check", path, "--target", "state")
    said = " ".join(done.stdout.split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert "72 of 72 samples are nearly identical" in said
    assert "--groups patient_nr" in said
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    done = run("check", path, "--target", "state", "--groups", "patient_nr")
    assert (done.exit_code, "Nothing suspicious was found." in done.stdout) == (0, True)


def test_check_counts_missing_values_and_fills_none(run, tmp_path):
    path = files.write_missing(tmp_path)
    n_missing = read_table(path, target="state", missing="allow").n_missing
    done = run("check", path, "--target", "state")
    said = " ".join(done.stdout.split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"missing values {n_missing}" in said
    assert "filled by" not in said
    assert "1 sample lacks more than half of the values: S12." in said


def test_check_prints_json_on_request(run, tmp_path):
    path = files.write_outcome_copy(tmp_path)
    done = run("check", path, "--target", "state", "--json")
    document = json.loads(done.stdout)
    assert [each["kind"] for each in document["findings"]] == ["outcome_copy"]
    assert (document["n_samples"], document["task"]) == (60, "classification")


def test_check_reads_a_table_with_text_gaps_and_no_outcome(run, tmp_path):
    path = tmp_path / "text.csv"
    rows = [f"{row},{row % 3},,{'xyz'[row % 3]}" for row in range(20)]
    path.write_text("\n".join(["a,b,c,donor", *rows]), encoding="utf-8")
    done = run("check", path)
    said = " ".join(done.stdout.split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert "'a' looks like an identifier" in said
    assert "The column 'donor' holds text" in said
    assert "Name it with --target" in said


def test_select_prints_the_findings_before_the_work_and_keeps_them(run, tmp_path):
    path = files.write_outcome_copy(tmp_path)
    options = ("--target", "state", "--n-features", "2", "--splits", "2", "--out", "out")
    done = run("select", path, *options)
    assert (done.exit_code, done.stderr) == (0, "")
    said = " ".join(done.stdout.split())
    assert said.index("is a copy of the outcome") < said.index("Written to out")
    data = json.loads((tmp_path / "out/selection.json").read_text(encoding="utf-8"))["data"]
    assert [each["names"] for each in data["findings"]] == [["diagnosis_code"]]


def test_select_and_evaluate_name_replicates_once(run, tmp_path):
    path = files.write_replicates(tmp_path)
    for command in (
        ("select", path, "--no-details"),
        ("evaluate", path, "--methods", "robust", "--n-features", "auto"),
    ):
        options = ("--target", "state", "--splits", "2", "--out", command[0])
        done = run(*command, *options)
        assert (done.exit_code, done.stderr) == (0, "")
        assert " ".join(done.stdout.split()).count("are nearly identical to another") == 1
