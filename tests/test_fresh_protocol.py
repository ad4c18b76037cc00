"""The benchmark that evaluates every method on fresh data sets."""

import csv
import importlib
import os
import signal
import sys
from itertools import product
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from scipy.stats import chi2, friedmanchisquare, rankdata

from perturbfs.datasets import make_wide_classification

# Newer versions of Python warn of a fork beside the threads of a linear algebra library.
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")

FOLDER = Path(__file__).parents[1] / "benchmarks"
NAMES = ("fresh", "_limited", "_ranks")


@pytest.fixture(scope="module")
def modules():
    if not FOLDER.is_dir():
        pytest.skip("the benchmarks are not here")
    # Importing a benchmark sets the numbers of threads in the environment.
    with pytest.MonkeyPatch.context() as patch, mock.patch.dict(os.environ):
        patch.syspath_prepend(FOLDER)
        before = dict(sys.modules)
        yield {name: importlib.import_module(name) for name in NAMES}
        for name in set(sys.modules) - set(before):
            if str(FOLDER) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@pytest.fixture
def fresh(modules, monkeypatch):
    """The benchmark with a small table under the name colon."""
    fresh = modules["fresh"]
    data = make_wide_classification(40, 60, random_state=0)
    parts = fresh.splits(data.y)
    monkeypatch.setattr(fresh, "table_of", lambda _: (data.X, data.y, parts))
    monkeypatch.setattr(fresh, "commit_for", lambda _: "0123456789ab")
    return fresh


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_a_run_that_was_stopped_goes_on_and_computes_nothing_twice(fresh, tmp_path, monkeypatch):
    path = tmp_path / "colon.csv"
    fresh.run_set("colon", ["anova", "random"], 2, (60.0, 60.0), tmp_path)
    whole = lines(path)
    assert len(whole) == 1 + 2 * 5 + 2 * 4  # "random" has no number of its own
    # The last line is cut in the middle, and the answer before it is missing.
    path.write_text("\n".join(whole[:10]) + "\n" + whole[10][:8], encoding="utf-8")
    asked = []

    def counting(job):
        asked.append(job)
        return job_outcome(job)

    job_outcome = fresh.call_limited
    monkeypatch.setattr(fresh, "call_limited", counting)
    fresh.run_set("colon", ["anova", "random"], 2, (60.0, 60.0), tmp_path)
    assert len(asked) == 1 + 2
    seconds = fresh.HEADER.index("cpu_s")
    kept, again = (
        sorted([c for place, c in enumerate(line.split(",")) if place != seconds] for line in each)
        for each in (whole, lines(path))
    )
    assert kept == again


def test_what_takes_too_long_is_named_and_not_tried_again(fresh, tmp_path, monkeypatch, capsys):
    def endless(_X, _y, _split):
        while True:
            pass

    monkeypatch.setattr(fresh, "rival", lambda _: endless)
    monkeypatch.setattr(fresh, "methods_for", lambda _: ["random"])
    fresh.run_set("colon", ["random"], 3, (0.0, 0.0), tmp_path)
    rows = fresh.read_rows(tmp_path / "colon.csv")
    assert [row["split"] for row in rows["random", "20"]] == ["0"]
    fresh.write_tables(tmp_path, tmp_path, 3)
    assert "colon: > 0 CPU s" in capsys.readouterr().out


def test_a_method_that_fails_is_named_with_its_error(fresh, tmp_path, monkeypatch, capsys):
    def broken(_X, _y, _split):
        raise ValueError("no feature at all")

    monkeypatch.setattr(fresh, "rival", lambda _: broken)
    fresh.run_set("colon", ["random"], 2, (60.0, 60.0), tmp_path)
    assert len(fresh.read_rows(tmp_path / "colon.csv")["random", "20"]) == 2
    fresh.write_tables(tmp_path, tmp_path, 2)
    assert "ValueError: no feature at all" in capsys.readouterr().out


