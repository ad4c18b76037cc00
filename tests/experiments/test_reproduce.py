import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from perturbfs.experiments import (
    _honest,
    _plan,
    _reproduce,
    load_paper,
    reproduce,
    summarize_results,
)
from perturbfs.experiments._honest import honest_run
from perturbfs.experiments._plan import plan_experiments, run_experiment, wanted_keys
from perturbfs.experiments._splits import Shuffled, run_seeds, shuffle_rows, split_honestly
from perturbfs.experiments._synth_tables import synth_tables

pytestmark = pytest.mark.slow

HONEST_METHODS = ["pfs-kmeans-tree", "pfs-fuzzy-knn", "random-tree", "gbm", "lasso", "hsic-lasso"]


def test_a_run_that_was_stopped_goes_on_and_computes_nothing_twice(
    small_colon, tmp_path, monkeypatch
):
    counted = []

    def counting(task):
        counted.append(task)
        return run_experiment(task)

    monkeypatch.setattr(_reproduce, "run_experiment", counting)
    options = {"tables": ["kmeans-accuracy"], "quick": True, "random_state": 3}
    options["protocols"] = ["honest"]
    planned, done = [], []

    def stop():
        done.append(1)
        if len(done) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(tmp_path / "a", on_plan=planned.append, on_experiment=stop, **options)
    kept = len((tmp_path / "a" / "results.jsonl").read_text().splitlines()) - 1
    assert kept == 5
    reproduce(tmp_path / "a", on_plan=planned.append, **options)
    assert planned == [planned[0], planned[0] - 5]
    # One task may have been running when the run was stopped; none that was kept runs again.
    assert len(set(counted)) == planned[0]
    assert len(counted) <= planned[0] + 1

    reproduce(tmp_path / "b", n_jobs=1, **options)
    found = [_without_seconds(tmp_path / name / "results.csv") for name in "ab"]
    assert found[0] == found[1]


def _without_seconds(path):
    with path.open() as file:
        return [line[:-1] for line in csv.reader(file)]


def test_the_summary_has_every_table_and_says_what_is_missing(small_colon, tmp_path):
    summary = reproduce(tmp_path, tables=["kmeans-features", "kmeans-accuracy"], quick=True)
    assert [(t["id"], t["protocol"]) for t in summary["tables"]] == [
        ("kmeans-features", "published"),
        ("kmeans-accuracy", "published"),
        ("kmeans-features", "honest"),
        ("kmeans-accuracy", "honest"),
    ]
    assert len(summary["settings"]["missing_datasets"]) == 7
    rows = {row["name"]: row["cells"] for row in summary["tables"][1]["rows"]}
    assert all(cell["ours"] is not None for cell in rows["Colon"])
    assert all(cell["verdict"] == "not run" for cell in rows["Lung"])
    line = next(line for line in summary["story"] if line["dataset"] == "Colon")
    assert line["published"] == 91.58
    assert None not in line.values()
    json.dumps(summary, allow_nan=False)
    assert summarize_results(tmp_path) == summary


def test_another_seed_does_not_go_into_the_same_directory(small_colon, tmp_path):
    reproduce(tmp_path, tables=["datasets"], random_state=0)
    with pytest.raises(ValueError, match="random_state = 0, but now random_state = 1"):
        reproduce(tmp_path, tables=["datasets"], random_state=1)


def test_without_any_data_set_the_summary_says_how_to_get_one(monkeypatch, tmp_path):
    def away(name):
        raise FileNotFoundError(f"{name} is not here.")

    monkeypatch.setattr(_reproduce, "load_dataset", away)
    summary = reproduce(tmp_path, tables=["fuzzy"])
    missing = summary["settings"]["missing_datasets"]
    assert list(missing) == list(load_paper().find("fuzzy").datasets.values())
    assert missing["lsvt"] == "lsvt is not here."
    assert all(
        cell["ours"] is None for row in summary["tables"][0]["rows"] for cell in row["cells"]
    )


def test_one_data_set_at_a_time_gives_what_all_at_once_give(small_colon, tmp_path, monkeypatch):
    def load(name):
        return replace(small_colon, name=name, X=small_colon.X + (name == "glioma"))

    for module in (_plan, _reproduce):
        monkeypatch.setattr(module, "load_dataset", load)
    options = {"tables": ["kmeans-accuracy", "fs-svm"], "protocols": ["honest"], "quick": True}
    first = reproduce(tmp_path / "a", datasets=["colon"], **options)
    assert [table["id"] for table in first["tables"]] == ["kmeans-accuracy"]
    second = reproduce(tmp_path / "a", datasets=["GLIOMA"], **options)
    both = reproduce(tmp_path / "b", datasets=["colon", "glioma"], **options)
    assert second["tables"] == both["tables"]
    cells = {row["name"]: row["cells"][0]["ours"] for row in both["tables"][0]["rows"]}
    assert [name for name, ours in cells.items() if ours is not None] == ["Colon", "GLIOMA"]


def test_a_data_set_that_the_tables_do_not_have_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"no results on the data set 'colon'\. Use any of leuk"):
        reproduce(tmp_path, tables=["fs-svm"], datasets=["colon"])
    with pytest.raises(ValueError, match=r"'riboflavin'\. Use any of lsvt"):
        reproduce(tmp_path, datasets=["riboflavin"])


def test_a_substitute_is_named(small_colon, tmp_path, monkeypatch):
    monkeypatch.setattr(_reproduce, "load_dataset", lambda _: small_colon)
    monkeypatch.setattr(_reproduce, "run_experiment", lambda _: [])
    summary = reproduce(tmp_path, tables=["fs-svm"], quick=True)
    assert list(summary["settings"]["dataset_notes"]) == ["lung_ad_normal_1000"]


def test_results_of_other_data_are_not_mixed(small_colon, tmp_path, monkeypatch):
    sums = {}
    monkeypatch.setattr(
        _reproduce, "dataset_checksum", lambda name: sums.get(name, "as published")
    )
    options = {"tables": ["kmeans-accuracy"], "datasets": ["colon"], "quick": True}
    reproduce(tmp_path, protocols=["honest"], **options)
    sums["lung"] = "of one's own"  # nothing was computed on it
    reproduce(tmp_path, protocols=["honest"], **options)
    header = (tmp_path / "results.jsonl").read_text().splitlines()[0]
    assert json.loads(header)["checksums"]["lung"] == "of one's own"
    sums["colon"] = "of one's own"
    with pytest.raises(ValueError, match=r"checksums = {'colon': 'as published'}, but now"):
        reproduce(tmp_path, protocols=["honest"], **options)


def test_tasks_share_what_they_can():
    keys = wanted_keys([load_paper().find("kmeans-accuracy")], "published", quick=True)
    tasks = plan_experiments([key for key in keys if key.dataset == "colon"], 0)
    families = {task.family: task for task in tasks}
    assert families["pfs-kmeans"].methods == (
        "pfs-kmeans-knn",
        "pfs-kmeans-svm",
        "pfs-kmeans-tree",
    )
    assert families["rlsr"].methods == ("gbm", "lasso", "lars", "rlsr")
    assert families["rlsr"].runs == (0, 1)
    assert len([task for task in tasks if task.family == "pfs-kmeans"]) == 2


def test_rlsr_takes_as_many_features_as_the_fewest_of_its_rivals(small_colon):
    keys = wanted_keys([load_paper().find("kmeans-accuracy")], "honest", quick=True)
    [task] = [
        task
        for task in plan_experiments([key for key in keys if key.dataset == "colon"], 0)
        if task.family == "rlsr" and task.runs == (0,)
    ]
    counts = {record.method: record.n_features for record in run_experiment(task)}
    assert counts["rlsr"] == min(counts[name] for name in ("gbm", "lasso", "lars"))


@pytest.mark.parametrize("method", HONEST_METHODS)
def test_test_rows_cannot_change_what_is_selected_honestly(small_colon, method, monkeypatch):
    """A canary: values and labels of the test rows are replaced by noise."""
    X, y, rng = small_colon.X, small_colon.y, np.random.default_rng(0)

    def spoil(*args):
        data = split_honestly(*args)
        noisy_X, noisy_y = data.X.copy(), data.y.copy()
        noisy_X[data.test] = 100 * rng.standard_normal(noisy_X[data.test].shape)
        noisy_y[data.test] = rng.permutation(noisy_y[data.test])
        return Shuffled(noisy_X, noisy_y, data.n_train)

    features, accuracy = honest_run(X, y, method, run=1, seed=11)
    monkeypatch.setattr(_honest, "split_honestly", spoil)
    again, other = honest_run(X, y, method, run=1, seed=11)
    np.testing.assert_array_equal(features, again)
    assert accuracy != other  # the noise was there


def test_more_runs_leave_the_first_ones_as_they_are():
    assert run_seeds(5, 10)[:3] == run_seeds(5, 3)


def test_given_numbers_of_training_samples_are_kept(small_colon):
    data = shuffle_rows(small_colon.X, small_colon.y, np.random.RandomState(0), {-1: 5, 1: 8})
    labels, counts = np.unique(data.y[data.train], return_counts=True)
    assert dict(zip(labels.tolist(), counts.tolist(), strict=True)) == {-1: 5, 1: 8}
    assert len(data.y) == 30


def test_perturbed_coefficients_of_made_up_data_differ_where_features_depend():
    values = synth_tables(0, n_draws=20)["synth-perturbation"]
    coefficients, perturbed, moved = np.moveaxis(values, 2, 0)
    independent, dependent = [0, 1, 5], [2, 3, 4]
    assert np.median(moved[:, dependent]) > 100
    assert np.median(moved[:, independent]) < 1e-4
    np.testing.assert_allclose(perturbed[:, independent], coefficients[:, independent], atol=1e-2)
    # The two ways to the same number: moved is |x - x~|.
    slack = np.abs(perturbed - coefficients) <= moved * (1 + 1e-6) + 1e-6
    assert slack.all()
