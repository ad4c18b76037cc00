import pytest

from perturbfs._support.extras import import_extra


def test_a_module_that_is_there_is_imported():
    assert import_extra("math", extra="report", needed_by="Counting").pi > 3


def test_a_missing_module_is_an_error_that_says_how_to_install_it():
    with pytest.raises(
        ImportError, match=r"Reading h5ad files needs the package 'no_such'.*perturbfs\[anndata\]"
    ):
        import_extra("no_such.module", extra="anndata", needed_by="Reading h5ad files")


def test_a_broken_module_keeps_its_own_message(tmp_path, monkeypatch):
    (tmp_path / "broken_one.py").write_text("import not_there_either")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="not_there_either"):
        import_extra("broken_one", extra="report", needed_by="This")
