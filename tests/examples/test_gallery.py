"""Every example of the gallery runs, draws a picture and needs nothing but the package."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("plot_*.py"))
NEEDS = {"plot_09_anndata": ("anndata", "pandas")}


def test_there_are_at_least_ten_examples():
    assert len(EXAMPLES) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    for module in NEEDS.get(path.stem, ()):
        pytest.importorskip(module)
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.extend(pyplot.get_fignums()))
    monkeypatch.setenv("PERTURBFS_DATA", "nowhere")
    try:
        runpy.run_path(str(path), run_name="__main__")
    finally:
        pyplot.close("all")
    assert shown


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_begins_with_a_title_and_a_summary(path):
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == '"""'
    assert lines[2] == "=" * len(lines[1])
    assert lines[4]
