"""Load data sets of the catalogue by name, from disk or from their publisher."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import scipy.io

from perturbfs.arrays import Array

from ._catalogue import CatalogueEntry, find_dataset
from ._download import Progress, download_file, file_checksum


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
    then in the user's cache, and otherwise downloaded into the cache.

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
        If no set has that name, or a file on disk has another checksum.
    FileNotFoundError
        If the file is not on disk, and `download` is False or no publisher has the file.
    DownloadError
        If the download fails.

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
    if path is not None:
        _verify(path, entry)
    elif download and entry.urls:
        path = download_file(entry, _cache_directory(), progress=progress)
    else:
        raise FileNotFoundError(_say_missing(entry))
    X, y, feature_names = _read(path, entry)
    return Dataset(
        X=np.ascontiguousarray(X, dtype=np.float64),
        y=np.asarray(y, dtype=np.float64 if entry.task == "regression" else np.int64),
        name=entry.name,
        task=entry.task,
        feature_names=None if feature_names is None else feature_names.astype(np.str_),
        entry=entry,
    )


def where(name: str) -> Path | None:
    """Return the path of the file of a data set, or None if it is not on disk.

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
    return _find_file(find_dataset(name))


def _find_file(entry: CatalogueEntry) -> Path | None:
    paths = (directory / entry.file for directory in _directories())
    return next((path for path in paths if path.is_file()), None)


def _directories() -> list[Path]:
    named = os.environ.get("PERTURBFS_DATA", "")
    if not named:
        return [_cache_directory()]
    directory = Path(named).expanduser()
    if not directory.is_dir():
        raise FileNotFoundError(
            f"The environment variable PERTURBFS_DATA is {named!r}, which is not a directory. "
            "Set it to a directory with data sets, or unset it."
        )
    return [directory, _cache_directory()]


def _cache_directory(platform: str = sys.platform) -> Path:
    home = Path.home()
    standard = {
        "darwin": home / "Library" / "Caches",
        "win32": Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"),
    }.get(platform, home / ".cache")
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG specification says to ignore a path that is relative or empty.
    return (named if named.is_absolute() else standard) / "perturbfs"


def _verify(path: Path, entry: CatalogueEntry) -> None:
    found = file_checksum(path)
    if found != entry.sha256:
        raise ValueError(
            f"The file {path} is not the data set {entry.name!r}, or is damaged: its sha256 is "
            f"{found}, the catalogue expects {entry.sha256}. It was not used. Remove it, or read "
            "it as your own file with read_table."
        )


def _say_missing(entry: CatalogueEntry) -> str:
    places = " and ".join(str(directory) for directory in _directories())
    missing = f"The data set {entry.name!r} is not on disk: there is no {entry.file} in {places}."
    if entry.urls:
        return f"{missing} Pass download=True to get it from {entry.urls[0]}."
    return (
        f"{missing} It cannot be downloaded, because no publisher serves this file. "
        f"To get the data: {entry.how_to_get} A file that you convert yourself has another "
        "checksum, so read it with read_table, not by name."
    )


def _read(path: Path, entry: CatalogueEntry) -> tuple[Array, Array, Array | None]:
    """Return the features, the target and the feature names, if any, of the file."""
    if path.suffix == ".csv":
        table = np.loadtxt(path, delimiter=",")
        return table[:, :-1], table[:, -1], None
    if path.suffix == ".mat":
        variables = scipy.io.loadmat(path, variable_names=["X", "Y"])
        return variables["X"], variables["Y"].ravel(), None
    with np.load(path, allow_pickle=False) as archive:
        target = archive["y" if entry.task == "regression" else "Y"]
        names = None if entry.names_in is None else archive[entry.names_in]
        return archive["X"], target, names
