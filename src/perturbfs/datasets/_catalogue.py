"""The catalogue: the data sets of the paper and of its comparisons, and where they come from.

The entries are in ``catalogue.json`` in this directory. The machine that runs the tests cannot
reach the addresses, so downloads are tested with a local server only. Every address names a file
of a public repository. Its checksum was computed from a stored copy of that repository, and its
values agree with those of every other file of the entry.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from ._read_file import Layout


@dataclass(frozen=True, slots=True)
class ClassCount:
    """One class of a data set."""

    label: int  # as in the file
    name: str | None  # None where the publisher does not say
    n_samples: int


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that holds the values of a data set."""

    name: str  # on disk
    sha256: str
    n_bytes: int
    urls: tuple[str, ...]  # addresses of this file, tried in this order
    layout: Layout


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a data set is made of another one."""

    source: str
    classes: tuple[int, ...]  # whose samples are kept
    n_features: int  # that are kept: those with the largest variance over these samples


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """The description of a data set.

    Examples
    --------
    >>> from perturbfs.datasets import find_dataset
    >>> entry = find_dataset("ALLAML")
    >>> entry.shape, entry.task, [(each.name, each.n_samples) for each in entry.classes]
    ((72, 7129), 'classification', [('ALL', 47), ('AML', 25)])
    """

    name: str  # short and in lower case, for look-up
    title: str
    collection: Literal["paper", "fs-svm", "regression", "fresh"]
    shape: tuple[int, int]  # samples, features
    task: Literal["classification", "regression"]
    classes: tuple[ClassCount, ...]  # empty for regression
    publisher: str
    citation: str
    terms: str  # license or terms of use, if known
    files: tuple[DataFile, ...]  # with the same values; any of them will do
    values: str  # sha256 of features and outcome, whatever file they come from
    how_to_get: str  # by hand, for a file of one's own
    notes: str
    unavailable: str = ""  # what of the set cannot be had by anybody
    derived: Derivation | None = None

    @property
    def download(self) -> DataFile | None:
        """The file with a public address, if there is one."""
        return next((file for file in self.files if file.urls), None)

    @property
    def own_file(self) -> str:
        """Name of a file of the user's own: no header, the outcome in the last column."""
        return f"{self.name}.csv"

    @property
    def by_hand(self) -> str:
        """How to make that file, as a sentence."""
        return (
            f"By hand: {self.how_to_get} Write the features and, as last column, the outcome to "
            f"{self.own_file}, one row per sample, without a header."
        )


def list_datasets() -> tuple[CatalogueEntry, ...]:
    """Return all entries, by collection.

    The collections are the sets of the paper (``"paper"``), those of its comparison with FS-SVM
    (``"fs-svm"``), those for regression (``"regression"``), and sets on which no setting was
    chosen (``"fresh"``), which are for evaluation only.

    Returns
    -------
    entries : tuple of CatalogueEntry

    Examples
    --------
    >>> from perturbfs.datasets import list_datasets
    >>> [entry.name for entry in list_datasets() if entry.collection == "regression"]
    ['riboflavin', 'gasoline']
    """
    return tuple(_read_catalogue().values())


def find_dataset(name: str) -> CatalogueEntry:
    """Return the entry of the catalogue with a given name.

    Parameters
    ----------
    name : str
        In upper or lower case; spaces and hyphens count as underscores.

    Returns
    -------
    entry : CatalogueEntry

    Raises
    ------
    ValueError
        If there is none. The message gives the most similar names.

    Examples
    --------
    >>> from perturbfs.datasets import find_dataset
    >>> find_dataset("Prostate-Singh").shape
    (102, 12600)
    """
    entries = _read_catalogue()
    key = name.strip().casefold().replace(" ", "_").replace("-", "_")
    if key not in entries:
        near = difflib.get_close_matches(key, entries, n=3, cutoff=0.5)
        advice = "The most similar names are" if near else "The catalogue has"
        raise ValueError(
            f"The catalogue has no data set called {name!r}. "
            f"{advice} {', '.join(near or entries)}."
        )
    return entries[key]


@cache
def _read_catalogue() -> dict[str, CatalogueEntry]:
    text = files("perturbfs.datasets").joinpath("catalogue.json").read_text(encoding="utf-8")
    entries = [_as_entry(record) for record in json.loads(text)]
    return {entry.name: entry for entry in entries}


def _as_entry(record: dict[str, Any]) -> CatalogueEntry:
    derived = record.get("derived")
    return CatalogueEntry(
        **{
            **record,
            "shape": tuple(record["shape"]),
            "classes": tuple(ClassCount(*each) for each in record["classes"]),
            "files": tuple(_as_file(each) for each in record["files"]),
            "derived": derived and Derivation(**{**derived, "classes": tuple(derived["classes"])}),
        }
    )


def _as_file(record: dict[str, Any]) -> DataFile:
    layout = record["layout"]
    labels = tuple(layout.get("labels", ()))
    return DataFile(
        **{
            **record,
            "urls": tuple(record["urls"]),
            "layout": Layout(**{**layout, "labels": labels}),
        }
    )
