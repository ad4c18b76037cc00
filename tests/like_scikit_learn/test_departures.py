"""Every test of scikit-learn's selectors is adapted, or its departure has a reason."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest
from like_scikit_learn import DEPARTURES

FILES = ("test_rfe", "test_from_model", "test_sequential")
HERE = Path(__file__).parent
ADAPTED = {
    name
    for file in FILES
    for name in re.findall(
        r'@adapts\(\s*"([\w.]+)"', (HERE / f"{file}.py").read_text(encoding="utf-8")
    )
}


def test_at_least_forty_behaviours_of_scikit_learn_are_tested():
    assert len(ADAPTED) >= 40


def test_every_departure_has_a_reason():
    assert all(reason.endswith(".") for reason in DEPARTURES.values())


@pytest.mark.parametrize("file", FILES)
def test_no_test_of_scikit_learn_is_left_out(file):
    """A release that adds a test makes this fail: adapt it, or write down the departure."""
    spec = importlib.util.find_spec("sklearn.feature_selection")
    path = Path(spec.origin).parent / "tests" / f"{file}.py"
    if not path.exists():
        pytest.skip("scikit-learn was installed without its tests")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    there = {
        f"{file}.{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    assert there - ADAPTED - set(DEPARTURES) == set()
