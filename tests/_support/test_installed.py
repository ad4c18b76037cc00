import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from perturbfs._support.installed import Requirement, describe_threads, read_requirements

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_requirements_are_read_with_their_extra_and_their_version():
    found = read_requirements(
        ["numpy>=2.1", "dask[array]>=2025.9; extra == 'dask'", "no-such>=1; extra == 'frames'"]
    )
    assert [(each.name, each.lowest, each.extra) for each in found] == [
        ("numpy", "2.1", None),
        ("dask", "2025.9", "dask"),
        ("no-such", "1", "frames"),
    ]
    assert found[0].installed == importlib.metadata.version("numpy")
    assert found[2].installed is None


def test_what_only_developers_install_is_left_out():
    lines = [f"ruff>=0.12; extra == '{extra}'" for extra in ("dev", "all", "docs", "bench")]
    assert read_requirements(lines) == []


def test_every_requirement_of_the_project_is_understood():
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    lines = project["dependencies"]
    assert len(read_requirements(lines)) == len(lines)
    for extra, lines in project["optional-dependencies"].items():
        named = [each for each in lines if not each.startswith("perturbfs[")]
        ours = [f"{each}; extra == 'x'" for each in named]
        assert [each.extra for each in read_requirements(ours)] == ["x"] * len(named), extra


@pytest.mark.parametrize(
    ("installed", "is_too_old"),
    [("2.0.9", True), ("2.1", False), ("2.1.0rc1", False), ("2.10", False), (None, False)],
)
def test_a_version_older_than_the_lowest_is_known(installed, is_too_old):
    assert Requirement("numpy", "2.1", None, installed).is_too_old is is_too_old


def test_threads_name_the_library_of_linear_algebra(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    found = describe_threads()
    assert 1 <= found["usable"] <= found["processors"]
    assert found["variables"]["OMP_NUM_THREADS"] == "1"
    names = {each["name"] for each in found["libraries"]}
    assert names & {"openblas", "mkl", "blis"} or not names  # Accelerate has no name
    assert all(re.match(r"\w+$", name) for name in names)
