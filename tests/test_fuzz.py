"""Damaged files of every format give a table or one sentence: a short run of `make fuzz`."""

import math
import random

import fuzz
import fuzz_worker
import pytest
from fuzz_mutations import mutate

from perturbfs.datasets import TableError


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_damaged_files_give_a_table_or_one_sentence(tmp_path):
    assert fuzz.fuzz(1000, seed=16, out=tmp_path) == ({}, 1000)


def test_equal_seeds_give_equal_files_and_most_differ_from_the_valid_ones(tmp_path):
    valid = tmp_path / "table.csv"
    valid.write_text("id,a,b,state\ns1,1,2,x\ns2,3,4,y\n")
    made = [
        fuzz_worker.make_input([valid], at, 0, tmp_path / name).read_bytes()
        for name in ("first", "second")
        for at in range(30)
    ]
    assert made[:30] == made[30:]
    assert sum(each != valid.read_bytes() for each in made[:30]) > 25


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".npz", ".json", ".gz", ".mat"])
def test_any_content_can_be_damaged(suffix):
    for content in (b"", b"\x00", b"[1, 2]", b"PK\x03\x04"):
        for seed in range(20):
            assert isinstance(mutate(content, suffix, random.Random(seed)), bytes)


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("print(0, flush=True); import os; os.abort()", "the process ended"),
        ("print(0, flush=True); import time; time.sleep(60)", "no progress"),
        ('print(0, flush=True); print(\'{"input": 0, "wrong": "odd"}\')', "odd"),
    ],
)
@pytest.mark.parametrize("is_over", [False, True])
def test_the_run_notices_what_a_worker_does(tmp_path, monkeypatch, body, finding, is_over):
    monkeypatch.setattr(fuzz, "TOOLS", tmp_path)
    monkeypatch.setattr(fuzz, "SECONDS", 2.0)
    if is_over:  # what begins after the end is not waited for, but this has begun before
        body = body.removeprefix("print(0, flush=True); ")
    (tmp_path / "fuzz_worker.py").write_text(body)
    worker = fuzz.Worker(tmp_path, 0, 0, 1, 1, 0.0 if is_over else math.inf)
    worker.run()
    assert list(worker.findings) == [0]
    assert finding in worker.findings[0]


def test_only_a_sentence_of_the_package_is_no_finding():
    def is_finding(error):
        return fuzz_worker._wrong_error(error) is not None

    assert not is_finding(TableError("a.csv is empty. A table is needed."))
    assert is_finding(TableError("a.csv is cut short or damaged (). Copy it again."))
    assert is_finding(TableError("no end"))
    assert is_finding(TableError("long. " * 1000))
    assert is_finding(KeyError("x"))
