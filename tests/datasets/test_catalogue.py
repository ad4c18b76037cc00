"""The catalogue tells the truth about the files; what needs them skips without them."""

import dataclasses
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from perturbfs.datasets import find_dataset, list_datasets, load_dataset

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "datasets"
ENTRIES = [pytest.param(entry, id=entry.name) for entry in list_datasets()]
needs_data = pytest.mark.skipif(not SHARED.is_dir(), reason="the developers' data are not here")


def test_the_catalogue_holds_the_promised_sets_in_order():
    names = {"paper": [], "fs-svm": [], "regression": []}
    for entry in list_datasets():
        names[entry.collection].append(entry.name)
    paper = ["lsvt", "madelon", "colon", "lung", "lymphoma", "glioma", "leukemia", "allaml"]
    assert names == {
        "paper": paper,
        "fs-svm": ["leukemia_golub", "lung_ad_normal_1000", "prostate_singh"],
        "regression": ["riboflavin", "gasoline"],
    }


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_is_complete_and_agrees_with_itself(entry):
    texts = [entry.title, entry.publisher, entry.citation, entry.terms, entry.how_to_get]
    assert all(text.strip() for text in [*texts, entry.notes])
    assert len(entry.sha256) == 64
    assert entry.n_bytes > 0
    if entry.task == "classification":
        assert sum(each.n_samples for each in entry.classes) == entry.shape[0]
    else:
        assert entry.classes == ()


@pytest.mark.parametrize("entry", ENTRIES)
def test_addresses_are_https_and_end_in_the_very_file(entry):
    assert all(url.startswith("https://") for url in entry.urls)
    assert all(url.endswith("/" + entry.file) for url in entry.urls)


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_without_address_says_how_to_get_the_data(entry):
    assert entry.how_to_get.startswith("load_dataset downloads it") == bool(entry.urls)


def test_an_entry_cannot_be_changed_and_can_be_hashed():
    entry = find_dataset("colon")
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.sha256 = "0" * 64
    assert hash(entry) == hash(find_dataset("colon"))


@pytest.mark.parametrize("name", ["ALLAML", "allaml", " AllAml "])
def test_case_and_outer_blanks_do_not_matter(name):
    assert find_dataset(name).name == "allaml"


@pytest.mark.parametrize("name", ["leukemia golub", "Leukemia-Golub"])
def test_blanks_and_hyphens_count_as_underscores(name):
    assert find_dataset(name).name == "leukemia_golub"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("colom", "colon"), ("LSVT voice", "lsvt"), ("prostate", "prostate_singh")],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, nearest):
    with pytest.raises(
        ValueError, match=f"called '{name}'. The most similar names are .*{nearest}"
    ):
        find_dataset(name)


def test_a_name_like_no_other_is_refused_with_all_names():
    with pytest.raises(ValueError, match=r"The catalogue has lsvt, madelon, .*, gasoline\."):
        find_dataset("xyz123")


@needs_data
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_agrees_with_the_manifest(entry):
    records = json.loads((SHARED / "MANIFEST.json").read_text(encoding="utf-8"))["datasets"]
    record = next(each for each in records if each["file"] == entry.file)
    assert entry.shape == (record["samples"], record["features"])
    assert (entry.sha256, entry.n_bytes) == (record["sha256"], record["bytes"])
    assert (entry.task == "regression") == (record["task"] == "regression")
    counts = {str(each.label): each.n_samples for each in entry.classes}
    assert counts == record.get("class_counts", {})
    names = {str(each.label): each.name for each in entry.classes}
    assert record.get("class_names", {}).items() <= names.items()


@needs_data
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_agrees_with_the_file(entry, monkeypatch):
    path = SHARED / entry.file
    if not path.exists():
        pytest.skip(f"{entry.file} is not here")
    assert path.stat().st_size == entry.n_bytes
    assert hashlib.sha256(path.read_bytes()).hexdigest() == entry.sha256
    monkeypatch.setenv("PERTURBFS_DATA", str(SHARED))
    loaded = load_dataset(entry.name, download=False)
    assert loaded.X.shape == entry.shape
    if entry.task == "classification":
        labels, counts = np.unique(loaded.y, return_counts=True)
        expected = [(each.label, each.n_samples) for each in entry.classes]
        assert list(zip(labels.tolist(), counts.tolist(), strict=True)) == sorted(expected)


@needs_data
def test_the_derived_lung_set_can_be_derived_as_its_entry_says(monkeypatch):
    monkeypatch.setenv("PERTURBFS_DATA", str(SHARED))
    lung = load_dataset("lung", download=False)
    derived = load_dataset("lung_ad_normal_1000", download=False)
    rows = np.flatnonzero(lung.y <= 2)
    variances = lung.X[rows].var(axis=0)
    features = np.sort(np.argsort(-variances)[:1000])
    np.testing.assert_array_equal(lung.X[np.ix_(rows, features)], derived.X)
    np.testing.assert_array_equal(lung.y[rows], derived.y)
