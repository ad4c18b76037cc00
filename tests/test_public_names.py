"""Public names are where they are promised to be, and nothing else is."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import perturbfs

PACKAGES = ["perturbfs"] + [
    f"perturbfs.{module.name}"
    for module in pkgutil.iter_modules(perturbfs.__path__)
    if module.ispkg
]


@pytest.mark.parametrize("name", PACKAGES)
def test_all_lists_exactly_what_a_package_offers(name):
    package = importlib.import_module(name)
    offered = {
        each
        for each, value in vars(package).items()
        if not each.startswith("_") and type(value).__name__ != "module"
    }
    assert offered == set(package.__all__) - {"__version__"}


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, sklearn.feature_selection, sklearn.cluster, sklearn.svm\n"
        "before = {name.partition('.')[0] for name in sys.modules}\n"
        "import perturbfs\n"
        "after = {name.partition('.')[0] for name in sys.modules}\n"
        "print(' '.join(sorted(after - before - {'perturbfs'} - set(sys.stdlib_module_names))))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == []


def test_steps_import_only_earlier_steps():
    order = ["backends", "core", "cluster", "choose", "evaluation"]
    root = Path(perturbfs.__file__).parent
    for position, step in enumerate(order):
        text = "\n".join(path.read_text() for path in (root / step).glob("*.py"))
        for later in order[position + 1 :]:
            assert f"perturbfs.{later}" not in text.replace(">>> from", "")
