"""The catalogue tells the truth about the files; what needs them skips without them."""

import dataclasses
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

from perturbfs.datasets import find_dataset, list_datasets, load_dataset
from perturbfs.datasets._read_file import Contents

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "datasets"
ENTRIES = [pytest.param(entry, id=entry.name) for entry in list_datasets()]
needs_data = pytest.mark.skipif(not SHARED.is_dir(), reason="the developers' data are not here")


def test_the_catalogue_holds_the_promised_sets_in_order():
    names = {"paper": [], "fs-svm": [], "regression": [], "fresh": []}
    for entry in list_datasets():
        names[entry.collection].append(entry.name)
    paper = ["lsvt", "madelon", "colon", "lung", "lymphoma", "glioma", "leukemia", "allaml"]
    assert names == {
        "paper": paper,
        "fs-svm": ["leukemia_golub", "lung_ad_normal_1000", "prostate_singh"],
        "regression": ["riboflavin", "gasoline"],
        "fresh": [
            *("tox_171", "warppie10p", "yale", "lung_discrete", "pcmac", "pixraw10p"),
            *("wheat", "liver_toxicity"),
        ],
    }


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_is_complete_and_agrees_with_itself(entry):
    texts = [entry.title, entry.publisher, entry.citation, entry.terms, entry.how_to_get]
    assert all(text.strip() for text in [*texts, entry.notes])
    assert entry.files
    for file in entry.files:
        assert len(file.sha256) == 64
        assert file.n_bytes > 0
    assert len(entry.values) == 64
    if entry.task == "classification":
        assert sum(each.n_samples for each in entry.classes) == entry.shape[0]
    else:
        assert entry.classes == ()


@pytest.mark.parametrize("entry", ENTRIES)
def test_addresses_are_https_and_end_in_the_very_file(entry):
    for file in entry.files:
        assert all(url.startswith("https://") for url in file.urls)
        assert all(url.endswith("/" + file.name) for url in file.urls)


@pytest.mark.parametrize("entry", ENTRIES)
def test_the_first_address_names_one_version_of_the_file(entry):
    for file in entry.files:
        assert not file.urls or re.search(r"/[0-9a-f]{40}/", file.urls[0])


@pytest.mark.parametrize("entry", ENTRIES)
def test_every_set_has_an_address_or_is_made_of_one_that_has(entry):
    source = entry if entry.derived is None else find_dataset(entry.derived.source)
    assert source.download is not None


def test_only_a_substitute_says_that_something_cannot_be_had():
    lacking = [entry.name for entry in list_datasets() if entry.unavailable]
    assert lacking == ["lung_ad_normal_1000"]


def test_an_entry_cannot_be_changed_and_can_be_hashed():
    entry = find_dataset("colon")
    with pytest.raises(dataclasses.FrozenInstanceError):
        entry.values = "0" * 64
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
    with pytest.raises(ValueError, match=r"The catalogue has lsvt, madelon, .*, liver_toxicity\."):
        find_dataset("xyz123")


@needs_data
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_agrees_with_the_manifest(entry):
    records = json.loads((SHARED / "MANIFEST.json").read_text(encoding="utf-8"))["datasets"]
    file = entry.files[0]
    record = next((each for each in records if each["file"] == file.name), None)
    if record is None:
        pytest.skip("not among the developers' data")
    assert entry.shape == (record["samples"], record["features"])
    assert (file.sha256, file.n_bytes) == (record["sha256"], record["bytes"])
    assert (entry.task == "regression") == (record["task"] == "regression")
    counts = {str(each.label): each.n_samples for each in entry.classes}
    assert counts == record.get("class_counts", {})
    names = {str(each.label): each.name for each in entry.classes}
    assert record.get("class_names", {}).items() <= names.items()


@needs_data
@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_agrees_with_the_file(entry, monkeypatch):
    file = entry.files[0]
    path = SHARED / file.name
    if not path.exists():
        pytest.skip(f"{file.name} is not here")
    assert path.stat().st_size == file.n_bytes
    assert hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256
    monkeypatch.setenv("PERTURBFS_DATA", str(SHARED))
    loaded = load_dataset(entry.name, download=False)
    assert loaded.X.shape == entry.shape
    # The public file has these values too, which was verified when its address was entered.
    assert Contents(loaded.X, loaded.y, None).checksum() == entry.values
    if entry.task == "classification":
        labels, counts = np.unique(loaded.y, return_counts=True)
        expected = [(each.label, each.n_samples) for each in entry.classes]
        assert list(zip(labels.tolist(), counts.tolist(), strict=True)) == sorted(expected)


@needs_data
def test_the_derived_lung_set_can_be_derived_as_its_entry_says(monkeypatch, tmp_path):
    (tmp_path / "lung.npz").symlink_to(SHARED / "lung.npz")
    monkeypatch.setenv("PERTURBFS_DATA", str(tmp_path))
    derived = load_dataset("lung_ad_normal_1000", download=False)
    monkeypatch.setenv("PERTURBFS_DATA", str(SHARED))
    kept = load_dataset("lung_ad_normal_1000", download=False)
    np.testing.assert_array_equal(derived.X, kept.X)
    np.testing.assert_array_equal(derived.y, kept.y)
