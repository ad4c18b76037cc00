"""Patients with several samples, small classes, excluded features, and one way to select."""

import json
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from sklearn import config_context
from sklearn.model_selection import GroupKFold
from troubles import groups_files as files
from typer.testing import CliRunner

from perturbfs import PerturbationSelector, RobustSelector, evaluate
from perturbfs.cli import app
from perturbfs.datasets import (
    Table,
    TableError,
    make_wide_regression,
    read_table,
)
from perturbfs.evaluation import noise_robustness
from perturbfs.exceptions import DataWarning
from perturbfs.results import describe_noise, select_features
from perturbfs.scoring import fit_selector, inner_splits

pytestmark = pytest.mark.slow

QUICK = ("--n-features", "3", "--splits", "2", "--no-noise-study")


@pytest.fixture
def run(tmp_path):
    """Run a command, and read what it printed and the JSON that it wrote."""

    def run_command(command, source, *options):
        out = tmp_path / "out"
        words = [command, str(source), "--target", "outcome", "--out", str(out), *options]
        done = CliRunner().invoke(app, words, env={"COLUMNS": "1000"})
        name = {"select": "selection.json", "evaluate": "evaluation.json"}[command]
        written = out / name
        found = json.loads(written.read_text(encoding="utf-8")) if written.exists() else None
        said = " ".join((done.stdout if done.exit_code == 0 else done.stderr).split())
        return SimpleNamespace(code=done.exit_code, said=said, found=found, out=out)

    return run_command


@pytest.fixture(scope="module")
def replicates():
    X, y = files.make_replicates()
    return Table(X=X, y=y, task="classification")


def test_replicates_of_random_outcomes_look_perfect_without_groups(replicates):
    with pytest.warns(DataWarning, match="nearly identical"):
        found = select_features(replicates, method="robust", n_splits=3)
    assert found.selection.estimate["selected"]["mean"] > 0.9


def test_replicates_of_random_outcomes_are_at_chance_with_groups(replicates):
    found = select_features(replicates, method="robust", groups=files.PATIENTS, n_splits=10)
    assert 0.3 < found.selection.estimate["selected"]["mean"] < 0.7
    assert found.selection.data["groups"] == {"name": "groups", "n_groups": 24}


def test_replicates_are_at_chance_on_the_command_line(run, tmp_path):
    path = files.write_replicates(tmp_path)
    done = run("select", path, "--groups", "patient", "--splits", "10", "--no-noise-study")
    assert done.code == 0, done.said
    assert 0.3 < done.found["estimate"]["selected"]["mean"] < 0.7
    assert done.found["data"]["groups"] == {"name": "patient", "n_groups": 24}
    assert "groups patient: 24 groups" in done.said
    assert not {"patient", "P0"} & {each["name"] for each in done.found["features"]}
    summary = json.loads((done.out / "summary.json").read_text(encoding="utf-8"))
    assert "--groups patient" in summary["command"]


def test_groups_in_a_second_file_are_joined_by_the_names_of_the_samples(run, tmp_path):
    table, patients = files.write_replicates_and_patients(tmp_path)
    done = run("select", table, "--groups", f"{patients}:patient", *QUICK)
    assert done.found["data"]["groups"] == {"name": "patient", "n_groups": 24}
    inside = read_table(table, "outcome")
    expected = select_features(
        inside, method="robust", n_features=3, groups=files.PATIENTS, n_splits=2
    ).selection
    assert done.found["estimate"]["selected"] == expected.estimate["selected"]


def test_select_is_the_same_each_time_with_groups(replicates):
    first, again = (
        select_features(replicates, method="robust", groups=files.PATIENTS, n_splits=2)
        for _ in range(2)
    )
    assert first.selection.to_json() == again.selection.to_json()


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("cv", [None, 3])
def test_inner_splits_keep_groups_together_and_train_on_every_class(task, cv):
    y = np.tile(["a", "b", "c"], 24) if task == "classification" else np.arange(72.0)
    splits = inner_splits(np.zeros((72, 1)), y, files.PATIENTS, task=task, cv=cv)
    assert len(splits) == (cv or 5)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(72))
    for train, test in splits:
        assert not set(files.PATIENTS[train]) & set(files.PATIENTS[test])
        assert set(y[train]) == set(y) or task == "regression"


def test_there_are_as_many_inner_splits_as_the_rarest_class_has_patients():
    y = np.repeat(["ill", "well"], [6, 66])
    assert (
        len(inner_splits(np.zeros((72, 1)), y, files.PATIENTS, task="classification", cv=None))
        == 2
    )


def test_a_class_of_one_patient_is_an_error_of_the_inner_splits():
    y = np.repeat(["ill", "well"], [3, 69])
    with pytest.raises(ValueError, match="Class 'ill' is in 1 group, but 2 folds need at least 2"):
        RobustSelector().fit(
            np.random.default_rng(0).standard_normal((72, 5)), y, groups=files.PATIENTS
        )


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (files.PATIENTS[1:], r"shape \(71,\), but there are 72 samples"),
        ([None, *files.PATIENTS[1:]], "The group of 1 of 72 samples is missing"),
    ],
)
def test_groups_that_do_not_fit_are_refused(replicates, groups, message):
    with pytest.raises(ValueError, match=message):
        select_features(replicates, method="robust", groups=groups)
    with pytest.raises(ValueError, match=message):
        evaluate({"robust": RobustSelector()}, replicates.X, replicates.y, groups=groups)
    with pytest.raises(ValueError, match=message):
        RobustSelector().fit(replicates.X, replicates.y, groups=groups)


@pytest.mark.parametrize(
    "selector",
    [
        RobustSelector(max_features=5),
        PerturbationSelector(n_repeats=1, max_features=5, random_state=0),
    ],
)
def test_the_inner_score_is_at_chance_with_groups(replicates, selector):
    X, y = replicates.X, replicates.y
    with pytest.warns(DataWarning, match="nearly identical"):
        alone = selector.fit(X, y).candidates_[-1].score
    together = selector.fit(X, y, groups=files.PATIENTS).candidates_[-1].score
    assert alone > 0.75
    assert together < alone - 0.1


def test_groups_reach_the_folds_with_metadata_routing_too(replicates):
    selector = PerturbationSelector(n_repeats=1, max_features=4, random_state=0)
    expected = selector.fit(replicates.X, replicates.y, groups=files.PATIENTS).candidates_
    with config_context(enable_metadata_routing=True):
        routed = selector.fit(replicates.X, replicates.y, groups=files.PATIENTS).candidates_
    assert [each.score for each in routed] == [each.score for each in expected]


class SpyingSelector(RobustSelector):
    """Keep the groups and the first feature of the samples that `fit` gets."""

    seen: ClassVar = []

    def fit(self, X, y, sample_weight=None, groups=None):
        self.seen.append((X[:, 0].tolist(), None if groups is None else groups.tolist()))
        return super().fit(X, y, sample_weight=sample_weight, groups=groups)


def _numbered(n_genes=6):
    X = np.random.default_rng(0).standard_normal((72, n_genes))
    X[:, 0] = np.arange(72)
    return X, np.tile(["ill", "well"], 36)


@pytest.mark.parametrize("function", ["evaluate", "noise"])
def test_selectors_get_the_groups_of_the_samples_they_are_fitted_to(function):
    X, y = _numbered()
    SpyingSelector.seen.clear()
    if function == "evaluate":
        found = evaluate(
            {"spy": SpyingSelector(2)}, X, y, n_features=[2], groups=files.PATIENTS, n_splits=2
        )
        assert len(found.selections["spy", 2]) == 2
        assert len(SpyingSelector.seen) == 2
        for samples, groups in SpyingSelector.seen:
            assert groups == files.PATIENTS[np.array(samples, dtype=int)].tolist()
    else:
        options = {"levels": [0.1], "n_repeats": 2, "random_state": 0}
        noise_robustness(SpyingSelector(2), X, y, groups=files.PATIENTS, **options)
        clean = SpyingSelector.seen[0]
        assert clean[1] == files.PATIENTS[np.array(clean[0], dtype=int)].tolist()
        assert len(clean[1]) % files.N_REPLICATES == 0


def test_the_noise_study_of_replicates_is_at_chance_with_groups(replicates):
    selector = RobustSelector(5).fit(replicates.X, replicates.y)
    alone, together = (
        describe_noise(selector, replicates.X, replicates.y, task="classification", groups=groups)
        for groups in (None, files.PATIENTS)
    )
    assert alone["rows"][0]["score"] > 0.85
    assert together["rows"][0]["score"] < 0.75


def test_a_splitter_of_the_user_gets_the_groups(replicates):
    selector = RobustSelector(max_features=3, cv=GroupKFold(4))
    fitted = selector.fit(replicates.X, replicates.y, groups=files.PATIENTS)
    assert len(fitted.candidates_) == 3


