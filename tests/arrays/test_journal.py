"""A finished pass is not repeated, and nothing else is taken for it."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import DenseBlocks, JournaledBlocks, fingerprint_files
from perturbfs.arrays.files._readers import NpyReader
from perturbfs.cli import app
from perturbfs.datasets import make_wide_classification

pytestmark = pytest.mark.slow


class CountedBlocks(DenseBlocks):
    """Blocks that count how often they are walked over."""

    memory = 0

    def __init__(self, values):
        super().__init__(values)
        self.dtype, self.n_passes = values.dtype, 0

    def __iter__(self):
        self.n_passes += 1
        return super().__iter__()


@pytest.fixture(scope="module")
def data():
    return make_wide_classification(40, 1500, random_state=0)


@pytest.mark.parametrize(
    "selector",
    [
        RobustSelector(4, nonlinear=False),
        PerturbationSelector(4, random_state=0),
        PerturbationSelector(4, scaling="minmax", perturbation="iid", random_state=0),
        PerturbationSelector(4, perturbation="expected", cluster_by="signatures", random_state=0),
    ],
    ids=str,
)
def test_finished_passes_are_not_repeated(tmp_path, data, selector):
    blocks = CountedBlocks(data.X)
    expected = selector.fit(data.X, data.y).support_
    first = selector.fit(JournaledBlocks(blocks, tmp_path, "a"), data.y).support_
    n_passes = blocks.n_passes
    again = selector.fit(JournaledBlocks(blocks, tmp_path, "a"), data.y).support_
    assert n_passes >= 2
    assert blocks.n_passes == n_passes
    assert np.array_equal(expected, first)
    assert np.array_equal(expected, again)


def test_other_data_and_other_outcomes_are_other_passes(tmp_path, data):
    blocks, selector = CountedBlocks(data.X), RobustSelector(4, nonlinear=False)
    selector.fit(JournaledBlocks(blocks, tmp_path, "a"), data.y)
    n_passes = blocks.n_passes
    selector.fit(JournaledBlocks(blocks, tmp_path, "b"), data.y)
    assert blocks.n_passes == 2 * n_passes
    selector.fit(JournaledBlocks(blocks, tmp_path, "a"), data.y[::-1])
    assert blocks.n_passes == 3 * n_passes


def test_an_interrupted_pass_leaves_nothing(tmp_path, data):
    results = JournaledBlocks(DenseBlocks(data.X), tmp_path, "a").map(_norms)
    next(results)
    results.close()
    assert list(tmp_path.iterdir()) == []


def _norms(block):
    return block.norms()


@dataclass(frozen=True)
class Part:
    values: object
    others: "list[Part | None]"


def _nested(block) -> tuple[object, list[Part], Part | None, str, int, float, bool]:
    part = Part(np.zeros((0, 2)), [None, Part(np.arange(3), [])])
    return np.float64(0.1), [part], None, "text", 2, 1.5, True


def test_results_are_read_as_they_were_written(tmp_path, data):
    blocks = CountedBlocks(data.X[:, :10])
    journal = JournaledBlocks(blocks, tmp_path, "a")
    [(_, first)], [(span, found)] = list(journal.map(_nested)), list(journal.map(_nested))
    assert blocks.n_passes == 1
    assert span == slice(0, 10)
    for scalar, [part], *plain in (first, found):
        assert type(scalar) is np.float64
        assert scalar == 0.1
        assert part.values.shape == (0, 2)
        assert part.others[0] is None
        assert part.others[1].values.tolist() == [0, 1, 2]
        assert plain == [None, "text", 2, 1.5, True]


def _set(block):
    return {1}


def _objects(block):
    return np.array([None])


def _without_annotation(block):
    return block.extremes()


@pytest.mark.parametrize("function", [_set, _objects, _without_annotation])
def test_only_plain_results_are_written(tmp_path, data, function):
    with pytest.raises((TypeError, ValueError)):
        list(JournaledBlocks(DenseBlocks(data.X), tmp_path, "a").map(function))
    assert list(tmp_path.iterdir()) == []


def test_fingerprints_tell_changed_files(tmp_path):
    (tmp_path / "chunk").write_bytes(b"1")
    before = fingerprint_files(tmp_path)
    assert fingerprint_files(tmp_path) == before
    (tmp_path / "chunk").write_bytes(b"12")
    assert fingerprint_files(tmp_path) != before


# Runs the command line and kills the process when it reads the table for the given time.
DRIVER = """
import os, signal, sys
from perturbfs.arrays.files._readers import NpyReader
from perturbfs.cli import app

n_left, read = int(sys.argv[1]), NpyReader.read

def killed(self, rows, columns):
    global n_left
    n_left -= 1
    if n_left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return read(self, rows, columns)

NpyReader.read = killed
app(sys.argv[2:])
"""


@pytest.fixture
def reads(monkeypatch):
    """First feature of every read of a .npy file."""
    starts, read = [], NpyReader.read

    def counted(self, rows, columns):
        starts.append(columns.start)
        return read(self, rows, columns)

    monkeypatch.setattr(NpyReader, "read", counted)
    return starts


def _run(arguments):
    with pytest.raises(SystemExit) as stopped:
        app(arguments)
    return stopped.value.code


@pytest.mark.skipif(os.name != "posix", reason="kills by signal")
def test_a_killed_job_goes_on_after_its_finished_pass(tmp_path, data, reads, capsys, monkeypatch):
    # More than is brought into the least memory as a whole, so it is read in three pieces.
    X = np.random.default_rng(0).standard_normal((40, 30_000), dtype=np.float32)
    X[:, :1500] += data.X
    np.save(tmp_path / "table.npy", np.asfortranarray(X))
    np.savetxt(tmp_path / "labels.csv", data.y, fmt="%s", header="outcome", comments="")
    monkeypatch.chdir(tmp_path)
    command = ["select", "table.npy", "--target", "labels.csv", "--memory", "64MB"]
    command += ["--n-features", "3", "--splits", "2", "--quiet", "--out"]

    assert _run([*command, "whole"]) == 0
    all_reads, n_pieces = reads.copy(), 3
    assert all_reads[:6] == [0, 12_500, 25_000] * 2
    killed = subprocess.run(
        [sys.executable, "-c", DRIVER, str(n_pieces + 1), *command, "result"], check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in (tmp_path / "result").iterdir()] == ["passes"]
    reads.clear()
    assert _run([*command, "result"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert reads == []
    assert _run([*command, "result", "--resume"]) == 0
    assert reads == all_reads[n_pieces:]
    names = sorted(path.name for path in (tmp_path / "result").iterdir())
    assert names == [
        "features.csv",
        "groups.csv",
        "report.html",
        "selected.csv",
        "selection.json",
        "summary.json",
    ]
    assert (tmp_path / "result/features.csv").read_text() == (
        (tmp_path / "whole/features.csv").read_text()
    )
