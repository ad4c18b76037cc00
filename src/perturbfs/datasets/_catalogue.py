"""The catalogue: the data sets of the paper and of its comparisons, and where they come from.

The entries are in ``catalogue.json`` in this directory. The machine that runs the tests cannot
reach the addresses, so downloads are tested with a local server only. The checksum of every set
with an address was compared with that file in a stored copy of the publisher's repository. A set
without an address is a conversion that no publisher serves; its entry says where the original is.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ClassCount:
    """One class of a data set."""

    label: int  # as in the file
    name: str | None  # None where the publisher does not say
    n_samples: int


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
    file: str  # name of the file on disk
    collection: Literal["paper", "fs-svm", "regression"]
    shape: tuple[int, int]  # samples, features
    task: Literal["classification", "regression"]
    classes: tuple[ClassCount, ...]  # empty for regression
    publisher: str
    citation: str
    terms: str  # license or terms of use, if known
    sha256: str
    n_bytes: int
    urls: tuple[str, ...]  # addresses of this file, tried in this order
    how_to_get: str
    notes: str
    names_in: str | None  # variable of the file with the feature names


def list_datasets() -> tuple[CatalogueEntry, ...]:
    """Return all entries: the sets of the paper, those of FS-SVM and those for regression.

    Returns
    -------
    entries : tuple of CatalogueEntry

    Examples
    --------
    >>> from perturbfs.datasets import list_datasets
    >>> [entry.name for entry in list_datasets() if entry.task == "regression"]
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
    return CatalogueEntry(
        **{
            **record,
            "shape": tuple(record["shape"]),
            "classes": tuple(ClassCount(*each) for each in record["classes"]),
            "urls": tuple(record["urls"]),
        }
    )