def test_a_class_of_one_patient_is_named_and_can_be_left_out(run, tmp_path):
    path = files.write_one_patient_of_a_class(tmp_path)
    refused = run("select", path, "--groups", "patient", *QUICK)
    assert refused.code == 1
    assert "All samples of class 'mild' belong to one group" in refused.said
    assert "with --min-class-size" in refused.said
    done = run("select", path, "--groups", "patient", "--min-class-size", "4", *QUICK)
    assert done.code == 0, done.said
    assert done.found["data"]["groups"]["n_groups"] == 23


@pytest.mark.parametrize("command", ["select", "evaluate"])
def test_a_class_of_one_sample_is_named_and_can_be_left_out(run, tmp_path, command):
    path = files.write_lone_class(tmp_path)
    methods = ("--methods", "anova") if command == "evaluate" else ("--no-noise-study",)
    options = ("--n-features", "3", "--splits", "2", *methods)
    refused = run(command, path, *options)
    assert refused.code == 1
    assert refused.said.startswith("Error: Class 'unsure' has 1 sample, but every class needs")
    assert "Leave it out with --min-class-size 2" in refused.said
    done = run(command, path, "--min-class-size", "2", *options)
    assert done.code == 0, done.said
    assert "unsure" in done.said
    if command == "select":
        assert done.found["data"]["classes"].keys() == {"ill", "well"}
        assert ["class unsure", "1 sample, fewer than 2"] in done.found["data"]["dropped"]
        assert len((done.out / "selected.csv").read_text(encoding="utf-8").splitlines()) == 24


def test_a_quantity_taken_for_classes_gives_the_option_that_says_so(run, tmp_path):
    path = files.write_counts(tmp_path)
    refused = run("select", path, "--task", "classification", *QUICK)
    assert "classes have 1 sample" in refused.said
    assert "If the outcome is a quantity, pass --task regression." in refused.said
    assert len(refused.said) < 400
    done = run("select", path, "--task", "regression", *QUICK)
    assert done.found["estimate"]["selected"]["mean"] > 0.5
    assert {each["name"] for each in done.found["features"]} == {"g0", "g1", "g2"}


@pytest.mark.parametrize("kind", ["classes", "quantity"])
def test_select_gives_what_robust_selector_gives(kind, replicates):
    if kind == "classes":
        X, y = replicates.X[::3], replicates.y[::3]
        table = Table(X=X, y=y, task="classification")
    else:
        made = make_wide_regression(60, 200, random_state=0)
        X, y = made.X, made.y
        table = Table(X=X, y=y, task="regression")
    found = select_features(table, method="robust", n_splits=2)
    fitted = RobustSelector().fit(X, y)
    assert [each.index for each in found.selection.features] == fitted.path_[
        : fitted.support_.sum()
    ].tolist()


@pytest.mark.parametrize(
    "make", [lambda: RobustSelector(), lambda: PerturbationSelector(5, random_state=0)]
)
def test_a_quantity_of_whole_numbers_is_selected_as_with_another_unit(make):
    X, y = files.make_quantity()
    whole = fit_selector(make(), X, y, task="regression")
    assert whole.task_ == "regression"
    assert np.array_equal(whole.support_, make().fit(X, y / 7).support_)


def test_features_are_left_out_by_name_and_pattern(run, tmp_path):
    path = files.write_controls(tmp_path)
    done = run("select", path, "--exclude", "AFFX*", "--exclude", "day", *QUICK)
    assert done.found["data"]["n_features"] == 14
    excluded = [name for name, reason in done.found["data"]["dropped"] if reason == "excluded"]
    assert len(excluded) == 6
    assert "day" in excluded
    summary = json.loads((done.out / "summary.json").read_text(encoding="utf-8"))
    assert "--exclude 'AFFX*' --exclude day" in summary["command"]


def test_a_pattern_that_matches_nothing_lists_near_names(run, tmp_path):
    path = files.write_controls(tmp_path)
    refused = run("evaluate", path, "--exclude", "AFX-1", "--methods", "anova")
    assert refused.code == 1
    assert "--exclude AFX-1 was not found. Did you mean 'AFFX-1'" in refused.said


@pytest.fixture
def bracketed(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("g[1],g1,g2,y\n1,2,3,a\n4,5,7,b\n")
    return path


def test_a_name_with_brackets_is_a_name_first(bracketed):
    assert read_table(bracketed, "y", exclude=["g[1]"]).feature_names.tolist() == ["g1", "g2"]


def test_all_features_cannot_be_left_out(bracketed):
    with pytest.raises(TableError, match="0 features are left"):
        read_table(bracketed, "y", exclude=["g*"])
