"""The recipe, the workflows and pyproject.toml say the same."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from lowest_versions import lowest_versions

import perturbfs

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8")
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"


def test_the_recipe_has_the_dependencies_of_the_project():
    run = RECIPE.partition("  run:\n")[2].partition("\ntests:")[0]
    [python, *found] = re.findall(r"- (.+)", run)
    assert python == "python >=${{ python_min }}"
    assert [each.replace(" ", "") for each in found] == PROJECT["dependencies"]


def test_the_version_is_the_same_everywhere():
    version = re.escape(perturbfs.__version__)
    assert re.search(rf'^  version: "{version}"$', RECIPE, re.MULTILINE)
    assert re.search(
        rf"^version: {version}$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE
    )


def test_the_lowest_python_is_the_same_everywhere():
    [lowest] = re.findall(r">=([\d.]+)", PROJECT["requires-python"])
    assert f'python_min: "{lowest}"' in RECIPE
    assert _pythons()[0] == lowest


@pytest.mark.skipif(not WORKFLOW.exists(), reason="the sdist has no workflows")
def test_every_python_that_is_promised_is_tested():
    matrix = set(re.findall(r'"(3\.\d+)"', WORKFLOW.read_text("utf-8")))
    assert set(_pythons()) <= matrix


def _pythons():
    """Return the versions of Python among the classifiers."""
    found = (re.fullmatch(r".*:: Python :: (3\.\d+)", each) for each in PROJECT["classifiers"])
    return [match.group(1) for match in found if match]


def test_every_dependency_of_users_has_one_lower_bound():
    assert len(lowest_versions(PROJECT)) > len(PROJECT["dependencies"])


def test_a_dependency_without_a_lower_bound_is_named():
    with pytest.raises(ValueError, match="'scipy' has no lower bound"):
        lowest_versions({"dependencies": ["scipy"]})
    extras = {"frames": ["pandas>=2.2"], "report": ["pandas>=2.1"]}
    with pytest.raises(ValueError, match=r"pandas has two lower bounds: 2\.2 and 2\.1"):
        lowest_versions({"dependencies": [], "optional-dependencies": extras})


def test_the_program_prints_constraints_for_pip():
    program = ROOT / "tools" / "lowest_versions.py"
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == lowest_versions(PROJECT)
