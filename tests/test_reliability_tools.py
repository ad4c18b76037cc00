"""The programs behind docs/reliability.md and `make check`, and a few faults with a fixed seed."""

import json
import math
import sys
from pathlib import Path

import pytest
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
