"""Imports go one way: a package imports only packages above it, and modules form no cycle."""

import pytest
from import_graph import ORDER, find_cycle, read_imports, wrong_way_imports


def test_every_package_has_a_place_in_the_order():
    packages = {module.split(".")[1] for module in read_imports() if "." in module}
    assert packages == set(ORDER)


def test_no_package_imports_a_later_one():
    wrong = wrong_way_imports(read_imports())
    assert not wrong, "\n".join(wrong)


def test_modules_form_no_cycle():
    assert find_cycle(read_imports()) == []


@pytest.mark.parametrize("is_lazy", [False, True])
def test_a_wrong_import_is_named_with_its_line(tmp_path, is_lazy):
    package = _two_packages(tmp_path, "def f():\n    " if is_lazy else "")
    [sentence] = wrong_way_imports(read_imports(package))
    line = 2 if is_lazy else 1
    assert sentence.startswith(f"arrays/_low.py:{line} imports perturbfs.cli._high")


def test_a_cycle_is_named_with_its_lines(tmp_path):
    cycle = find_cycle(read_imports(_two_packages(tmp_path, "")))
    assert sorted(cycle) == [
        "arrays/_low.py:1 imports perturbfs.cli._high",
        "cli/_high.py:1 imports perturbfs.arrays._low",
    ]


def _two_packages(folder, indent):
    """Return a package whose low module imports the high one, and the other way round."""
    package = folder / "perturbfs"
    for name, text in {
        "__init__.py": "",
        "arrays/__init__.py": "",
        "arrays/_low.py": f"{indent}from perturbfs.cli._high import g\n",
        "cli/__init__.py": "",
        "cli/_high.py": "from perturbfs.arrays._low import f\n",
    }.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return package