def test_a_method_that_is_killed_is_not_called_slow(modules):
    killed = modules["_limited"].call_limited(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert not killed.is_stopped
    assert killed.error == "the process ended with status -9"
    stopped = modules["_limited"].call_limited(lambda: os.kill(os.getpid(), signal.SIGXCPU))
    assert stopped.is_stopped


def test_fresh_sets_need_a_committed_package(modules, monkeypatch):
    fresh = modules["fresh"]
    changes = {"status": "M src/perturbfs/robust/_path.py", "rev-parse": "0123456789ab"}
    monkeypatch.setattr(fresh, "_git", lambda *words: changes[words[0]])
    assert fresh.commit_for("colon") == "0123456789ab+"
    with pytest.raises(SystemExit, match="yale is a fresh set, but src has changes"):
        fresh.commit_for("yale")
    changes["status"] = ""
    assert fresh.commit_for("yale") == "0123456789ab"


def test_every_method_of_the_task_takes_part(modules):
    fresh = modules["fresh"]
    assert set(fresh.methods_for("classification")) == set(fresh.METHODS)
    regression = fresh.methods_for("regression")
    assert {"robust", "lasso", "elastic-net", "mrmr", "forest"} <= set(regression)
    assert "fs-svm" not in regression
    assert not set(fresh.GROUPS["tuned"]) & set(fresh.FRESH)


def test_the_elastic_net_finds_a_feature_that_the_outcome_is_made_of(modules):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 30))
    y = X[:, 7] + 0.1 * rng.standard_normal(50)
    assert modules["fresh"].net_order(X, y, 0)[0] == 7
    assert 7 in modules["fresh"].net_own(X, y, 0)["auto"]


def test_ranks_and_tests_of_a_case_worked_by_hand(modules):
    scores = {
        "ours": np.array([90.0, 80, 70, 60, 50, 40]),
        "near": np.array([89.0, 81, 69, 59, 49, 39]),
        "none": np.array([80.0, 70, 60, 50, 40, 30]),
        "part": np.array([80.0, 70, 60, 50, 40, np.nan]),
    }
    test = modules["_ranks"].rank_methods(scores, "ours")
    found = {each.name: each for each in test.rivals}
    assert [each.name for each in test.rivals] == ["ours", "near", "none", "part"]
    # Ours is first in five of six sets; a method without a result on one set has no rank.
    assert found["ours"].mean_rank == pytest.approx(7 / 6)
    assert found["none"].mean_rank == 3
    assert np.isnan(found["part"].mean_rank)
    assert (found["part"].difference, found["part"].n_sets) == (10, 5)
    # Six equal positive differences: p = 2 / 2^6 = 1/32, three times that for three comparisons.
    assert found["none"].p_adjusted == pytest.approx(3 / 32)
    ranks = [[1, 2, 1, 1, 1, 1], [2, 1, 2, 2, 2, 2], [3] * 6]
    assert test.p_friedman == pytest.approx(friedmanchisquare(*ranks).pvalue)
    diagram = modules["_ranks"].ranks_diagram(test, "ours", "six sets")
    assert diagram.count("<circle") >= 2
    assert "part" not in diagram


def signed_rank(differences):
    """Wilcoxon's two-sided p of a few differences: the share of all signs as far from even."""
    differences = differences[~np.isnan(differences)]
    ranks = rankdata(np.abs(differences))
    half = ranks.sum() / 2
    seen = abs(ranks[differences > 0].sum() - half)
    sums = [ranks @ np.array(signs) for signs in product((0, 1), repeat=len(ranks))]
    return np.mean([abs(each - half) >= seen - 1e-9 for each in sums])


def step_down(p_values):
    """Holm's procedure as the textbook has it."""
    adjusted, worst = {}, 0.0
    for place, name in enumerate(sorted(p_values, key=p_values.get)):
        worst = max(worst, min(1.0, (len(p_values) - place) * p_values[name]))
        adjusted[name] = worst
    return adjusted


