"""Files of every released schema version are read for good; `old` holds one of each."""

from pathlib import Path

import pytest

from perturbfs.report import render_evaluation, render_page
from perturbfs.results import EVALUATION_VERSION, load_evaluation, load_selection, load_summary
from perturbfs.results._documents import SUMMARY_VERSION
from perturbfs.results._selection import SELECTION_VERSION

OLD = Path(__file__).parent / "old"
FILES = [
    pytest.param(OLD / f"{kind}-{version}.json", show, id=f"{kind}-{version}")
    for kind, newest, show in (
        ("selection", SELECTION_VERSION, lambda file: load_selection(file).to_json()),
        ("summary", SUMMARY_VERSION, lambda file: render_page(load_summary(file))),
        ("evaluation", EVALUATION_VERSION, lambda file: render_evaluation(load_evaluation(file))),
    )
    for version in range(1, newest + 1)
]


@pytest.mark.parametrize(("file", "show"), FILES)
def test_a_file_of_every_version_is_read_and_shown(file, show):
    assert file.is_file(), f"add a {file.name} that this version wrote"
    assert len(show(file)) > 1000
