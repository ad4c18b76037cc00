"""Select from tables that are read in blocks, here or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from perturbfs._support.names import BLOCK_METHODS
from perturbfs.arrays import (
    DaskBlocks,
    JournaledBlocks,
    PassFiles,
    SourceFiles,
    describe_workers,
    has_passes,
)
from perturbfs.datasets import Table, TableError, open_table

from ._command import WrongUseError
from ._console import Terminal
from ._options import Reading
from ._requests import SelectRequest
from ._tables import Groups, check_outcome, column_error, given_options

PASSES = ".perturbfs-passes"  # ending of the directory of the results of finished passes
DEFAULT_MEMORY = "2GB"
# Options that need the whole table.
_IN_MEMORY_ONLY = (
    *("index", "features_in_rows", "header", "na", "decimal", "thousands", "sheet", "skip_rows"),
    *("duplicates", "unlabelled", "exclude", "match_names", "drop_text", "drop_all_text"),
    *("time", "event", "event_value"),
)


def check_blocks(request: SelectRequest) -> None:
    """Refuse options that do not fit a table that is read in blocks."""
    if request.more:
        raise WrongUseError(
            "several tables are joined in memory, so none of them can be read in blocks (as with "
            "--memory, --resume or a cluster, and always with Zarr and HDF5). Read them as a "
            "whole, or write one file with the features of all tables first."
        )
    if request.method not in BLOCK_METHODS:
        raise WrongUseError(
            f"the method {request.method} needs the whole table in memory, but {request.source} "
            f"is read in blocks. Use one of {', '.join(BLOCK_METHODS)}."
        )
    given = given_options(request.reading, _IN_MEMORY_ONLY)
    if given:
        raise WrongUseError(
            f"{', '.join(given)} is for tables that are read as a whole, but {request.source} is "
            "read in blocks. Leave it out, or convert the table first."
        )
    if request.samples.batch is not None:
        raise WrongUseError(
            f"--batch {request.samples.batch} is for tables that are read as a whole, because "
            f"features are centered within batches, but {request.source} is read in blocks. Leave "
            "it out, or correct the table for the batches before."
        )


def open_blocks(source: str, reading: Reading, memory: str | None) -> Table:
    """Open a table with an outcome without reading it.

    Parameters
    ----------
    source : str
    reading : Reading
    memory : str or None
        Memory to use, such as ``"2GB"``.

    Returns
    -------
    table : Table
    """
    task: Any = reading.task
    memory, layer = memory or DEFAULT_MEMORY, reading.layout.layer
    table = open_table(source, reading.target, memory=memory, task=task, layer=layer)
    return check_outcome(table, source)


def open_groups(source: str, reading: Reading, column: str | None, table: Table) -> Groups | None:
    """Return the groups of the samples of a table that is read in blocks, or None without any.

    Parameters
    ----------
    source : str
    reading : Reading
    column : str or None
        As for a target: a column that is no feature, or a second file.
    table : Table
        From `open_blocks`.

    Returns
    -------
    groups : Groups or None
    """
    if column is None:
        return None
    if table.feature_names is not None and column in table.feature_names:
        raise TableError(
            f"--groups {column} is a column among the features, which cannot be left out of a "
            "table that is read in blocks. Put the groups into a second file."
        )
    try:
        grouped = open_table(source, column, layer=reading.layout.layer)
    except TableError as error:
        raise column_error("groups", column, error) from error
    return Groups(grouped.target_name or column, np.asarray(grouped.y))


def is_stopped(out: str) -> bool:
    """Return whether there are finished passes of a job that writes to a directory."""
    return has_passes(_passes_of(out))


@contextmanager
def journaled(
    terminal: Terminal, table: Table, out: str, *, resume: bool, client: Any
) -> Iterator[Table]:
    """Keep finished passes over a table, beside the output directory, until the job is done.

    Parameters
    ----------
    terminal : Terminal
    table : Table
        From `open_blocks`.
    out : str
        Output directory.
    resume : bool
        Whether to use passes of an earlier job.
    client : distributed.Client or None
        Its workers read the blocks.

    Yields
    ------
    table : Table
    """
    folder = _passes_of(out)
    with terminal.waiting(f"reading {table.source} once, to know it again"):
        source = SourceFiles(table.source)
        passes = PassFiles(folder, source.content)
    if not resume:
        passes.remove()
    blocks = table.X if client is None else DaskBlocks.of_store(table.X)
    try:
        yield replace(table, X=JournaledBlocks(blocks, passes, source))
    except KeyboardInterrupt as error:
        if not passes:
            raise
        raise KeyboardInterrupt(
            f"Stopped. Finished passes are kept in {folder}; the same command with --resume "
            "continues from there."
        ) from error
    else:
        passes.remove()
    finally:
        if not passes:
            passes.remove()


def _passes_of(out: str) -> Path:
    place = Path(out).resolve()
    return place.with_name(place.name + PASSES)


def describe_reading(table: Table, client: Any) -> str:
    """Return a sentence about who read the blocks with how much memory."""
    if client is None:
        return f"Read in blocks with at most {table.X.memory / 1e9:.1f} GB of memory."
    return f"Read in blocks by {describe_workers(client)}."
