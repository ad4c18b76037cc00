"""`perturbfs doctor`: what a bug report needs."""

import json

import pytest

from perturbfs import __version__
from perturbfs._support.installed import Requirement
from perturbfs.cli import _doctor

HEALTHY = Requirement("numpy", "2.1", None, "2.4")
THREADS = {"processors": 8, "usable": 2, "variables": {}, "libraries": []}


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """The requirements that the command finds, and threads that are no trouble."""
    found = [HEALTHY]
    monkeypatch.setattr(_doctor, "read_requirements", lambda: found)
    monkeypatch.setattr(_doctor, "describe_threads", lambda: THREADS)
    return found


def test_versions_and_directories_are_printed(run, tmp_path, installed):
    installed.append(Requirement("zarr", "3.1", "formats", "3.2"))
    done = run("doctor", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if " " in line)
    assert rows["perturbfs"].strip() == __version__
    assert rows["numpy"].strip() == "2.4"
    assert rows["extra"].split() == ["formats", "zarr", "3.2"]
    assert rows["processors"].strip() == "2 of 8 can be used"
    assert rows["cache"].strip().endswith("perturbfs")
    assert "Nothing is wrong." in done.stdout


def test_json_holds_the_same(run, tmp_path):
    (tmp_path / "colon.mat").write_bytes(b"")
    done = run("doctor", "--json", cwd=tmp_path, env={"PERTURBFS_DATA": tmp_path})
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert found["packages"] == {"numpy": "2.4"}
    assert found["threads"] == THREADS
    assert found["data"]["on_disk"] == ["colon"]
    assert found["problems"] == []


def test_a_missing_extra_is_no_problem_and_says_how_to_add_it(run, tmp_path, installed):
    installed.append(Requirement("zarr", "3.1", "formats", None))
    done = run("doctor", cwd=tmp_path, env={"COLUMNS": 200})
    assert done.returncode == 0
    assert "zarr missing; pip install 'perturbfs[formats]' adds what is missing" in done.stdout


@pytest.mark.parametrize(
    ("package", "sentence"),
    [
        (Requirement("numpy", "2.1", None, None), "numpy is missing. Install it"),
        (Requirement("zarr", "3.1", "formats", "2.18"), "zarr 2.18 is older than 3.1. Update"),
    ],
)
def test_a_package_that_cannot_work_is_a_problem(run, tmp_path, installed, package, sentence):
    installed.append(package)
    done = run("doctor", "--json", cwd=tmp_path)
    assert done.returncode == 1
    [problem] = json.loads(done.stdout)["problems"]
    assert problem.startswith(sentence)


def test_more_threads_than_processors_are_a_problem(run, tmp_path, monkeypatch):
    library = {"name": "openblas", "version": "0.3", "threads": 64, "architecture": "Zen"}
    monkeypatch.setattr(_doctor, "describe_threads", lambda: THREADS | {"libraries": [library]})
    done = run("doctor", cwd=tmp_path, env={"COLUMNS": 200})
    assert done.returncode == 1
    assert "openblas uses 64 threads, but only 2 of the processors may be used" in done.stdout
    assert "0.3, 64 threads, Zen" in done.stdout


def test_a_broken_package_does_not_hide_the_rest(run, tmp_path, monkeypatch):
    def broken():
        raise ImportError("libgfortran.so.5 is missing")

    monkeypatch.setattr(_doctor, "describe_threads", broken)
    done = run("doctor", cwd=tmp_path)
    assert done.returncode == 1
    assert "ImportError: libgfortran.so.5 is missing" in done.stdout
    assert "numpy" in done.stdout


def test_directories_that_cannot_be_used_are_problems(run, tmp_path):
    (tmp_path / "file").write_text("")
    where = {"PERTURBFS_DATA": tmp_path / "none", "XDG_CACHE_HOME": tmp_path / "file"}
    done = run("doctor", "--json", cwd=tmp_path, env=where)
    assert done.returncode == 1
    data, cache = json.loads(done.stdout)["problems"]
    assert "none, which is not a directory" in data
    assert "which cannot be written" in cache


def test_paths_do_not_name_the_user(run, tmp_path):
    env = {"HOME": tmp_path, "USERPROFILE": tmp_path, "PERTURBFS_DATA": tmp_path}
    (tmp_path / "caches").mkdir()
    done = run("doctor", "--json", cwd=tmp_path, env=env | {"XDG_CACHE_HOME": tmp_path / "caches"})
    data = json.loads(done.stdout)["data"]
    assert data["cache"].startswith("~")
    assert str(tmp_path) not in data["cache"]


@pytest.mark.slow
def test_the_installed_command_examines_itself(spawn, tmp_path):
    done = spawn("doctor", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert found["packages"]["numpy"]
    assert found["threads"]["libraries"]
    assert done.stderr == ""
