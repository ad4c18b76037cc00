"""A selection in memory, in selection.json and applied to new data."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from perturbfs import PerturbationSelector, Selection, load_selection
from perturbfs.datasets import make_wide_classification
from perturbfs.exceptions import DataWarning
from perturbfs.results import SelectedFeature, SelectionError, describe_features

DATA = {
    "n_samples": 9,
    "n_features": 4,
    "n_constant": 0,
    "task": "classification",
    "target": None,
    "classes": {"ill": 4, "well": 5},
    "n_events": None,
    "n_missing": 0,
    "impute": None,
    "dropped": [],
    "notes": [],
    "findings": [],
    "groups": None,
    "batch": None,
    "source_name": "table.csv",
    "fingerprint": "0123",
}
INTERVAL = {"mean": 0.7, "low": None, "high": None}
ESTIMATE = {
    "metric": "balanced_accuracy",
    "predictor": "svm",
    "n_splits": 1,
    "n_features_in_splits": [2],
    "stability": None,
    "selected": INTERVAL,
    "all_features": INTERVAL,
    "guessing": INTERVAL,
    "random": None,
    "batch": None,
    "comparisons": [],
    "verdict": "A verdict.",
}


@pytest.fixture
def selection():
    features = (
        SelectedFeature('b, "c"', 2, 1, 0.9, ("ä=",)),
        SelectedFeature("a", 0, 2, None, ()),
    )
    return Selection("paper", {"rule": "accuracy"}, 0, {"numpy": "2"}, DATA, features, ESTIMATE)


def damaged(selection, tmp_path, change):
    content = json.loads(selection.to_json())
    change(content)
    path = tmp_path / "selection.json"
    path.write_text(json.dumps(content))
    return path


def test_what_is_written_is_read_again(selection, tmp_path):
    path = tmp_path / "selection.json"
    selection.save(path)
    assert load_selection(path) == selection
    assert path.read_text(encoding="utf-8") == selection.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("schema_version"), "no schema_version"),
        (
            lambda c: c.update(schema_version=99),
            "schema_version 99, but this perturbfs reads 1 to",
        ),
        (lambda c: c.pop("method"), "method is missing"),
        (
            lambda c: c.update(extra=1),
            "extra is not a known field; the fields are schema_version, ",
        ),
        (lambda c: c.update(method=3), "method is 3, but a text is needed"),
        (lambda c: c["data"].update(n_features="4"), 'data.n_features is "4", but a whole number'),
        (lambda c: c["data"].pop("task"), "data.task is missing"),
        (lambda c: c["data"]["classes"].update(ill="x"), 'data.classes.ill is "x", but a whole'),
        (
            lambda c: c["data"].update(classes=[]),
            r"data.classes is \[\], but an object or null is",
        ),
        (lambda c: c["data"].update(dropped=[["a"]]), "but an array of 2 entries is needed"),
        (lambda c: c["estimate"].pop("selected"), "estimate.selected is missing"),
        (lambda c: c["estimate"].update(selected=1), "estimate.selected is 1, but an object is"),
        (
            lambda c: c["estimate"]["guessing"].update(mean=None),
            "guessing.mean is null, but a num",
        ),
        (lambda c: c["estimate"]["guessing"].update(low="x"), 'low is "x", but a number or null'),
        (
            lambda c: c["features"][0].update(index=4),
            r"features\[0\].index is 4, but a position from 0 to 3 is needed",
        ),
        (lambda c: c["features"][1].pop("rank"), r"features\[1\].rank is missing"),
        (lambda c: c["features"][0].update(index=True), "index is true, but a whole number"),
        (
            lambda c: c["features"][0].update(stands_for=[0.5]),
            r"stands_for\[0\] is 0.5, but a text or",
        ),
    ],
)
def test_a_damaged_file_is_refused(selection, tmp_path, change, message):
    with pytest.raises(SelectionError, match=message):
        load_selection(damaged(selection, tmp_path, change))


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1, 2]"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "selection.json"
    path.write_bytes(content)
    with pytest.raises(SelectionError, match=r"Pass the selection\.json"):
        load_selection(path)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_taken_by_name_in_any_order(selection, library):
    module = pytest.importorskip(library)
    frame = module.DataFrame({"x": [0, 0], "a": [1, 2], 'b, "c"': [3, 4]})
    found = selection.transform(frame)
    assert list(found.columns) == ['b, "c"', "a"]
    np.testing.assert_array_equal(found.to_numpy(), [[3, 1], [4, 2]])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_features_are_listed(selection, library):
    module = pytest.importorskip(library)
    with pytest.raises(SelectionError, match=r"1 of 2 selected features are missing.*'a'"):
        selection.transform(module.DataFrame({'b, "c"': [3, 4]}))


def test_arrays_are_taken_by_position_with_a_warning(selection):
    X = np.arange(8).reshape(2, 4)
    with pytest.warns(DataWarning, match="taken by position") as caught:
        np.testing.assert_array_equal(selection.transform(X), X[:, [2, 0]])
    assert caught[0].filename == __file__


def test_arrays_of_another_width_are_refused(selection):
    with pytest.raises(SelectionError, match="have 3 features, but the selection was made on 4"):
        selection.transform(np.zeros((2, 3)))


def test_a_selection_without_names_takes_frames_by_position(selection):
    pandas = pytest.importorskip("pandas")
    nameless = replace(
        selection, features=tuple(replace(each, name=None) for each in selection.features)
    )
    frame = pandas.DataFrame(np.arange(8).reshape(2, 4))
    with pytest.warns(DataWarning, match="by position"):
        np.testing.assert_array_equal(nameless.transform(frame).to_numpy(), [[2, 0], [6, 4]])


@pytest.mark.parametrize("has_names", [True, False])
def test_features_are_described_by_rank_with_what_they_stand_for(has_names):
    data = make_wide_classification(30, 100, random_state=0)
    selector = PerturbationSelector(5, random_state=0).fit(data.X, data.y)
    names = data.feature_names if has_names else None
    features = describe_features(selector, names)
    assert [each.rank for each in features] == [1, 2, 3, 4, 5]
    scores = [each.score for each in features]
    assert scores == sorted(scores, reverse=True)
    for each in features:
        group = [j for j in selector.groups_[each.index] if j != each.index]
        assert each.name == (str(data.feature_names[each.index]) if has_names else None)
        assert list(each.stands_for) == [str(names[j]) if has_names else int(j) for j in group]


def test_a_selection_prints_as_its_verdict_and_a_table(selection):
    assert str(selection).splitlines() == [
        "A verdict.",
        "rank  feature   score  stands for",
        '   1  b, "c"    0.900  1',
        "   2  a             -  itself",
    ]


def test_a_near_copy_names_the_earlier_feature_and_is_counted():
    support = np.array([True, True, True, False])
    chosen = SimpleNamespace(
        support_=support,
        ranking_=np.array([1, 2, 3, 4]),
        groups_={0: [0, 3], 1: [1], 2: [2]},
        get_support=lambda: support,
    )
    copies = [[(2, 0.98)], [], [(0, 0.98)]]
    features = describe_features(chosen, np.array(["a", "b", "c", "d"]), copies)
    assert [each.copy_of for each in features] == [None, None, "a"]
    assert [each.stands_for for each in features] == [("c", "d"), (), ("a",)]
    nameless = describe_features(chosen, None, copies)
    assert [each.copy_of for each in nameless] == [None, None, 0]
