"""The programs behind docs/reliability.md and `make check`, and a few faults with a fixed seed."""

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import soak
import soak_serve
from fault_jobs import contents, describe_damage
from known_vulnerabilities import SAFE, find_vulnerable
from records import Figures, record
from reliability import BEGIN, END, PAGE, RESULTS, ROOT, with_table

LOCK = ROOT / "requirements-dev.lock"


def test_figures_are_appended_as_lines_of_json_and_become_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["tools/faults.py", "--trials", "7", "--record", "x.jsonl"])
    file = tmp_path / "x.jsonl"
    for count in (5, 12_345):
        record(file, Figures("faults", "faults injected", count, 90.0, 0))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    names = ["tool", "what", "count", "seconds", "lost", "date", "version", "command"]
    assert [list(line) for line in lines] == [names, names]
    page = with_table(f"before\n{BEGIN}old\n{END}after\n", lines)
    assert page.startswith("before\n")
    assert page.endswith(f"{END}after\n")
    assert page.count("\n| faults injected | 12,345 | 1.5 min | 0 |") == 1
    assert page.count("faults injected") == 1
    assert "old" not in page
    assert "`tools/faults.py --trials 7`" in page


def test_the_page_shows_the_kept_figures():
    page = PAGE.read_text(encoding="utf-8")
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    assert with_table(page, map(json.loads, lines)) == page


def test_a_version_with_a_known_vulnerability_is_named():
    [sentence] = find_vulnerable({"jinja2": "3.1.5", "tornado": "6.10"})
    assert sentence.startswith("jinja2 3.1.5 has a known vulnerability (CVE-2025-27516)")


def test_no_locked_version_has_a_known_vulnerability():
    lines = [line for line in LOCK.read_text().splitlines() if not line.startswith("#")]
    locked = dict(line.split("==") for line in lines)
    assert {"numpy", "scikit-learn", "pytest", "distributed"} <= set(locked)
    assert find_vulnerable({name: locked[name] for name in SAFE if name in locked}) == []


@pytest.mark.slow
def test_faults_lose_nothing(tmp_path):
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc")
    from faults import disturb

    n_trials, problems = disturb(tmp_path, 2, 1, math.inf, only="select, ")
    assert n_trials == 2
    assert problems == []


def test_a_result_that_is_partial_mixed_or_cut_short_is_noticed(tmp_path):
    def write(**files):
        for name in tmp_path.iterdir():
            name.unlink()
        for name, text in files.items():
            (tmp_path / name).with_suffix(".csv").write_text(text)
        return contents(tmp_path)

    job = SimpleNamespace(name="select", has_timings=False)
    old, new = write(a="1\n", b="1\n"), write(a="2\n", b="2\n")
    assert describe_damage(job, tmp_path, old, new) is None
    for files, damage in (
        ({}, "the old result is lost"),
        ({"a": "2\n"}, "partial"),
        ({"a": "1\n", "b": "2\n"}, "mixed from two runs"),
        ({"a": "2\n", "b": "2"}, "cut short"),
        ({"a": "3\n", "b": "3\n"}, "differs from that of an undisturbed run"),
    ):
        write(**files)
        assert damage in describe_damage(job, tmp_path, old, new)


def test_a_process_that_is_left_is_noticed_and_ended(monkeypatch):
    faults = import_faults(monkeypatch)
    environment = {**os.environ, "PERTURBFS_TRIAL": "of-this-test"}
    with subprocess.Popen(["sleep", "60"], env=environment) as process:
        try:
            found = faults._problems_of_processes("of-this-test", [], set(os.listdir("/dev/shm")))
            assert found == ["1 processes are left"]
            assert process.wait(timeout=10) == -9
        finally:
            process.kill()


def test_files_that_are_left_are_noticed(tmp_path, monkeypatch):
    faults = import_faults(monkeypatch)
    inputs, work, temporary = (tmp_path / name for name in ("inputs", "work", "temporary"))
    for place in (inputs, work, temporary):
        place.mkdir()
    for place in (inputs / "table.csv", work / "table.csv", work / "out", temporary / "cache"):
        place.write_text("")
    job = SimpleNamespace(name="select")
    trial = faults.Trial(job, SimpleNamespace(folder=inputs), work, 0.0, None)
    assert faults._leftovers(trial, temporary) == []
    (work / ".out.abcdefgh.perturbfs-part").write_text("")
    (temporary / "joblib").write_text("")
    [said] = faults._leftovers(trial, temporary)
    assert "perturbfs-part" in said
    assert "TMPDIR/joblib" in said


def import_faults(monkeypatch):
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc")
    import faults

    monkeypatch.setattr(faults, "GRACE", 0.2)
    return faults


@pytest.mark.parametrize("name", ["megabytes", "threads", "handles", "processes"])
def test_what_grows_in_a_process_is_noticed(name):
    flat = [soak.Count(100 + place % 3, 4, 9, 0) for place in range(12)]
    assert soak.describe_growth(flat) == []
    grown = [replace(flat[-1], **{name: getattr(flat[-1], name) + 50}) for _ in range(3)]
    assert soak.describe_growth([*flat, *grown])[0].startswith(f"{name} grew from ")
    assert soak.describe_growth(flat[:3]) == ["too few counts to see growth; run for longer"]


@pytest.mark.parametrize(
    "name", ["megabytes", "threads", "files", "children", "shared", "temporary"]
)
def test_what_a_server_keeps_is_noticed(name):
    flat = [soak_serve.Count(60.0, 2, 8, 0, 0, 0)] * 8
    assert soak_serve.judge(flat) == []
    [sentence] = soak_serve.judge([*flat, replace(flat[0], **{name: 90})])
    assert name in sentence
    assert soak_serve.judge([]) != []


@pytest.mark.slow
def test_jobs_of_every_kind_leave_nothing(tmp_path):
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc")
    n_kinds = len(soak_serve.KINDS)
    assert soak_serve.soak(tmp_path, n_kinds, time.monotonic() + 200) == (n_kinds, [])
