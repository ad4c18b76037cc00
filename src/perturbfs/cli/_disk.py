"""`perturbfs select` for tables that are read block by block, here or on a cluster."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from perturbfs.arrays import DaskBlocks, JournaledBlocks, describe_workers
from perturbfs.datasets import Table, TableError, open_table
from perturbfs.results import fingerprint

from ._console import WrongUseError

PASSES = "passes"  # directory of the results of finished passes, in that of the results
DEFAULT_MEMORY = "2GB"
ONLY_IN_BLOCKS = (".zarr", ".h5", ".hdf5")
BLOCK_FORMATS = (*ONLY_IN_BLOCKS, ".npy", ".h5ad", ".parquet", ".pq")
# What is said to users of options that need the whole table.
_IN_MEMORY_ONLY = {
    "index": "--index",
    "features_in_rows": "--features-in-rows",
    "drop_text": "--drop-text",
}


def open_blocks(source: str, memory: str | None, reading: dict[str, Any]) -> Table:
    """The table, opened but not read.

    Parameters
    ----------
    source : str
    memory : str or None
        Such as ``"2GB"``.
    reading : dict
        How to read it, as on the command line.

    Returns
    -------
    table : Table
        With an outcome.
    """
    given = [option for name, option in _IN_MEMORY_ONLY.items() if reading.get(name)]
    if given:
        raise WrongUseError(
            f"{', '.join(given)} is for tables that are read as a whole, but {source} is read "
            "block by block. Leave it out, or convert the table before."
        )
    table = open_table(
        source, reading["target"], memory=memory or DEFAULT_MEMORY, task=reading["task"]
    )
    if table.y is None:
        raise TableError(
            f"{source} was opened without an outcome. Name it with --target, or a second file "
            "that holds it."
        )
    return table


def is_stopped(out: str) -> bool:
    """Whether a directory holds nothing but finished passes."""
    folder = Path(out)
    return folder.is_dir() and [each.name for each in folder.iterdir()] == [PASSES]


@contextmanager
def journaled(table: Table, out: str, *, resume: bool, client: Any) -> Iterator[Table]:
    """The table with its passes kept in the output directory until all is done.

    Parameters
    ----------
    table : Table
        Opened, not read.
    out : str
        Output directory.
    resume : bool
        Whether passes of an earlier job are used.
    client : distributed.Client or None
        Whose workers read the blocks.

    Yields
    ------
    table : Table
    """
    folder = Path(out, PASSES)
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
    blocks = table.X if client is None else DaskBlocks.of_store(table.X)
    X = JournaledBlocks(blocks, folder, fingerprint(table))
    try:
        yield replace(table, X=X)
    except KeyboardInterrupt as error:
        if not _has_passes(folder):
            raise
        raise KeyboardInterrupt(
            f"Stopped. Finished passes are kept in {folder}; the same command with --resume goes "
            "on from there."
        ) from error
    else:
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        if folder.is_dir() and not _has_passes(folder):
            shutil.rmtree(folder)
            if not any(folder.parent.iterdir()):
                folder.parent.rmdir()


def _has_passes(folder: Path) -> bool:
    return any(folder.glob("[!.]*.zip"))


def describe_reading(table: Table, client: Any) -> str:
    """Who read the blocks, with how much memory."""
    limit = f"{table.X.memory / 1e9:.1f} GB"
    if client is None:
        return f"Read block by block with at most {limit} of memory."
    return f"Read block by block by {describe_workers(client)}."
