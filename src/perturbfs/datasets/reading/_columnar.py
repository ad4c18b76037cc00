"""Formats that optional packages read: Parquet, Feather, Excel and AnnData."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perturbfs._support.extras import import_extra

from ._grid import Grid, Wanted, columns_to_keep
from ._names import find_place
from ._open import check_file, check_signature, explained
from ._parts import Parts
from ._rows import MAX_EXAMPLES, as_number
from ._table import TableError
from ._text import grid_from_rows


def read_parquet(path: Path, wanted: Wanted) -> Grid:
    """The entries of a Parquet file."""
    check_signature(path, check_file(path), (b"PAR1",), "a Parquet file")
    # polars takes a sixth of pyarrow's time for 100,000 columns: benchmarks/reading.py.
    polars = import_extra("polars", extra="formats", needed_by="Reading Parquet")
    with explained(path, polars.exceptions.PolarsError, ValueError):
        frame = polars.read_parquet(path, glob=False, hive_partitioning=False)
        return grid_from_frame(frame, polars, wanted)


def read_feather(path: Path, wanted: Wanted) -> Grid:
    """The entries of a Feather or Arrow file, or of an Arrow stream."""
    head = check_file(path)
    if head.startswith(b"FEA1"):
        raise TableError(
            f"{path} is a Feather file of version 1, which is obsolete. Write it again with "
            "version 2, or as Parquet."
        )
    check_signature(path, head, (b"ARROW1", b"\xff\xff\xff\xff"), "a Feather or Arrow file")
    polars = import_extra("polars", extra="formats", needed_by="Reading Feather and Arrow")
    read = polars.read_ipc if head.startswith(b"ARROW1") else polars.read_ipc_stream
    with explained(path, polars.exceptions.PolarsError, ValueError), path.open("rb") as handle:
        return grid_from_frame(read(handle), polars, wanted)


def grid_from_frame(frame: Any, polars: Any, wanted: Wanted) -> Grid:
    """A grid from a polars frame."""
    names, dtypes = frame.columns, frame.dtypes
    keep = columns_to_keep(names, len(names), wanted) if names else []
    is_number = [dtype.is_numeric() or dtype in (polars.Boolean, polars.Null) for dtype in dtypes]
    is_single = all(
        dtype == polars.Float32 for dtype, number in zip(dtypes, is_number, strict=True) if number
    )
    values = np.full(frame.shape, np.nan, dtype=np.float32 if is_single else np.float64)
    numeric = frame[:, np.flatnonzero(is_number).tolist()]
    values[:, is_number] = numeric.cast(polars.Float32 if is_single else polars.Float64).to_numpy()
    texts: dict[int, list[str]] = {column: _as_text(frame[:, column]) for column in keep}
    text_at: list[NDArray[np.intp]] = []
    examples: dict[tuple[int, int], str] = {}
    for column in np.flatnonzero(~np.array(is_number, dtype=bool)).tolist():
        entries = texts.get(column) or _as_text(frame[:, column])
        numbers = [as_number(entry) for entry in entries]
        values[:, column] = [np.nan if number is None else number for number in numbers]
        rows = [row for row, number in enumerate(numbers) if number is None]
        text_at.append(np.column_stack([rows, np.full(len(rows), column)]))
        if rows and len(examples) < MAX_EXAMPLES:
            examples[rows[0], column] = entries[rows[0]]
    return Grid(
        values=values,
        column_names=list(names),
        column_texts=texts,
        text_at=np.concatenate([np.empty((0, 2)), *text_at]).astype(np.intp),
        examples=examples,
    )


def _as_text(series: Any) -> list[str]:
    return ["" if value is None else str(value) for value in series.to_list()]


def read_excel(path: Path, wanted: Wanted) -> Grid:
    """The entries of the first sheet of an Excel workbook."""
    starts = (b"\xd0\xcf\x11\xe0",) if path.suffix.lower() == ".xls" else (b"PK\x03\x04",)
    check_signature(path, check_file(path), starts, f"an Excel workbook ({path.suffix})")
    calamine = import_extra("python_calamine", extra="formats", needed_by="Reading Excel")
    with explained(path, calamine.CalamineError):
        workbook = calamine.CalamineWorkbook.from_path(path)
        sheet = workbook.get_sheet_by_index(0)
        rows = enumerate(sheet.to_python(skip_empty_area=False), 1)
        grid = grid_from_rows(_filled_rows(rows), wanted)
    others = tuple((name, "only the first sheet is read") for name in workbook.sheet_names[1:])
    return replace(grid, dropped=others)


def _filled_rows(rows: Any) -> Iterator[tuple[int, list[str]]]:
    """Rows of a sheet as text, without blank ones and without blank columns at the end."""
    table = [(number, ["" if cell is None else str(cell) for cell in row]) for number, row in rows]
    table = [(number, fields) for number, fields in table if any(fields)]
    width = max((max(i for i, f in enumerate(fields, 1) if f) for _, fields in table), default=0)
    yield from ((number, fields[:width]) for number, fields in table)


def read_h5ad(path: Path, wanted: Wanted) -> Parts:
    """Observations, variables and, where a target is asked for, a column of ``obs``."""
    check_signature(path, check_file(path), (b"\x89HDF",), "an AnnData file (.h5ad)")
    anndata = import_extra("anndata", extra="anndata", needed_by="Reading .h5ad")
    with explained(path, Exception):  # HDF5 raises whatever it stumbles over
        data = anndata.read_h5ad(path)
    if data.X is None:
        raise TableError(f"{path} has no matrix X. Store the measurements there.")
    target = _obs_target(data.obs, wanted)
    return Parts(
        X=data.X,
        y=None if target is None else _obs_column(data.obs[target]),
        feature_names=[str(name) for name in data.var_names],
        sample_names=[str(name) for name in data.obs_names],
        target_name=target,
        dropped=tuple((str(name), "column of obs") for name in data.obs.columns if name != target),
    )


def _obs_target(obs: Any, wanted: Wanted) -> str | None:
    if wanted.target is None:
        return None
    columns = [str(name) for name in obs.columns]
    return columns[find_place(wanted.target, columns, len(columns), what="target")]


def _obs_column(column: Any) -> list[str] | NDArray[Any]:
    if column.dtype.kind in "fiub":
        return np.asarray(column)
    return [
        "" if is_missing else str(v) for v, is_missing in zip(column, column.isna(), strict=True)
    ]
