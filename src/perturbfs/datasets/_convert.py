"""Copy a table to a store that is fast to read feature by feature."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs._support.files import atomic_directory
from perturbfs.arrays import DEFAULT_MEMORY
from perturbfs.exceptions import StorageWarning

from ._errors import TableError
from ._open_table import open_table
from .reading import Table

CHUNK_BYTES = 4 * 2**20


def convert_table(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    target: Any = None,
    memory: str | int = DEFAULT_MEMORY,
    layer: str | None = None,
    on_plan: Callable[[int], None] | None = None,
    on_written: Callable[[int], None] | None = None,
) -> Path:
    """Copy a table to a Zarr store in which neighboring features are stored together.

    Parameters
    ----------
    path : str or path
        As for `open_table`. The matrix must be dense.
    out : str or path
        A new directory with the extension ``.zarr``. It appears when it is complete.
    target : array, str, path or None, default=None
        As for `open_table`. The outcome is stored as the vector y.
    memory : str or int, default=2 GiB
        Memory that may be used, in bytes.
    layer : str or None, default=None
        As for `open_table`.
    on_plan : callable, optional
        Called with the number of features before the first is written.
    on_written : callable, optional
        Called after each block with the number of its features.

    Returns
    -------
    out : Path

    Raises
    ------
    TableError
        If the table cannot be opened, or is sparse.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> from perturbfs.datasets import convert_table, open_table
    >>> with TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/rows.npy", np.arange(12.0).reshape(3, 4))
    ...     copy = convert_table(f"{folder}/rows.npy", f"{folder}/columns.zarr")
    ...     open_table(copy).X.take([1]).ravel()
    array([1., 5., 9.])
    """
    out = Path(out)
    if out.suffix != ".zarr":
        raise TableError(f"{out} does not end in .zarr. Give the copy a name that does.")
    zarr = import_extra("zarr", extra="formats", needed_by="Writing Zarr")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", StorageWarning)  # the copy is the remedy
        table = open_table(path, target, memory=memory, layer=layer)
    if getattr(table.X.reader, "is_csc", None) is not None:
        raise TableError(
            f"{path} holds a sparse matrix, and its copy would store every zero. Write it again "
            "with X in CSC format (scipy.sparse.csc_matrix), which is read feature by feature."
        )
    with atomic_directory(out) as folder:
        if on_plan is not None:
            on_plan(table.X.shape[1])
        _write(zarr.open_group(folder, mode="a"), table, on_written)
    return out


def _write(group: Any, table: Table, on_written: Callable[[int], None] | None) -> None:
    store = table.X
    n_samples, n_features = store.shape
    width = max(1, min(n_features, CHUNK_BYTES // (n_samples * store.dtype.itemsize)))
    array = group.create_array(
        "X",
        shape=store.shape,
        dtype=store.dtype.newbyteorder("="),
        chunks=(n_samples, width),
        compressors=None,  # measured values hardly shrink, and each pass would unpack them
    )
    for span, values in store.stored_blocks(width):
        array[:, span] = values
        if on_written is not None:
            on_written(values.shape[1])
    names = {"feature_names": table.feature_names, "sample_names": table.sample_names}
    for name, values in {**names, "y": table.y}.items():
        if values is not None:
            is_text = values.dtype.kind in "OU"
            kind: Any = np.dtypes.StringDType() if is_text else values.dtype
            group.create_array(name, data=values.astype(kind))
