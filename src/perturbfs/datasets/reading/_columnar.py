"""Read Parquet and Feather files (with polars) and AnnData files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.extras import import_extra
from perturbfs.datasets._errors import TableError

from ._files import check_file, check_signature, explained
from ._grid import MAX_EXAMPLES, Grid, columns_to_keep, no_places
from ._limits import check_claim
from ._names import find_name, quoted
from ._options import ReadOptions
from ._parts import Parts
from ._sparse import checked_sparse, is_sparse


def read_parquet(path: Path, options: ReadOptions) -> Grid:
    """Read a Parquet file."""
    check_signature(path, (b"PAR1",), "a Parquet file")
    # polars takes a sixth of pyarrow's time for 100,000 columns: benchmarks/reading.py.
    polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")

    with explained(path, Exception):  # a damaged file raises exceptions of any kind
        names = polars.read_parquet_schema(path)
        n_rows = polars.scan_parquet(path, glob=False).select(polars.len()).collect().item()
        check_claim(8 * n_rows * len(names), options.read_memory, "its columns")
        frame = polars.read_parquet(path, glob=False, hive_partitioning=False)
        return _grid_from_frame(frame, polars, options)


def read_feather(path: Path, options: ReadOptions) -> Grid:
    """Read a Feather file, an Arrow file or an Arrow stream."""
    if check_file(path).startswith(b"FEA1"):
        raise TableError(
            f"{path} is a Feather file of version 1, which is obsolete. Write it again with "
            "version 2, or as Parquet."
        )
    starts = (b"ARROW1", b"\xff\xff\xff\xff")
    head = check_signature(path, starts, "a Feather or Arrow file")
    polars = import_extra("polars", extra="formats", needed_by="Reading Feather and Arrow")

    read: Callable[..., Any]
    read = polars.read_ipc if head.startswith(b"ARROW1") else polars.read_ipc_stream
    with explained(path, Exception), path.open("rb") as handle:
        return _grid_from_frame(read(handle), polars, options)


def _grid_from_frame(frame: Any, polars: Any, options: ReadOptions) -> Grid:
    names, dtypes = frame.columns, frame.dtypes
    keep = columns_to_keep(names, len(names), options) if names else []
    is_number = np.array(
        [dtype.is_numeric() or dtype in (polars.Boolean, polars.Null) for dtype in dtypes],
        dtype=bool,
    )
    numeric = frame[:, np.flatnonzero(is_number).tolist()]
    is_single = all(dtype == polars.Float32 for dtype in numeric.dtypes)
    values = np.full(frame.shape, np.nan, dtype=np.float32 if is_single else np.float64)
    values[:, is_number] = numeric.cast(polars.Float32 if is_single else polars.Float64).to_numpy()
    texts: dict[int, list[str]] = {column: as_text(frame[:, column]) for column in keep}
    text_at, token_at = [no_places()], [no_places()]
    examples: dict[tuple[int, int], str] = {}
    for column in np.flatnonzero(~is_number).tolist():
        entries = texts.get(column) or as_text(frame[:, column])
        values[:, column], text, tokens = options.cells.parse_column(entries)
        for found, rows in ((text_at, text), (token_at, tokens)):
            found.append(np.array([(row, column) for row in rows], dtype=np.intp).reshape(-1, 2))
            if rows and len(examples) < MAX_EXAMPLES:
                examples[rows[0], column] = entries[rows[0]]
    return Grid(
        values=values,
        column_names=list(names),
        column_texts=texts,
        text_at=np.concatenate(text_at),
        token_at=np.concatenate(token_at),
        examples=examples,
        cells=options.cells,
    )


def as_text(values: Iterable[Any]) -> list[str]:
    """Return values as text; a missing one is empty."""
    return ["" if value is None else str(value) for value in values]


def read_h5ad(path: Path, options: ReadOptions) -> Parts:
    """Read the matrix and the names of an AnnData file, and its target, a column of ``obs``."""
    check_signature(path, (b"\x89HDF",), "an AnnData file (.h5ad)")
    anndata = import_extra("anndata", extra="anndata", needed_by="Reading .h5ad")
    with explained(path, Exception):  # HDF5 raises exceptions of any kind
        _check_contents(path, options)
        data = anndata.read_h5ad(path)
    X, var = _matrix_of(data, options.layer, path)
    X = checked_sparse(X) if is_sparse(X) else X
    parts = parts_from_anndata(X, data.obs, var, options.target)
    others = (str(name) for name in data.obs.columns if name != parts.target_name)
    return replace(parts, dropped=tuple((name, "column of obs") for name in others))


def _matrix_of(data: Any, layer: str | None, path: Path) -> tuple[Any, Any]:
    """Return X, a layer or raw of an AnnData object, with the frame that names its features."""
    if layer is None:
        if data.X is None:
            layers = list(data.layers)
            advice = f" Name one of its layers {quoted(layers)} as layer." if layers else ""
            raise TableError(f"{path} has no matrix X. Store the measurements there.{advice}")
        return data.X, data.var
    where = find_layer(layer, list(data.layers), has_raw=data.raw is not None)
    return (data.raw.X, data.raw.var) if where == "raw" else (data.layers[layer], data.var)


def find_layer(layer: str, layers: Sequence[str], *, has_raw: bool) -> str:
    """Return where the matrix of a layer is in an AnnData file: ``"layers/NAME"`` or ``"raw"``.

    A layer of the name "raw" comes before the attribute ``raw``.
    """
    if layer in layers:
        return f"layers/{layer}"
    if has_raw and layer == "raw":
        return "raw"
    known = [*layers, *(["raw"] if has_raw else [])]
    if not known:
        raise TableError(
            f"layer={layer!r} was given, but the file has neither layers nor raw. Leave it out to "
            "use X."
        )
    raise TableError(f"layer={layer!r} was not found. The file has {quoted(known)}.")


def _check_contents(path: Path, options: ReadOptions) -> None:
    """Refuse other files, and arrays that are said to be larger than the memory."""
    from perturbfs.arrays import open_group, refuse_outside

    sizes = []

    def measure(_: str, found: Any) -> None:
        if hasattr(found, "nbytes"):
            sizes.append(int(found.nbytes))

    with open_group(str(path), extra="anndata") as group:
        refuse_outside(group)
        group.visititems(measure)
    check_claim(sum(sizes), options.read_memory, "its arrays")


def parts_from_anndata(X: Any, obs: Any, var: Any, target: str | int | None) -> Parts:
    """Return the matrix with its names, and a column of ``obs`` as the outcome."""
    y: Any = None
    name = None
    if target is not None:
        name = find_name(target, [str(column) for column in obs.columns], what="target")
        column = obs[name]
        if column.dtype.kind in "fiub":
            y = np.asarray(column)
        else:
            is_missing = column.isna()
            y = ["" if gone else str(v) for v, gone in zip(column, is_missing, strict=True)]
    return Parts(
        X=X,
        y=y,
        feature_names=[str(name) for name in var.index],
        sample_names=[str(name) for name in obs.index],
        target_name=name,
    )
