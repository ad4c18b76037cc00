"""Use a user's own file of a data set, which has another checksum than the catalogue's files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ._catalogue import CatalogueEntry
from ._download import file_checksum
from ._read_file import Contents, Layout, read_file
from .reading._limits import read_apart


def read_own_file(path: Path, entry: CatalogueEntry) -> tuple[Contents, str]:
    """Return the content of the file, and a warning that says what follows from its checksum.

    Parameters
    ----------
    path : Path
        Named like a file of the entry, or `own_file` of the entry.
    entry : CatalogueEntry

    Returns
    -------
    contents : Contents
    warning : str

    Raises
    ------
    ValueError
        If the file cannot be read, or its shape or classes are not those of the entry.
    """
    layout = next((file.layout for file in entry.files if file.name == path.name), Layout())
    advice = "It was not used. Remove it, or read it as your own table with read_table."
    try:
        contents = read_apart(read_file, path, layout, read_memory=None)
    except Exception as error:  # a damaged file fails in any way its format's reader has
        raise ValueError(
            f"The file {path} is not the data set {entry.name!r}, or is damaged: it cannot be "
            f"read ({type(error).__name__}: {error}). {advice}"
        ) from error
    found, expected = _outline(contents, entry), _expected_outline(entry)
    if found != expected:
        raise ValueError(
            f"The file {path} is not the data set {entry.name!r}: it has {found}, the catalogue "
            f"describes {expected}. {advice}"
        )
    follows = (
        "Its values are those of the catalogue, so results are the same."
        if contents.checksum() == entry.values
        else "Its values differ too, so results may differ from those that others get."
    )
    warning = (
        f"The data set {entry.name!r} is read from {path}, whose sha256 {file_checksum(path)} "
        f"differs from that of the catalogue. {follows}"
    )
    return contents, warning


def _outline(contents: Contents, entry: CatalogueEntry) -> str:
    counts: dict[float, int] = {}
    if entry.task == "classification":
        labels, sizes = np.unique(contents.y, return_counts=True)
        counts = dict(zip(labels.tolist(), sizes.tolist(), strict=True))
    return _in_words(contents.X.shape, counts)


def _expected_outline(entry: CatalogueEntry) -> str:
    return _in_words(entry.shape, {each.label: each.n_samples for each in entry.classes})


def _in_words(shape: tuple[int, ...], counts: Mapping[float, int]) -> str:
    classes = ", ".join(f"{label:g}: {size}" for label, size in sorted(counts.items())[:20])
    tail = f", classes {classes}" if classes else ""
    return f"{shape[0]} samples, {shape[1]} features{tail}"
