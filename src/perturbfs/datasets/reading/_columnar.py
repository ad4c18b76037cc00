"""Read Parquet and Feather (with polars), Excel (with calamine) and AnnData files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs._support.extras import import_extra
from perturbfs.datasets._errors import TableError

from ._files import check_file, check_signature, explained
from ._grid import MAX_EXAMPLES, Grid, Row, columns_to_keep
from ._layout import grid_from_rows
from ._names import find_name
from ._options import ReadOptions
from ._parts import Parts


def read_parquet(path: Path, options: ReadOptions) -> Grid:
    """Read a Parquet file."""
    check_signature(path, (b"PAR1",), "a Parquet file")
    # polars takes a sixth of pyarrow's time for 100,000 columns: benchmarks/reading.py.
    polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")

    with explained(path, polars.exceptions.PolarsError, ValueError):
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
    with explained(path, polars.exceptions.PolarsError, ValueError), path.open("rb") as handle:
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
    texts: dict[int, list[str]] = {column: _as_text(frame[:, column]) for column in keep}
    text_at: list[NDArray[np.intp]] = [np.empty((0, 2), dtype=np.intp)]
    examples: dict[tuple[int, int], str] = {}
    for column in np.flatnonzero(~is_number).tolist():
        entries = texts.get(column) or _as_text(frame[:, column])
        numbers = [options.cells.parse(entry) for entry in entries]
        values[:, column] = [np.nan if number is None else number for number in numbers]
        rows = [row for row, number in enumerate(numbers) if number is None]
        text_at.append(np.array([(row, column) for row in rows], dtype=np.intp).reshape(-1, 2))
        if rows and len(examples) < MAX_EXAMPLES:
            examples[rows[0], column] = entries[rows[0]]
    return Grid(
        values=values,
        column_names=list(names),
        column_texts=texts,
        text_at=np.concatenate(text_at),
        examples=examples,
    )


def _as_text(values: Iterable[Any]) -> list[str]:
    return ["" if value is None else str(value) for value in values]


def read_excel(path: Path, options: ReadOptions) -> Grid:
    """Read the first sheet of an Excel workbook."""
    starts = (b"\xd0\xcf\x11\xe0",) if path.suffix.lower() == ".xls" else (b"PK\x03\x04",)
    check_signature(path, starts, f"an Excel workbook ({path.suffix})")
    calamine = import_extra("python_calamine", extra="formats", needed_by="Reading Excel")
    with explained(path, calamine.CalamineError):
        workbook = calamine.CalamineWorkbook.from_path(path)
        sheet = workbook.get_sheet_by_index(0)
        grid = grid_from_rows(_filled_rows(sheet.to_python(skip_empty_area=False)), options)
    others = tuple((name, "only the first sheet is read") for name in workbook.sheet_names[1:])
    return replace(grid, dropped=others)


def _filled_rows(rows: Iterable[Iterable[Any]]) -> Iterator[Row]:
    """Yield the rows of a sheet as text, without blank rows and blank columns at the end."""
    table = [(number, _as_text(row)) for number, row in enumerate(rows, 1)]
    table = [(number, cells) for number, cells in table if any(cells)]
    width = max(
        (max(i for i, cell in enumerate(cells, 1) if cell) for _, cells in table), default=0
    )
    yield from ((number, cells[:width]) for number, cells in table)


def read_h5ad(path: Path, options: ReadOptions) -> Parts:
    """Read the matrix and the names of an AnnData file, and its target, a column of ``obs``."""
    check_signature(path, (b"\x89HDF",), "an AnnData file (.h5ad)")
    anndata = import_extra("anndata", extra="anndata", needed_by="Reading .h5ad")
    with explained(path, Exception):  # HDF5 raises exceptions of any kind
        data = anndata.read_h5ad(path)
    if data.X is None:
        raise TableError(f"{path} has no matrix X. Store the measurements there.")
    parts = parts_from_anndata(data.X, data.obs, data.var, options.target)
    others = (str(name) for name in data.obs.columns if name != parts.target_name)
    return replace(parts, dropped=tuple((name, "column of obs") for name in others))


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
