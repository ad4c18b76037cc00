"""Any table gives a result that can be written and shown; any document is read or refused."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from any_tables import FEW, QUICK, attempt, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from made_evaluation import make_evaluation
from made_summaries import make_detailed
from typer.testing import CliRunner

from perturbfs.cli import app
from perturbfs.datasets import Table
from perturbfs.report import render_page
from perturbfs.results import (
    describe_details,
    load_evaluation,
    load_selection,
    load_summary,
    match_features,
    save_summary,
    select_features,
    summarize,
)

pytestmark = pytest.mark.slow

OLD = Path(__file__).parent / "old"
values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
documents = st.recursive(
    values,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def read_old(name):
    return json.loads((OLD / name).read_text())


# What reads a document, and sound ones of all versions.
KINDS = {
    "selection-1": (load_selection, read_old("selection-1.json")),
    "selection-2": (load_selection, read_old("selection-2.json")),
    "summary-1": (load_summary, read_old("summary-1.json")),
    "summary-2": (load_summary, make_detailed()),
    "evaluation-1": (load_evaluation, read_old("evaluation-1.json")),
    "evaluation-2": (load_evaluation, make_evaluation()),
}


def places_in(value, path=()):
    """Return the path of every value in a document."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            found += places_in(one, (*path, key))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_with_any_value_gives_a_page_or_one_sentence(tmp_path, kind):
    load, sound = KINDS[kind]

    @settings(QUICK, max_examples=60)
    @given(st.sampled_from(places_in(sound)), documents)
    def check(place, value):
        document = copy.deepcopy(sound)
        inner = document
        for key in place[:-1]:
            inner = inner[key]
        inner[place[-1]] = value
        path = tmp_path / f"{kind[:-2]}.json"
        path.write_text(json.dumps(document))
        is_read = attempt(load, path) is not None
        done = CliRunner().invoke(app, ["report", str(tmp_path)])
        assert done.exit_code in (0, 1)
        if done.exit_code:
            said = done.stderr.partition("Error: ")[2].strip()
            assert str(path) in said
            assert said.endswith((".", ")", "?"))
            assert "bug in perturbfs" not in said
        assert is_read or done.exit_code == 1

    check()


@QUICK
@given(documents.map(json.dumps) | st.text(max_size=30), st.sampled_from([*KINDS]))
def test_any_text_is_a_document_or_refused(tmp_path, text, kind):
    path = tmp_path / f"{kind}.json"
    path.write_text(text, encoding="utf-8", errors="replace")
    assert attempt(KINDS[kind][0], path) is None


@FEW
@given(
    tables(most_samples=24),
    st.sampled_from(["robust", "paper", "anova", "random"]),
    st.integers(1, 3) | st.just("auto"),
)
def test_any_table_gives_a_page_and_files_that_are_read_again(tmp_path, table, method, n_features):
    X, y = table
    whole = Table(
        X=np.asarray(X, dtype=float),
        y=y,
        task="regression" if y.dtype.kind == "f" else "classification",
    )
    found = attempt(
        lambda: select_features(whole, method=method, n_features=n_features, n_splits=2)
    )
    if found is None:
        return
    path = tmp_path / "selection.json"
    found.selection.save(path)
    assert load_selection(path) == found.selection
    summary = summarize(found.selection, describe_details(whole, found, noise=False))
    save_summary(summary, path)  # refuses NaN
    assert "</html>" in render_page(load_summary(path))
    chosen = [each.index for each in found.selection.features]
    np.testing.assert_array_equal(found.selector.transform(X), X[:, sorted(chosen)])


@QUICK
@given(st.lists(st.text(max_size=4), max_size=8), st.booleans())
def test_features_are_matched_to_columns_of_their_name(names, is_loose):
    selection = load_selection(OLD / "selection-2.json")
    wanted = [each.name for each in selection.features]
    names = [*names, *wanted[::-1]]
    found = attempt(lambda: match_features(selection, names, is_loose=is_loose))
    if found is not None and len(set(names)) == len(names) and not is_loose:
        assert [names[place] for place in found.places] == wanted
