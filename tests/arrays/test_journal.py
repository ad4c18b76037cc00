"""A finished pass is not repeated, and nothing else is taken for it."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.arrays import (
    DenseBlocks,
    JournaledBlocks,
    PassFiles,
    SourceFiles,
    fingerprint_files,
    has_passes,
)
from perturbfs.arrays.files._readers import NpyReader
from perturbfs.cli import app
from perturbfs.datasets import make_wide_classification
from perturbfs.exceptions import BlockReadError, StorageWarning

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


@pytest.fixture
def source(tmp_path):
    """A file that stands for the data; its content decides whether passes are used again."""
    file = tmp_path / "source"
    file.write_bytes(b"a")
    return file


@pytest.fixture
def journal(tmp_path, source):
    """Make a journal in the directory ``passes``, as a new process would."""

    def make(blocks):
        known = SourceFiles(source)
        return JournaledBlocks(blocks, PassFiles(tmp_path / "passes", known.content), known)

    return make


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


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
def test_finished_passes_are_not_repeated(journal, data, selector):
    blocks = CountedBlocks(data.X)
    expected = selector.fit(data.X, data.y).support_
    first = selector.fit(journal(blocks), data.y).support_
    n_passes = blocks.n_passes
    again = selector.fit(journal(blocks), data.y).support_
    assert n_passes >= 2
    assert blocks.n_passes == n_passes
    assert np.array_equal(expected, first)
    assert np.array_equal(expected, again)


def test_other_outcomes_are_other_passes(journal, data):
    blocks, selector = CountedBlocks(data.X), RobustSelector(4, nonlinear=False)
    selector.fit(journal(blocks), data.y)
    n_passes = blocks.n_passes
    selector.fit(journal(blocks), data.y[::-1])
    assert blocks.n_passes == 2 * n_passes


def test_passes_over_other_values_are_not_used_though_size_and_time_are_the_same(
    journal, source, data
):
    blocks, known = CountedBlocks(data.X), source.stat()
    list(journal(blocks).map(_norms))
    source.write_bytes(b"b")
    os.utime(source, ns=(known.st_atime_ns, known.st_mtime_ns))
    with pytest.warns(StorageWarning, match=r"are of other data.*the job starts over"):
        again = journal(blocks)
    list(again.map(_norms))
    assert blocks.n_passes == 2


def test_a_file_that_changes_during_a_pass_is_one_sentence_and_leaves_no_pass(
    journal, source, data
):
    results = (blocks := journal(DenseBlocks(data.X))).map(_norms)
    next(results)
    source.write_bytes(b"other")
    with pytest.raises(BlockReadError, match=r"source changed while it was read"):
        list(results)
    with pytest.raises(BlockReadError, match=r"source changed while it was read"):
        blocks.take([0])
    assert names_in(source.parent / "passes") == ["perturbfs-passes.json"]


def test_an_interrupted_pass_leaves_nothing(tmp_path, source, data):
    known = SourceFiles(source)
    passes = PassFiles(tmp_path / "passes", known.content)
    results = JournaledBlocks(DenseBlocks(data.X), passes, known).map(_norms)
    next(results)
    results.close()
    assert not passes
    passes.remove()
    assert names_in(tmp_path) == ["source"]


def test_only_files_that_the_marker_lists_are_deleted(tmp_path, journal, source, data):
    folder = tmp_path / "passes"
    list(journal(DenseBlocks(data.X)).map(_norms))
    (folder / "mine.zip").write_text("mine")
    (folder / ("0" * 40 + ".zip")).write_text("not listed")
    PassFiles(folder, SourceFiles(source).content).remove()
    assert names_in(folder) == ["0" * 40 + ".zip", "mine.zip"]
    with pytest.raises(FileExistsError, match="is not a directory of finished passes"):
        journal(DenseBlocks(data.X))


def _truncate(folder):
    [file] = folder.glob("*.zip")
    file.write_bytes(file.read_bytes()[:-10])


def _flip_a_bit(folder):
    [file] = folder.glob("*.zip")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def _cut_the_marker(folder):
    file = folder / "perturbfs-passes.json"
    file.write_text(file.read_text()[:-20])


def _name_another_file(folder):
    file = folder / "perturbfs-passes.json"
    file.write_text(file.read_text().replace(next(folder.glob("*.zip")).name, "../source"))


def _nest_deeply(folder):
    (folder / "perturbfs-passes.json").write_text("[" * 100_000)


@pytest.mark.parametrize(
    "damage", [_truncate, _flip_a_bit, _cut_the_marker, _name_another_file, _nest_deeply]
)
def test_a_damaged_journal_is_set_aside_and_the_job_starts_over(tmp_path, journal, data, damage):
    blocks = CountedBlocks(data.X)
    for number in ("", "-2"):
        list(journal(blocks).map(_norms))
        damage(tmp_path / "passes")
        with pytest.warns(StorageWarning, match=r"cannot be used: .*moved to .*starts over"):
            again = journal(blocks)
        assert not has_passes(tmp_path / "passes")
        assert (tmp_path / f"passes-damaged{number}").is_dir()
        blocks.n_passes = 0
        list(again.map(_norms))
        assert blocks.n_passes == 1
        PassFiles(tmp_path / "passes", SourceFiles(tmp_path / "source").content).remove()
    assert (tmp_path / "source").read_bytes() == b"a"


def _norms(block):
    return block.norms()


@dataclass(frozen=True)
class Part:
    values: object
    others: "list[Part | None]"


def _nested(block) -> tuple[object, list[Part], Part | None, str, int, float, bool]:
    part = Part(np.zeros((0, 2)), [None, Part(np.arange(3), [])])
    return np.float64(0.1), [part], None, "text", 2, 1.5, True


def test_results_are_read_as_they_were_written(journal, data):
    kept = journal(blocks := CountedBlocks(data.X[:, :10]))
    [(_, first)], [(span, found)] = list(kept.map(_nested)), list(kept.map(_nested))
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
def test_only_plain_results_are_written(tmp_path, journal, data, function):
    with pytest.raises((TypeError, ValueError)):
        list(journal(DenseBlocks(data.X)).map(function))
    assert names_in(tmp_path / "passes") == ["perturbfs-passes.json"]


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
    assert not (tmp_path / "result").exists()
    (tmp_path / "result" / "passes").mkdir(parents=True)
    (tmp_path / "result" / "passes" / "mine").write_text("mine")
    reads.clear()
    assert _run([*command, "result"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert reads == []
    assert _run([*command, "result", "--resume"]) == 2  # there is a directory of somebody else
    assert _run([*command, "result", "--resume", "--force"]) == 0
    assert reads == all_reads[n_pieces:]
    names = sorted(path.name for path in (tmp_path / "result").iterdir())
    assert names == [
        "features.csv",
        "groups.csv",
        "passes",
        "report.html",
        "selected.csv",
        "selection.json",
        "summary.json",
    ]
    assert (tmp_path / "result/features.csv").read_text() == (
        (tmp_path / "whole/features.csv").read_text()
    )
    assert (tmp_path / "result/passes/mine").read_text() == "mine"
    assert not list(tmp_path.glob("*perturbfs-*"))
