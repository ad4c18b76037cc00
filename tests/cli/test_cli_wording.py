"""Errors of the library name parameters; the command line says them as its own options."""

import ast
import re
from pathlib import Path

import pytest

import perturbfs
from perturbfs.cli._wording import in_options

SOURCE = Path(perturbfs.__file__).parent
# What `select` and `evaluate` call with the choices of a user.
REACHED = (
    "checks/_outcome.py",
    "scoring/_groups.py",
    "scoring/_splits.py",
    "scoring/_predictors.py",
    "baselines/_ranking.py",
    "robust",
    "results/_data.py",
    "results/_select.py",
    "evaluation/_evaluate.py",
    "evaluation/_methods.py",
    "datasets/reading",
    "datasets/_reduce.py",
    "datasets/_open_table.py",
)
# Parameters that the command line never sets, or values that it has checked before.
ONLY_IN_PYTHON = (
    "min_features=",
    "index=True",
    "is a regressor",
    "missing=7",
    "target_coding=",
    "header=7",
    "nonlinear=",
    "Pass a model of survival",
)
PYTHON_WORDS = re.compile(r"(?<![-\w'\"])([a-z_]+=)|\bcv\b|\bestimator\b|\bheader=|[a-z]_[a-z]")


def read_messages():
    """Yield the text of every error that these modules raise."""
    for place in REACHED:
        path = SOURCE / place
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error"):
                    text = "".join(map(as_text, node.args))
                    yield pytest.param(text, id=f"{module.stem}:{node.lineno}")


def as_text(node):
    """Return the text of an expression, with 7 for every value that is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(as_text, node.values))
    if isinstance(node, ast.BinOp):
        return as_text(node.left) + as_text(node.right)
    return "7"


@pytest.mark.parametrize("message", list(read_messages()))
def test_no_error_of_the_command_line_names_a_parameter_of_python(message):
    if not any(name in message for name in ONLY_IN_PYTHON):
        assert not PYTHON_WORDS.search(in_options(message)), in_options(message)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("target='state' was not found.", "--target state was not found."),
        ("target='my state' is unknown.", "--target 'my state' is unknown."),
        ("pass features_in_rows=True.", "pass --features-in-rows."),
        ("features_in_rows=False was given", "--features-in-columns was given"),
        ("with drop_text=True (--drop-text), or", "with --drop-text, or"),
        ("n_features_to_select=9, but X has 5", "--n-features 9, but the table has 5"),
        ("the feature 'index=3' holds text", "the feature 'index=3' holds text"),
        ("name one as target or index", "name one as target or index"),
    ],
)
def test_parameters_become_options(message, said):
    assert in_options(message) == said
