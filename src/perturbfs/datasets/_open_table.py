"""Open tables that are too large for the memory."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs._support.names import Task
from perturbfs.arrays import (
    DEFAULT_MEMORY,
    Array,
    ColumnReader,
    ColumnStore,
    ParquetReader,
    describe_array,
    describe_sparse,
    open_group,
    read_npy_header,
    refuse_outside,
)

from ._errors import TableError
from .reading._columnar import find_layer, parts_from_anndata
from .reading._files import LARGE, MOST_UNPACKED, check_file, explained
from .reading._formats import is_risky
from .reading._labels import Labels, find_label_file, join_labels, read_labels
from .reading._limits import check_claim, fitting, parse_memory, read_apart
from .reading._names import find_name, quoted
from .reading._options import ReadOptions
from .reading._parts import Parts, as_names, finish_table
from .reading._table import Table

FEWEST_FEATURES = 64  # that are read at a time


def open_table(
    path: str | os.PathLike[str],
    target: Any = None,
    *,
    memory: str | int = DEFAULT_MEMORY,
    task: Task | None = None,
    layer: str | None = None,
) -> Table:
    """Open a table on disk without reading its features.

    Parameters
    ----------
    path : str or path
        ``.npy``, ``.zarr``, ``.h5`` and ``.hdf5``, ``.parquet`` and ``.pq``, ``.h5ad``. A Zarr
        store or HDF5 file is one matrix, or has a matrix X (or only one matrix), and optionally
        the vectors y, feature_names and sample_names. A Zarr store may also be one that AnnData
        wrote.
    target : array, str, path or None, default=None
        The outcome: its values; ``labels.csv`` or ``labels.csv:column``, joined on sample names,
        or by order if neither file has them; a column of a Parquet file or of ``obs``; a vector
        of a Zarr store or HDF5 file. None takes the vector y if there is one.
    memory : str or int, default=2 GiB
        Bytes that a fit may use in addition to its results, such as ``"500MB"`` or ``"2GB"``.
    task : {"classification", "regression"} or None, default=None
        None infers it from the outcome.
    layer : str or None, default=None
        The layer of an AnnData file or store that holds the features, or ``"raw"`` for its
        ``raw``. None takes X.

    Returns
    -------
    table : Table
        Its `X` is a `ColumnStore`, which all selectors accept.

    Raises
    ------
    TableError
        If the file cannot be opened; the message says what is wrong and what to do.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from perturbfs import RobustSelector
    >>> from perturbfs.datasets import make_wide_classification, open_table
    >>> data = make_wide_classification(n_features=300, random_state=0)
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "table.npy")
    ...     np.save(file, np.asfortranarray(data.X))
    ...     table = open_table(file, target=data.y, memory="500MB")
    ...     selector = RobustSelector(5).fit(table.X, table.y)
    >>> table.X.shape, int(selector.support_.sum())
    ((80, 300), 5)
    """
    file = Path(path)
    opener = _OPENERS.get(file.suffix.lower())
    if opener is None:
        raise TableError(
            f"{file} ends in {file.suffix!r}, a format that cannot be read in blocks. Formats "
            f"that can are {', '.join(_OPENERS)}; read_table reads the others into memory."
        )
    if not file.is_dir() or file.suffix.lower() != ".zarr":
        check_file(file)
    is_values = target is not None and not isinstance(target, (str, int, os.PathLike))
    label_file = None if is_values else find_label_file(target)
    name = None if is_values or label_file is not None else target
    if opener is not _open_group and layer is not None:
        raise TableError(
            f"layer={layer!r} was given for {file}, but only .h5ad files and Zarr stores of "
            "AnnData have layers. Leave it out."
        )
    if opener is _open_npy:
        parts = _describe(file, name, None)
    else:
        parts = read_apart(_describe, file, name, layer, read_memory=None)
    reader: ColumnReader = parts.X
    _check_matrix(file, reader)
    if is_values:
        parts = replace(parts, y=_check_length(np.asarray(target), reader), target_name=None)
    elif label_file is not None:
        known = set(parts.sample_names or [])
        parts = join_labels(parts, _read_labels(*label_file, known), ReadOptions())
    names = as_names(parts.feature_names)
    store = ColumnStore(reader, feature_names=names, memory=parse_memory(memory))
    with explained(file):
        return finish_table(parts, store, source=str(file), task=task)


def _read_labels(file: Path, column: str | None, known: set[str]) -> Labels:
    if is_risky(file):
        return read_apart(read_labels, file, column, known, read_memory=None)
    with fitting(file):
        return read_labels(file, column, known)


def _describe(file: Path, target: Any, layer: str | None) -> Parts:
    """Return a reader of the features, and what the file says of samples, names and outcome."""
    with explained(file, Exception):  # each library has its own for a damaged file
        opener = _OPENERS[file.suffix.lower()]
        return opener(str(file), target) if layer is None else opener(str(file), target, layer)


def _check_matrix(file: Path, reader: ColumnReader) -> None:
    if len(reader.shape) != 2 or min(reader.shape) == 0 or reader.dtype.kind not in "fiub":
        raise TableError(
            f"{file} holds an array of shape {reader.shape} and type {reader.dtype}, and a table "
            "of real numbers with samples and features is needed."
        )
    _check_size(file, reader)
    n_samples, n_features = reader.shape
    at_once = 8 * (n_samples * min(n_features, FEWEST_FEATURES) + n_features)
    check_claim(at_once, None, f"a block of {file}, which has the shape {reader.shape},")


def _check_size(file: Path, reader: ColumnReader) -> None:
    """Refuse a table that is said to be far larger than what is stored of it."""
    least = reader.n_bytes // MOST_UNPACKED
    if reader.n_bytes > LARGE and not _is_as_large(file, least):
        raise TableError(
            f"{file} is said to hold a table of shape {reader.shape}, and has less than a byte "
            f"for {MOST_UNPACKED:,} bytes of it. No usual table is compressed so well. If it is "
            "sound, leave out the features that never vary."
        )


def _is_as_large(file: Path, size: int) -> bool:
    """Return whether a file, or all files of a directory together, have so many bytes."""
    places = [file] if file.is_file() else (each for each in file.rglob("*") if each.is_file())
    for place in places:
        size -= place.stat().st_size
        if size <= 0:
            return True
    return False


def _check_length(y: Array, reader: ColumnReader) -> Array:
    if len(y) != reader.shape[0]:
        raise TableError(
            f"target has {len(y)} values, but {reader.source} has {reader.shape[0]} samples. "
            "Give one value per sample."
        )
    return y


def _open_npy(path: str, target: Any) -> Parts:
    if target is not None:
        raise TableError(
            f"target={target!r} is not a file, and a .npy file has no names. Give the path of a "
            "file with the labels, or an array."
        )
    return Parts(X=read_npy_header(path))


def _open_parquet(path: str, target: Any) -> Parts:
    polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")
    schema = polars.read_parquet_schema(path)
    names = list(schema)
    outcome = None if target is None else find_name(target, names, what="target")
    features: list[str] = []
    texts: list[str] = []
    for name, dtype in schema.items():
        if name != outcome:
            is_number = dtype.is_numeric() or dtype == polars.Boolean
            (features if is_number else texts).append(name)
    if len(texts) > 1:
        raise TableError(
            f"{path} has several columns of text: {quoted(texts)}. Only one, with the names of "
            "the samples, is allowed. Remove the others."
        )
    kept = [*texts] if outcome is None else [*texts, outcome]
    frame = polars.read_parquet(path, columns=kept or names[:1], glob=False)
    is_single = all(schema[name] == polars.Float32 for name in features)
    reader = ParquetReader(
        path, tuple(features), frame.height, np.dtype(np.float32 if is_single else np.float64)
    )
    return Parts(
        X=reader,
        y=None if outcome is None else frame[outcome].to_numpy(),
        feature_names=features,
        sample_names=[str(name) for name in frame[texts[0]]] if texts else None,
        target_name=outcome,
    )


def _open_group(path: str, target: Any, layer: str | None = None) -> Parts:
    with open_group(path) as group:
        refuse_outside(group)
        is_array = hasattr(group, "shape")
        if not is_array and {"obs", "var"} <= {*group} and ("X" in group or "layers" in group):
            return _from_anndata(path, group, target, layer)
        if layer is not None:
            raise TableError(
                f"layer={layer!r} was given, but {path} was not written by AnnData, so it has no "
                "layers. Leave it out."
            )
        if is_array:
            return Parts(X=describe_array(path, "", group))
        sides = {name: getattr(group[name], "shape", ()) for name in group}
        matrices = [name for name, shape in sides.items() if len(shape) == 2]
        if "X" not in matrices and len(matrices) != 1:
            raise TableError(
                f"{path} has the matrices {quoted(matrices)}, and it is not clear which one holds "
                "the features. Call it X."
            )
        X = "X" if "X" in matrices else matrices[0]
        outcome = target if target is not None else ("y" if "y" in sides else None)
        if outcome is not None and len(sides.get(outcome, ())) != 1:
            raise TableError(f"{path} has no vector {outcome!r}. It has {quoted(list(sides))}.")
        return Parts(
            X=describe_array(path, X, group[X]),
            y=None if outcome is None else _plain(group[outcome][:]),
            feature_names=_strings(group, "feature_names"),
            sample_names=_strings(group, "sample_names"),
            target_name=outcome,
        )


def _from_anndata(path: str, group: Any, target: Any, layer: str | None) -> Parts:
    read = import_extra("anndata.io", extra="anndata", needed_by="Reading AnnData").read_elem
    place = "X"
    if layer is not None:
        layers = list(group["layers"]) if "layers" in group else []
        place = find_layer(layer, layers, has_raw="raw" in group)
    elif "X" not in group or group["X"].attrs.get("encoding-type") == "null":
        raise TableError(f"{path} has no matrix X. Name a layer, or store the measurements there.")
    var = group["raw/var"] if place == "raw" else group["var"]
    place = "raw/X" if place == "raw" else place
    describe = describe_array if hasattr(group[place], "shape") else describe_sparse
    X = describe(path, place, group[place])
    return parts_from_anndata(X, read(group["obs"]), read(var), target)


def _strings(group: Any, name: str) -> list[str] | None:
    return [str(each) for each in _plain(group[name][:])] if name in group else None


def _plain(values: Any) -> Array:
    """Return an array with text as str; HDF5 gives bytes."""
    if values.dtype.kind not in "OST":
        return np.asarray(values)
    return np.array([v.decode() if isinstance(v, bytes) else str(v) for v in values])


_OPENERS: dict[str, Callable[..., Parts]] = {
    ".npy": _open_npy,
    ".zarr": _open_group,
    ".h5": _open_group,
    ".hdf5": _open_group,
    ".h5ad": _open_group,
    ".parquet": _open_parquet,
    ".pq": _open_parquet,
}