@pytest.mark.parametrize("seed", range(4))
def test_ranks_and_tests_agree_with_the_textbook(modules, seed):
    rng = np.random.default_rng(seed)
    scores = {name: rng.normal(70, 5, 8) for name in ("ours", "a", "b", "c", "d")}
    scores["d"][3] = np.nan
    found = modules["_ranks"].rank_methods(scores, "ours")
    ranked = [name for name in scores if name != "d"]
    table = np.array([scores[name] for name in ranked])
    k, n = table.shape
    means = 1 + (table[None] > table[:, None]).sum(axis=1).mean(axis=1)
    statistic = 12 * n / (k * (k + 1)) * np.sum((means - (k + 1) / 2) ** 2)
    assert found.p_friedman == pytest.approx(chi2.sf(statistic, k - 1))
    p_values = {
        name: signed_rank(scores["ours"] - scores[name]) for name in scores if name != "ours"
    }
    adjusted = step_down(p_values)
    for rival in found.rivals:
        if rival.name in ranked:
            assert rival.mean_rank == pytest.approx(means[ranked.index(rival.name)])
        if rival.name != "ours":
            assert rival.p_adjusted == pytest.approx(adjusted[rival.name])


def made_results(fresh, folder, methods):
    """Write made-up results of three splits; return the scores by set, method and size.

    One method was stopped on one set.
    """
    rng, scores = np.random.default_rng(0), {}
    folder.mkdir()
    for name, method, size in product(fresh.FRESH_CLASSES, methods, (*fresh.SIZES, "auto")):
        values = rng.uniform(size=(3, 3)).round(6)
        scores[name, method, size] = 100 * values.mean()
        for split, each in enumerate(values):
            row = dict.fromkeys(fresh.HEADER, "") | {"method": method, "split": split}
            row |= {"size": size, "n_features": 7, "cpu_s": 2, "features": "1 2 3"}
            if (name, method) == ("pcmac", "anova"):
                row |= {"note": "> 60 CPU s"}
            else:
                row |= dict(zip(fresh.PREDICTORS, each, strict=True))
            fresh.append(folder / f"{name}.csv", [row])
    return scores


def read_table(path):
    with path.open(newline="") as file:
        return {row["method"]: row for row in csv.DictReader(file)}


def test_tables_are_the_means_of_the_result_files(fresh, tmp_path):
    sets, methods = fresh.FRESH_CLASSES, ("robust", "mrmr", "anova", "random")
    scores = made_results(fresh, tmp_path / "fresh", methods)
    fresh.write_tables(tmp_path / "fresh", tmp_path, 3)
    parts = ("", "-sets", "-ranks")
    means, by_set, ranks = (read_table(tmp_path / f"fresh-classes{part}.csv") for part in parts)
    assert list(means) == list(by_set) == [each for each in fresh.METHODS if each in methods]
    whole = {}
    for method in ("robust", "mrmr", "random"):
        for size in (*fresh.SIZES, "auto"):
            value = np.mean([scores[name, method, size] for name in sets])
            assert means[method][str(size)] == f"{value:.1f}"
        whole[method] = [
            np.mean([scores[name, method, size] for size in fresh.SIZES]) for name in sets
        ]
        assert means[method]["mean"] == f"{np.mean(whole[method]):.1f}"
        assert means[method]["stability"] == "1.00"
        assert list(by_set[method].values())[1:] == [f"{value:.1f}" for value in whole[method]]
    order = rankdata(-np.array(list(whole.values())), axis=0).mean(axis=1)
    for method, value in zip(whole, order, strict=True):
        assert ranks[method]["mean rank"] == f"{value:.2f}"


def test_a_method_that_was_stopped_has_no_mean_and_no_rank(fresh, tmp_path):
    made_results(fresh, tmp_path / "fresh", ("robust", "mrmr", "anova"))
    fresh.write_tables(tmp_path / "fresh", tmp_path, 3)
    means, ranks = (
        read_table(tmp_path / f"fresh-classes{part}.csv")["anova"] for part in ("", "-ranks")
    )
    assert (means["mean"], means["without a result"]) == ("-", "pcmac: > 60 CPU s")
    assert (ranks["mean rank"], ranks["sets"]) == ("-", "5")
