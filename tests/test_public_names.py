"""Public names are where they are promised to be, and nothing else is."""

import importlib
import pkgutil
import subprocess
import sys

import pytest

import perturbfs

PACKAGES = [
    f"perturbfs.{module.name}"
    for module in pkgutil.iter_modules(perturbfs.__path__)
    if module.ispkg and not module.name.startswith("_")
]


def test_names_of_the_package_are_found_when_they_are_used():
    assert dir(perturbfs) == perturbfs.__all__
    for name in perturbfs.__all__:
        assert getattr(perturbfs, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'PerturbationSelectr'"):
        perturbfs.PerturbationSelectr  # noqa: B018


@pytest.mark.parametrize("name", PACKAGES)
def test_all_lists_exactly_what_a_package_offers(name):
    package = importlib.import_module(name)
    assert all(getattr(package, each) is not None for each in package.__all__)  # some load late
    is_lazy = "__getattr__" in vars(package)  # names are imported when they are first used
    offered = {
        each
        for each in (dir(package) if is_lazy else vars(package))
        if not each.startswith("_") and type(getattr(package, each)).__name__ != "module"
    }
    assert offered == set(package.__all__) - {"__version__"}


@pytest.mark.parametrize(
    ("before", "used"),
    [
        ("sys", "perturbfs"),
        ("sklearn.feature_selection, sklearn.cluster", "perturbfs.PerturbationSelector"),
        ("typer, rich.progress", "perturbfs.cli"),
    ],
)
def test_importing_loads_nothing_but_what_is_used(before, used):
    """scikit-learn brings others of its own, so it is loaded first."""
    code = (
        f"import sys, {before}\n"
        "before = {name.partition('.')[0] for name in sys.modules}\n"
        "import perturbfs\n"
        f"{'import perturbfs.cli' if used.endswith('cli') else used}\n"
        "after = {name.partition('.')[0] for name in sys.modules}\n"
        "print(' '.join(sorted(after - before - {'perturbfs'} - set(sys.stdlib_module_names))))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == []
