"""What an editor and a type checker see of the public names."""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from perturbfs import PerturbationSelector, RobustSelector, baselines, characterize
from perturbfs._support.compat import StrOptions
from perturbfs.paper._characteristics import OPTIONS

ROOT = Path(__file__).resolve().parents[1]
ESTIMATORS = [
    PerturbationSelector,
    RobustSelector,
    *(getattr(baselines, name) for name in baselines.__all__),
]
USE = """
from typing import assert_type

import perturbfs
from perturbfs import PerturbationSelector, RobustSelector
from perturbfs.baselines import MRMRSelector

X, y = [[0.0]], [1]
assert_type(RobustSelector().fit(X, y), RobustSelector)
assert_type(PerturbationSelector(rule="one_se").fit(X, y), PerturbationSelector)
assert_type(MRMRSelector(5).fit(X, y), MRMRSelector)
assert_type(perturbfs.datasets.read_table("table.csv"), perturbfs.datasets.Table)
assert_type(perturbfs.exceptions.DataWarning("x"), perturbfs.exceptions.DataWarning)
"""


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_options_are_literals_of_what_is_allowed(estimator):
    hints = get_type_hints(estimator.__init__)
    for name, allowed in estimator._parameter_constraints.items():
        options = {
            text for each in allowed if isinstance(each, StrOptions) for text in each.options
        }
        if options and hints[name] is not Any:
            assert set(_literals(hints[name])) == options, name


def test_characterize_takes_the_options_of_the_selector():
    hints = get_type_hints(characterize)
    assert {name: set(_literals(hints[name])) for name in OPTIONS} == {
        name: set(allowed) for name, allowed in OPTIONS.items()
    }


@pytest.mark.slow
def test_a_type_checker_sees_through_decorators_and_lazy_names(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    assert _errors(api, tmp_path, USE) == []
    [wrong_name, wrong_option] = _errors(
        api,
        tmp_path,
        "import perturbfs\nperturbfs.RobustSelectr\nperturbfs.RobustSelector(rule='best')\n",
    )
    assert "RobustSelectr" in wrong_name
    assert "one_se" in wrong_option


def _literals(hint):
    if get_origin(hint) is Literal:
        return get_args(hint)
    return [each for inner in get_args(hint) for each in _literals(inner)]


def _errors(api, folder, code):
    """Return the errors of a type checker in a user's file."""
    file = folder / "use.py"
    file.write_text(code)
    found, trouble, _ = api.run(
        [
            *("--config-file", str(ROOT / "pyproject.toml")),
            *("--cache-dir", str(folder / "cache")),
            "--no-error-summary",
            str(file),
        ]
    )
    assert not trouble
    return [line for line in found.splitlines() if "error:" in line]
