"""Load data sets of the catalogue by name, from disk or from their publisher."""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from perturbfs.arrays import Array
from perturbfs.exceptions import DataWarning

from ._catalogue import CatalogueEntry, DataFile, Derivation, find_dataset
from ._download import Progress, download_file, file_checksum
from ._own_file import read_own_file
from ._read_file import Contents, read_file


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set of the catalogue."""

    X: Array  # (n_samples, n_features), float64
    y: Array  # (n_samples,), labels as published (int64) or the target (float64)
    name: str
    task: Literal["classification", "regression"]
    feature_names: Array | None  # (n_features,), str; None where the publisher gives none
    entry: CatalogueEntry


def load_dataset(name: str, *, download: bool = True, progress: Progress | None = None) -> Dataset:
    """Load a data set of the catalogue and verify its checksum.

    The file is searched in the directory given by the environment variable ``PERTURBFS_DATA``,
    then in the user's cache, and otherwise downloaded into the cache. A file of one's own is used
    with a warning: one with a name of the catalogue and another checksum, or ``NAME.csv`` without
    a header and with the outcome in the last column.

    Parameters
    ----------
    name : str
        As in `list_datasets`, upper or lower case.
    download : bool, default=True
        Whether the file may be downloaded.
    progress : callable, default=None
        Called during the download with the number of bytes received and the number expected.

    Returns
    -------
    dataset : Dataset
        With ``X``, ``y``, ``name``, ``task``, ``feature_names`` and ``entry``.

    Raises
    ------
    ValueError
        If no set has that name, or a file of one's own cannot be read or holds another table.
    FileNotFoundError
        If the file is not on disk, and `download` is False or no publisher has the file.
    DownloadError
        If the download fails.

    Warns
    -----
    DataWarning
        If the file has another checksum. The warning says whether its values differ.

    Examples
    --------
    >>> from perturbfs.datasets import load_dataset
    >>> colon = load_dataset("colon")  # doctest: +SKIP
    >>> colon.X.shape  # doctest: +SKIP
    (62, 2000)
    >>> load_dataset("glyoma")
    Traceback (most recent call last):
    ...
    ValueError: The catalogue has no data set called 'glyoma'. The most similar names are glioma,
    lymphoma.
    """
    entry = find_dataset(name)
    path = _find_file(entry)
    if path is None and entry.derived is not None:
        source = load_dataset(entry.derived.source, download=download, progress=progress)
        return _as_dataset(entry, _derive(source, entry.derived))
    if path is None:
        if not (download and entry.download):
            raise FileNotFoundError(_say_missing(entry))
        path = download_file(entry, cache_directory(), progress=progress)
    file = _known_file(path, entry)
    if file is not None:
        return _as_dataset(entry, read_file(path, file.layout))
    contents, warning = read_own_file(path, entry)
    warnings.warn(warning, DataWarning, stacklevel=2)
    return _as_dataset(entry, contents)


def _as_dataset(entry: CatalogueEntry, contents: Contents) -> Dataset:
    return Dataset(
        X=contents.X,
        y=contents.y if entry.task == "regression" else contents.y.astype(np.int64),
        name=entry.name,
        task=entry.task,
        feature_names=contents.names,
        entry=entry,
    )


def dataset_checksum(name: str) -> str:
    """Return the sha256 that a data set is known by.

    Parameters
    ----------
    name : str
        As in `list_datasets`, upper or lower case.

    Returns
    -------
    sha256 : str
        That of the catalogue's first file, for all files of the catalogue have the same values;
        or that of a file of one's own, if that would be loaded.

    Examples
    --------
    >>> from perturbfs.datasets import dataset_checksum
    >>> len(dataset_checksum("colon"))
    64
    """
    entry = find_dataset(name)
    path = where(name)
    known = [entry] if entry.derived is None else [entry, find_dataset(entry.derived.source)]
    if path is None or any(_known_file(path, each) for each in known):
        return entry.files[0].sha256
    return file_checksum(path)


def where(name: str) -> Path | None:
    """Return the path of the file that a data set is read from, or None if it is not on disk.

    Parameters
    ----------
    name : str
        As in `list_datasets`, upper or lower case.

    Returns
    -------
    path : Path or None
        The checksum is not verified here; `load_dataset` does that.

    Examples
    --------
    >>> from perturbfs.datasets import where
    >>> path = where("colon")
    >>> path is None or path.name == "colon.mat"
    True
    """
    entry = find_dataset(name)
    path = _find_file(entry)
    if path is None and entry.derived is not None:
        return where(entry.derived.source)
    return path


def _find_file(entry: CatalogueEntry) -> Path | None:
    names = dict.fromkeys([*(file.name for file in entry.files), entry.own_file])
    paths = (directory / name for directory in _directories() for name in names)
    return next((path for path in paths if path.is_file()), None)


def _known_file(path: Path, entry: CatalogueEntry) -> DataFile | None:
    """Return the file of the catalogue that this is, if it is one."""
    named = [file for file in entry.files if file.name == path.name]
    return next((file for file in named if file.sha256 == file_checksum(path)), None)


def _directories() -> list[Path]:
    named = os.environ.get("PERTURBFS_DATA", "")
    if not named:
        return [cache_directory()]
    directory = Path(named).expanduser()
    if not directory.is_dir():
        raise FileNotFoundError(
            f"The environment variable PERTURBFS_DATA is {named!r}, which is not a directory. "
            "Set it to a directory with data sets, or unset it."
        )
    return [directory, cache_directory()]


def cache_directory(platform: str = sys.platform) -> Path:
    """Return the directory into which data sets are downloaded; it may not exist yet.

    Parameters
    ----------
    platform : str, default=sys.platform

    Returns
    -------
    directory : Path
        In the user's caches, or in ``XDG_CACHE_HOME``.

    Examples
    --------
    >>> from perturbfs.datasets import cache_directory
    >>> cache_directory().name
    'perturbfs'
    """
    home = Path.home()
    standard = {
        "darwin": home / "Library" / "Caches",
        "win32": Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"),
    }.get(platform, home / ".cache")
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification says to ignore a path that is relative or empty.
    return (named if named.is_absolute() else standard) / "perturbfs"


def _derive(source: Dataset, derivation: Derivation) -> Contents:
    """Return some classes of a data set with the features that vary most."""
    rows = np.flatnonzero(np.isin(source.y, derivation.classes))
    X = source.X[rows]
    columns = np.sort(np.argsort(-X.var(axis=0))[: derivation.n_features])
    names = source.feature_names
    return Contents(
        X=np.ascontiguousarray(X[:, columns]),
        y=source.y[rows].astype(np.float64),
        names=None if names is None else names[columns],
    )


def _say_missing(entry: CatalogueEntry) -> str:
    places = " and ".join(str(directory) for directory in _directories())
    names = " or ".join(dict.fromkeys([*(file.name for file in entry.files), entry.own_file]))
    missing = f"The data set {entry.name!r} is not on disk: there is no {names} in {places}."
    if entry.download is not None:
        return f"{missing} Pass download=True to get it from {entry.download.urls[0]}."
    return f"{missing} No publisher serves this file. {entry.by_hand}"
